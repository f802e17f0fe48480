(* Pipelines of sequences, and lazy streams. rounds: 20000 *)
type 'a stream = Cons of 'a * 'a stream Lazy.t

let rec from n = Cons (n, lazy (from (n + 1)))
let rec drop n (Cons (x, rest)) = if n = 0 then x else drop (n - 1) (Lazy.force rest)

let () =
  let n = int_of_string Sys.argv.(1) in
  let numbers = Seq.unfold (fun i -> if i = n then None else Some (i, i + 1)) 0 in
  let pipeline =
    numbers |> Seq.map (fun x -> (x, string_of_int x))
    |> Seq.filter (fun (x, _) -> x mod 3 <> 0)
    |> Seq.map (fun (x, s) -> x + String.length s)
  in
  let sum = Seq.fold_left (fun a b -> (a + b) mod 1000003) 0 pipeline in
  Printf.printf "%d %d\n" sum (drop n (from 0))
