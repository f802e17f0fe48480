(* Choices by running the computation again: a continuation is resumed once. *)
open Effect
open Effect.Deep

type _ Effect.t += Choose : int -> int t | Fail : 'a t

let choose n = perform (Choose n)
let fail () = perform Fail
let guard b = if not b then fail ()

exception Dead

(* The choices so far are replayed; behind them the first one is taken. *)
let next_path path =
  let rec go = function
    | [] -> None
    | (i, n) :: rest -> if i + 1 < n then Some ((i + 1, n) :: rest) else go rest in
  go path

let solutions f =
  let rec run (path : (int * int) list) acc =
    let left = ref (List.rev path) and taken = ref [] in
    let result = match f () with
      | v -> Some v
      | exception Dead -> None
      | effect Choose n, k ->
        let i : int = match !left with
          | (i, _) :: rest -> left := rest; i
          | [] -> 0 in
        taken := (i, n) :: !taken;
        continue k i
      | effect Fail, k -> discontinue k Dead in
    let acc = match result with Some v -> v :: acc | None -> acc in
    match next_path !taken with Some path -> run path acc | None -> List.rev acc in
  run [] []

let queens n () =
  let rec place row placed =
    if row = n then List.rev placed
    else begin
      let col = choose n in
      List.iteri (fun i c -> guard (c <> col && abs (c - col) <> i + 1)) placed;
      place (row + 1) (col :: placed)
    end in
  place 0 []

let triples n () =
  let a = choose n + 1 in
  let b = choose n + 1 in
  let c = choose n + 1 in
  guard (a < b && a * a + b * b = c * c);
  (a, b, c)

let () =
  let all = solutions (queens 6) in
  Printf.printf "%d\n" (List.length all);
  List.iter (fun s -> print_endline (String.concat " " (List.map string_of_int s))) all;
  List.iter (fun (a, b, c) -> Printf.printf "%d %d %d\n" a b c) (solutions (triples 15));
  Printf.printf "%d\n" (List.length (solutions (fun () -> if choose 2 = 0 then fail () else choose 3)))
