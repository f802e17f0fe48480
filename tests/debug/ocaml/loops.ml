let sum a =
  let total = ref 0 in
  for i = 0 to Array.length a - 1 do
    total := !total + a.(i)
  done;
  !total
let find p l =
  let rec go i = function
    | [] -> None
    | x :: rest -> if p x then Some (i, x) else go (i + 1) rest in
  go 0 l
let guarded f =
  try f () with
  | Not_found -> -1
  | Failure message ->
    String.length message
let () =
  let a = Array.init 4 (fun i -> i * i) in
  let m = [| [| 1.0; 2.0 |]; [| 3.0; 4.0 |] |] in
  let n = sum a in
  let hit = find (fun x -> x > 2) [1; 2; 3] in
  let g = guarded (fun () -> failwith "four") in
  Printf.printf "%d %d %d %d\n" n g (Array.length m) (match hit with Some (i, _) -> i | None -> 9)
