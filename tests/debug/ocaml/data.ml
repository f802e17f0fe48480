type colour = Red | Green | Blue
type tree = Leaf | Node of tree * int * tree
type 'a pair = { first : 'a; second : 'a option }
exception Odd of int * string
let rec insert x t =
  match t with
  | Leaf -> Node (Leaf, x, Leaf)
  | Node (l, y, r) ->
    if x < y then Node (insert x l, y, r)
    else Node (l, y, insert x r)
let table : (string, int) Hashtbl.t = Hashtbl.create 4
let counter = ref 0
let classify n colour =
  incr counter;
  let name = match colour with Red -> "red" | Green -> "green" | Blue -> "blue" in
  let result = if n > 2 then Error (name, n) else Ok [| n; n * n |] in
  result
let () =
  let t = List.fold_left (fun t x -> insert x t) Leaf [3; 1; 2] in
  let p = { first = 1.5; second = Some (-2.25) } in
  let q = { first = 'a'; second = None } in
  let deep = Some (Some (Some 3)) in
  let nested = [ (1, "one"); (2, "two\n") ] in
  let bits = (Int32.max_int, Int64.min_int, true, ()) in
  let r = classify 1 Green in
  let e = classify 3 Blue in
  let x = Odd (3, "x") in
  let s = Bytes.of_string "abc" in
  let poly = [ `A; `B 3; `C (1.0, "x") ] in
  Hashtbl.add table "k" 1;
  ignore (t, p, q, deep, nested, bits, r, e, x, s, poly);
  print_endline "done"
