(* Polymorphic recursion with explicit annotations: nested trees and a generic show through closures. *)

type 'a perfect = Zero of 'a | Succ of ('a * 'a) perfect

let rec size : 'a. 'a perfect -> int = function Zero _ -> 1 | Succ p -> 2 * size p
let rec show : 'a. ('a -> string) -> 'a perfect -> string = fun f -> function
  | Zero x -> f x
  | Succ p -> "S" ^ show (fun (a, b) -> "(" ^ f a ^ "," ^ f b ^ ")") p
let rec sum : 'a. ('a -> int) -> 'a perfect -> int = fun f -> function
  | Zero x -> f x
  | Succ p -> sum (fun (a, b) -> f a + f b) p
let rec build : 'a. int -> 'a -> 'a perfect = fun n x -> if n = 0 then Zero x else Succ (build (n - 1) (x, x))

type 'a nest = Nil | Cons of 'a * 'a list nest
let rec depth : 'a. 'a nest -> int = function Nil -> 0 | Cons (_, r) -> 1 + depth r

type ('a, 'b) either = L of 'a | R of 'b
let rec partition l = match l with
  | [] -> ([], [])
  | L a :: t -> let x, y = partition t in (a :: x, y)
  | R b :: t -> let x, y = partition t in (x, b :: y)

type 'k pack = { key : 'k; cmp : 'k -> 'k -> int }
let bigger p k = if p.cmp p.key k < 0 then k else p.key

let () =
  let t = Succ (Succ (Zero ((1, 2), (3, 4)))) in
  Printf.printf "%d %s %d\n" (size t) (show string_of_int t) (sum Fun.id t);
  Printf.printf "%d %d\n" (size (build 10 'x')) (sum String.length (build 5 "abc"));
  print_endline (show Fun.id (build 2 "z"));
  Printf.printf "%d\n" (depth (Cons (1, Cons ([ 2 ], Cons ([ [ 3 ]; [] ], Nil)))));
  let a, b = partition [ L 1; R "x"; L 2; R "y" ] in
  Printf.printf "%d %s\n" (List.fold_left ( + ) 0 a) (String.concat "" b);
  Printf.printf "%d %s\n" (bigger { key = 3; cmp = compare } 5) (bigger { key = "pear"; cmp = (fun a b -> compare (String.length a) (String.length b)) } "fig")
