(* Continuation passing: every call is a tail call, every result goes to a closure. *)

let rec fib_k n k =
  if n < 2 then k n else fib_k (n - 1) (fun a -> fib_k (n - 2) (fun b -> k (a + b)))

type tree = Leaf of int | Node of tree * tree

let rec build depth seed =
  if depth = 0 then Leaf (seed land 255)
  else Node (build (depth - 1) (((seed * 5) + 1) land 0xffff), build (depth - 1) (((seed * 7) + 3) land 0xffff))

let rec sum_k tree k =
  match tree with
  | Leaf n -> k n
  | Node (l, r) -> sum_k l (fun a -> sum_k r (fun b -> k (a + b)))

let () =
  let total = ref (fib_k 35 (fun x -> x)) in
  let tree = build 17 1 in
  for _ = 1 to 50 do
    total := (!total + sum_k tree (fun x -> x)) land 0xffffff
  done;
  Printf.printf "%d\n" !total
