(* A function that adds to what it gives itself, and calls another one last. *)
type tree = Leaf | Node of tree * int * tree | Other of (tree -> int) * tree

let rec size t =
  match t with
  | Leaf -> 0
  | Node (l, _, r) -> 1 + size l + size r
  | Other (f, t) -> f t

let rec build n = if n = 0 then Leaf else Node (Leaf, n, build (n - 1))

let () =
  let deep = build 100_000 in
  Printf.printf "%d\n" (size (Other (size, deep)));
  Printf.printf "%d\n" (size (Node (Other ((fun _ -> 41), deep), 0, Leaf)));
  let rec wrap n t = if n = 0 then t else wrap (n - 1) (Other ((fun t -> 2 * size t), t)) in
  Printf.printf "%d\n" (size (wrap 5 (build 3)))
