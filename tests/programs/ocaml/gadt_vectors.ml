type zero = Zero
type 'n succ = Succ
type ('a, _) vec =
  | Nil : ('a, zero) vec
  | Cons : 'a * ('a, 'n) vec -> ('a, 'n succ) vec

let head : type a n. (a, n succ) vec -> a = function Cons (x, _) -> x
let tail : type a n. (a, n succ) vec -> (a, n) vec = fun (Cons (_, v)) -> v
let rec map : type a b n. (a -> b) -> (a, n) vec -> (b, n) vec = fun f -> function
  | Nil -> Nil
  | Cons (x, v) -> Cons (f x, map f v)
let rec zip : type a b n. (a, n) vec -> (b, n) vec -> (a * b, n) vec = fun v w ->
  match v, w with
  | Nil, Nil -> Nil
  | Cons (x, v), Cons (y, w) -> Cons ((x, y), zip v w)
let rec to_list : type a n. (a, n) vec -> a list = function
  | Nil -> []
  | Cons (x, v) -> x :: to_list v
let rec length : type a n. (a, n) vec -> int = function Nil -> 0 | Cons (_, v) -> 1 + length v

let () =
  let v = Cons (1, Cons (2, Cons (3, Nil))) in
  let w = map (fun x -> float_of_int x *. 1.5) v in
  Printf.printf "%d %.1f %d\n" (head v) (head (tail w)) (length v);
  List.iter (fun (x, y) -> Printf.printf "%d:%.1f " x y) (to_list (zip v w));
  print_newline ()
