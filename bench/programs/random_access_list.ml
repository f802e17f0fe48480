(* Lists with access in logarithmic time: a type whose parts have ever larger types, and
   functions that call themselves at these. *)

type 'a t = Nil | Zero of ('a * 'a) t | One of 'a * ('a * 'a) t

let rec cons : 'a. 'a -> 'a t -> 'a t =
 fun x -> function
  | Nil -> One (x, Nil)
  | Zero rest -> One (x, rest)
  | One (y, rest) -> Zero (cons (x, y) rest)

let rec uncons : 'a. 'a t -> 'a * 'a t = function
  | Nil -> raise Not_found
  | One (x, Nil) -> (x, Nil)
  | One (x, rest) -> (x, Zero rest)
  | Zero rest ->
      let (x, y), rest = uncons rest in
      (x, One (y, rest))

let rec lookup : 'a. int -> 'a t -> 'a =
 fun i -> function
  | Nil -> raise Not_found
  | One (x, rest) -> if i = 0 then x else lookup (i - 1) (Zero rest)
  | Zero rest ->
      let x, y = lookup (i / 2) rest in
      if i land 1 = 0 then x else y

let rec update : 'a. int -> ('a -> 'a) -> 'a t -> 'a t =
 fun i f -> function
  | Nil -> raise Not_found
  | One (x, rest) -> if i = 0 then One (f x, rest) else cons x (update (i - 1) f (Zero rest))
  | Zero rest ->
      let f (x, y) = if i land 1 = 0 then (f x, y) else (x, f y) in
      Zero (update (i / 2) f rest)

let rec sum total = function
  | Nil -> total
  | t ->
      let x, t = uncons t in
      sum (total + x) t

let rec build n t = if n = 0 then t else build (n - 1) (cons n t)

let () =
  let n = 100_000 in
  let total = ref 0 in
  for round = 1 to 20 do
    let t = ref (build n Nil) in
    for i = 0 to n - 1 do
      if i land 7 = 0 then t := update i (fun x -> x + round) !t else total := !total + lookup i !t
    done;
    total := !total + sum 0 !t
  done;
  Printf.printf "%d\n" !total
