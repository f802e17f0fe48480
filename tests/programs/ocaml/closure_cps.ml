(* Continuation-passing style: factorial, tree sums, early exit, generators by continuations. *)

let rec fact_k n k = if n = 0 then k 1 else fact_k (n - 1) (fun r -> k (n * r))

let rec fib_k n k =
  if n < 2 then k n
  else fib_k (n - 1) (fun a -> fib_k (n - 2) (fun b -> k (a + b)))

let rec append_k xs ys k =
  match xs with
  | [] -> k ys
  | x :: rest -> append_k rest ys (fun zs -> k (x :: zs))

type 'a tree = Leaf | Node of 'a tree * 'a * 'a tree

let rec insert x = function
  | Leaf -> Node (Leaf, x, Leaf)
  | Node (l, v, r) as t ->
    if x < v then Node (insert x l, v, r) else if x > v then Node (l, v, insert x r) else t

let rec sum_k t k =
  match t with
  | Leaf -> k 0
  | Node (l, v, r) -> sum_k l (fun a -> sum_k r (fun b -> k (a + v + b)))

(* product with early exit: the failure continuation skips the multiplications *)
let product xs =
  let steps = ref 0 in
  let rec go xs ret k =
    match xs with
    | [] -> k 1
    | 0 :: _ -> ret 0
    | x :: rest -> go rest ret (fun p -> incr steps; k (x * p)) in
  let r = go xs (fun x -> x) (fun x -> x) in
  (r, !steps)

type 'a stream = Done | More of 'a * (unit -> 'a stream)

let rec walk t k =
  match t with
  | Leaf -> k ()
  | Node (l, v, r) -> walk l (fun () -> More (v, fun () -> walk r k))

let same_fringe a b =
  let rec go s t =
    match s, t with
    | Done, Done -> true
    | More (x, s), More (y, t) -> x = y && go (s ()) (t ())
    | _ -> false in
  go (walk a (fun () -> Done)) (walk b (fun () -> Done))

(* success and failure continuations: subset sum *)
let subset_sum target xs =
  let rec go xs left acc sk fk =
    if left = 0 then sk (List.rev acc) fk
    else match xs with
      | [] -> fk ()
      | x :: rest ->
        if x > left then go rest left acc sk fk
        else go rest (left - x) (x :: acc) sk (fun () -> go rest left acc sk fk) in
  go xs target [] (fun sol next -> sol :: next ()) (fun () -> [])

let () =
  Printf.printf "%d\n" (fact_k 15 Fun.id);
  fib_k 18 (Printf.printf "%d\n");
  append_k [ 1; 2; 3 ] [ 4; 5 ] (List.iter (Printf.printf "%d ")) |> print_newline;
  let big = List.init 50_000 Fun.id in
  append_k big [ -1 ] (fun l -> Printf.printf "%d\n" (List.length l));
  let t = List.fold_left (fun t x -> insert x t) Leaf [ 5; 2; 8; 1; 9; 3 ] in
  let u = List.fold_left (fun t x -> insert x t) Leaf [ 1; 2; 3; 5; 8; 9 ] in
  Printf.printf "%d %d\n" (sum_k t Fun.id) (sum_k u (fun x -> x + 1000));
  Printf.printf "%b %b\n" (same_fringe t u) (same_fringe t (insert 4 u));
  let show (p, s) = Printf.printf "product %d in %d steps\n" p s in
  show (product [ 1; 2; 3; 4 ]);
  show (product [ 1; 2; 0; 4 ]);
  List.iter (fun s -> print_endline (String.concat "+" (List.map string_of_int s)))
    (subset_sum 10 [ 1; 2; 3; 4; 5; 6; 7 ])
