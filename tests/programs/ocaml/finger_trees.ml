type 'a node = Node2 of 'a * 'a | Node3 of 'a * 'a * 'a
type 'a digit = D1 of 'a | D2 of 'a * 'a | D3 of 'a * 'a * 'a | D4 of 'a * 'a * 'a * 'a
type 'a tree = Empty | Single of 'a | Deep of 'a digit * 'a node tree Lazy.t * 'a digit
let rec push : 'a. 'a -> 'a tree -> 'a tree = fun x -> function
  | Empty -> Single x
  | Single y -> Deep (D1 x, lazy Empty, D1 y)
  | Deep (D1 a, m, r) -> Deep (D2 (x, a), m, r)
  | Deep (D2 (a, b), m, r) -> Deep (D3 (x, a, b), m, r)
  | Deep (D3 (a, b, c), m, r) -> Deep (D4 (x, a, b, c), m, r)
  | Deep (D4 (a, b, c, d), m, r) ->
    Deep (D2 (x, a), lazy (push (Node3 (b, c, d)) (Lazy.force m)), r)
let rec snoc : 'a. 'a tree -> 'a -> 'a tree = fun t x -> match t with
  | Empty -> Single x
  | Single y -> Deep (D1 y, lazy Empty, D1 x)
  | Deep (l, m, D1 a) -> Deep (l, m, D2 (a, x))
  | Deep (l, m, D2 (a, b)) -> Deep (l, m, D3 (a, b, x))
  | Deep (l, m, D3 (a, b, c)) -> Deep (l, m, D4 (a, b, c, x))
  | Deep (l, m, D4 (a, b, c, d)) -> Deep (l, lazy (snoc (Lazy.force m) (Node3 (a, b, c))), D2 (d, x))
let fold_digit f acc = function
  | D1 a -> f acc a | D2 (a, b) -> f (f acc a) b | D3 (a, b, c) -> f (f (f acc a) b) c
  | D4 (a, b, c, d) -> f (f (f (f acc a) b) c) d
let fold_node f acc = function Node2 (a, b) -> f (f acc a) b | Node3 (a, b, c) -> f (f (f acc a) b) c
let rec fold : 'a 'b. ('b -> 'a -> 'b) -> 'b -> 'a tree -> 'b = fun f acc -> function
  | Empty -> acc
  | Single x -> f acc x
  | Deep (l, m, r) -> fold_digit f (fold (fold_node f) (fold_digit f acc l) (Lazy.force m)) r
let nodes d tail = match d with D1 a -> a :: tail | D2 (a, b) -> a :: b :: tail
  | D3 (a, b, c) -> a :: b :: c :: tail | D4 (a, b, c, d) -> a :: b :: c :: d :: tail
let digit_of_node = function Node2 (a, b) -> D2 (a, b) | Node3 (a, b, c) -> D3 (a, b, c)
let of_digit = function D1 a -> Single a | D2 (a, b) -> Deep (D1 a, lazy Empty, D1 b)
  | D3 (a, b, c) -> Deep (D2 (a, b), lazy Empty, D1 c) | D4 (a, b, c, d) -> Deep (D2 (a, b), lazy Empty, D2 (c, d))
let rec view : 'a. 'a tree -> ('a * 'a tree) option = function
  | Empty -> None
  | Single x -> Some (x, Empty)
  | Deep (D1 x, m, r) -> Some (x, (match view (Lazy.force m) with
      | None -> of_digit r
      | Some (n, m) -> Deep (digit_of_node n, lazy m, r)))
  | Deep (D2 (x, a), m, r) -> Some (x, Deep (D1 a, m, r))
  | Deep (D3 (x, a, b), m, r) -> Some (x, Deep (D2 (a, b), m, r))
  | Deep (D4 (x, a, b, c), m, r) -> Some (x, Deep (D3 (a, b, c), m, r))
let () =
  let t = List.fold_left snoc Empty (List.init 1000 string_of_int) in
  let t = List.fold_right push ["x"; "y"; "z"] t in
  let s = fold (fun acc s -> acc + String.length s) 0 t in
  Printf.printf "%d\n" s;
  let rec go n t = match view t with None -> n | Some (s, t) -> if n < 5 then print_endline s; go (n + 1) t in
  Printf.printf "%d\n" (go 0 t);
  let i = List.fold_left snoc Empty (List.init 100 Fun.id) in
  Printf.printf "%d\n" (fold ( + ) 0 i);
  Printf.printf "%b\n" (fold (fun l x -> x :: l) [] i = List.rev (List.init 100 Fun.id))
