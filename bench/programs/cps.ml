(* Continuation passing: every call is a tail call, every result goes to a closure. *)

let rec fib_k n k =
  if n < 2 then k n else fib_k (n - 1) (fun a -> fib_k (n - 2) (fun b -> k (a + b)))

type tree = Leaf of int | Node of tree * tree

let rec build depth seed =
  if depth = 0 then Leaf (seed land 255)
  else Node (build (depth - 1) ((seed * 5) + 1), build (depth - 1) ((seed * 7) + 3))

let rec sum_k tree k =
  match tree with
  | Leaf n -> k n
  | Node (l, r) -> sum_k l (fun a -> sum_k r (fun b -> k (a + b)))

(* A backtracking search with a success and a failure continuation. *)
let rec choose lo hi succeed fail =
  if lo > hi then fail () else succeed lo (fun () -> choose (lo + 1) hi succeed fail)

let triples n =
  let count = ref 0 in
  choose 1 n
    (fun a retry_a ->
      choose a n
        (fun b retry_b ->
          choose b n
            (fun c retry_c ->
              if (a * a) + (b * b) = c * c then incr count;
              retry_c ())
            retry_b)
        retry_a)
    (fun () -> !count)

let () =
  let total = ref (fib_k 39 (fun x -> x)) in
  let tree = build 18 1 in
  for _ = 1 to 50 do
    total := !total + sum_k tree (fun x -> x)
  done;
  Printf.printf "%d %d\n" !total (triples 700)
