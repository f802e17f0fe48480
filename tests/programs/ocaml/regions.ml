(* Structures that a scope makes, looks at and forgets: trees, lists, lists of strings, of pairs, in
   loops, with exceptions on the way, and shapes that must not be placed in a region. *)

type tree = Leaf | Node of tree * int * tree

let rec make depth n = if depth = 0 then Leaf else Node (make (depth - 1) (2 * n), n, make (depth - 1) ((2 * n) + 1))
let rec sum = function Leaf -> 0 | Node (l, n, r) -> sum l + n + sum r
let rec depth = function Leaf -> 0 | Node (l, _, r) -> 1 + max (depth l) (depth r)

(* Looked at by two functions, in a loop. *)
let () =
  let total = ref 0 in
  for i = 1 to 50 do
    let t = make (i mod 9) i in
    total := !total + sum t + depth t
  done;
  Printf.printf "trees %d\n" !total

(* An argument that is kept in the result. *)
let rec down n acc = if n = 0 then acc else down (n - 1) (n :: acc)
let rec length l n = match l with [] -> n | _ :: t -> length t (n + 1)
let () =
  let total = ref 0 in
  for i = 1 to 100 do
    total := !total + length (down i (down 3 [])) 0
  done;
  Printf.printf "kept %d\n" !total

(* Elements that are counted: they go with the region, unless somebody else has them. *)
let rec names n = if n = 0 then [] else String.make (n mod 40) 'x' :: names (n - 1)
let rec longest best = function
  | [] -> best
  | s :: rest -> longest (if String.length s > String.length best then s else best) rest
let () =
  let best = ref "" in
  for i = 1 to 60 do
    best := longest !best (names i)
  done;
  Printf.printf "names %s %d\n" !best (String.length !best)

let last = ref ""
let rec remember = function [] -> () | s :: rest -> last := s; remember rest
let () =
  remember (names 30);
  Printf.printf "remembered %d\n" (String.length !last)

(* Raised while it is made, and while it is looked at. *)
exception Odd of int
let rec evens n = if n = 0 then [] else if n mod 17 = 13 then raise (Odd n) else (2 * n) :: evens (n - 1)
let rec check l = match l with [] -> 0 | x :: t -> if x = 20 then raise Exit else x + check t
let () =
  let raised = ref 0 and total = ref 0 in
  for i = 1 to 40 do
    match check (evens i) with
    | n -> total := !total + n
    | exception Odd n -> raised := !raised + n
    | exception Exit -> incr raised
  done;
  Printf.printf "raised %d %d\n" !raised !total

(* Left early. *)
let search limit =
  let rec go i =
    if i > limit then -1
    else
      let t = make 5 i in
      if sum t > 4000 then i else go (i + 1)
  in
  go 1
let () = Printf.printf "search %d %d\n" (search 10) (search 1000)

(* Not to be placed: a part is returned, stored, captured. *)
let left = function Node (l, _, _) -> l | Leaf -> Leaf
let stored = ref Leaf
let () =
  let t = left (make 4 1) in
  stored := make 3 2;
  let f = let t = make 2 7 in fun () -> sum t in
  Printf.printf "kept %d %d %d\n" (sum t) (sum !stored) (f ())

(* A loop that would fill a region with what nobody needs. *)
let rec turn n l = if n = 0 then l else turn (n - 1) (List.rev l)
let () = Printf.printf "turned %d\n" (List.hd (turn 1001 (down 20 [])))

(* Pairs in lists, records, mutable contents. *)
type point = { x : float; y : float; mutable seen : bool }
let rec points n = if n = 0 then [] else ({ x = float_of_int n; y = 0.5; seen = false }, n) :: points (n - 1)
let rec visit = function
  | [] -> 0.
  | (p, n) :: rest ->
      p.seen <- true;
      p.x +. (p.y *. float_of_int n) +. visit rest
let () =
  let sum = ref 0. in
  for i = 1 to 20 do
    sum := !sum +. visit (points i)
  done;
  Printf.printf "points %.1f\n" !sum

(* Two regions at once, one entered in the middle of the other. *)
let () =
  let a = make 6 1 in
  let inner = ref 0 in
  for i = 1 to 10 do
    let b = down i [] in
    inner := !inner + length b 0 + sum a
  done;
  Printf.printf "both %d %d\n" !inner (sum a)

(* A higher-order builder and a higher-order consumer. *)
let () =
  let total = ref 0 in
  for k = 1 to 30 do
    let l = List.init 20 (fun i -> i * k) in
    total := List.fold_left (fun acc x -> acc + x) !total l;
    List.iter (fun x -> if x > 500 then incr total) l
  done;
  Printf.printf "folded %d\n" !total
