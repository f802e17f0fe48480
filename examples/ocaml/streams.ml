(* Endless streams from closures and laziness: the sieve of Eratosthenes and a walk over a tree. *)

type 'a stream = Cons of 'a * 'a stream Lazy.t

let rec from n = Cons (n, lazy (from (n + 1)))

let rec filter keep (Cons (x, rest)) =
  if keep x then Cons (x, lazy (filter keep (Lazy.force rest))) else filter keep (Lazy.force rest)

let rec take n (Cons (x, rest)) = if n = 0 then [] else x :: take (n - 1) (Lazy.force rest)

let rec sieve (Cons (p, rest)) = Cons (p, lazy (sieve (filter (fun n -> n mod p <> 0) (Lazy.force rest))))

(* The same idea with [Seq]: a function is asked for the next element. *)
type tree = Leaf | Node of tree * int * tree

let rec insert x = function
  | Leaf -> Node (Leaf, x, Leaf)
  | Node (l, y, r) when x < y -> Node (insert x l, y, r)
  | Node (l, y, r) -> Node (l, y, insert x r)

let rec in_order tree rest () =
  match tree with
  | Leaf -> rest ()
  | Node (l, x, r) -> in_order l (fun () -> Seq.Cons (x, in_order r rest)) ()

let () =
  let primes = sieve (from 2) in
  print_endline (String.concat " " (List.map string_of_int (take 15 primes)));
  let tree = List.fold_left (fun tree x -> insert x tree) Leaf [ 50; 20; 70; 10; 30; 60; 80; 25 ] in
  in_order tree (fun () -> Seq.Nil)
  |> Seq.filter (fun x -> x mod 20 <> 0)
  |> Seq.map (fun x -> x * x)
  |> Seq.iter (Printf.printf "%d ");
  print_newline ()
