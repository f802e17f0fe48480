(* Trees, lists and strings that each round makes and forgets, also by an exception. rounds: 2000, full: 1000000 *)
type tree = Leaf | Node of tree * int * tree

let rec make d n = if d = 0 then Leaf else Node (make (d - 1) (2 * n), n, make (d - 1) ((2 * n) + 1))
let rec sum = function Leaf -> 0 | Node (l, n, r) -> sum l + n + sum r
let rec names n acc = if n = 0 then acc else names (n - 1) (string_of_int n :: acc)
let rec longest l best = match l with [] -> best | s :: t -> longest t (max best (String.length s))
let rec numbers n = if n = 0 then [] else if n = 13 then raise Exit else n :: numbers (n - 1)
let rec total = function [] -> 0 | x :: t -> x + total t

let () =
  let state = ref 0 in
  for round = 1 to int_of_string Sys.argv.(1) do
    state := (!state + sum (make (round mod 6) round)) land 0xffffff;
    state := !state + longest (names (round mod 20) (names 3 [])) 0;
    state := !state + (try total (numbers (round mod 16)) with Exit -> 1)
  done;
  Printf.printf "%d\n" !state
