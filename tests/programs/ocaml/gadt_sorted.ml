(* Red-black trees whose colours and heights are types. *)
type red = R
type black = B
type zero = Z
type 'n succ = S
type (_, _, 'a) node =
  | Leaf : (black, zero, 'a) node
  | Red : (black, 'n, 'a) node * 'a * (black, 'n, 'a) node -> (red, 'n, 'a) node
  | Black : ('c, 'n, 'a) node * 'a * ('d, 'n, 'a) node -> (black, 'n succ, 'a) node
type 'a tree = Tree : (black, 'n, 'a) node -> 'a tree
let rec mem : type c n. int -> (c, n, int) node -> bool = fun x -> function
  | Leaf -> false
  | Red (l, y, r) -> if x = y then true else if x < y then mem x l else mem x r
  | Black (l, y, r) -> if x = y then true else if x < y then mem x l else mem x r
let rec to_list : type c n a. (c, n, a) node -> a list -> a list = fun t acc ->
  match t with
  | Leaf -> acc
  | Red (l, x, r) -> to_list l (x :: to_list r acc)
  | Black (l, x, r) -> to_list l (x :: to_list r acc)
let rec height : type c n a. (c, n, a) node -> int = function
  | Leaf -> 0
  | Red (l, _, _) -> height l
  | Black (l, _, _) -> 1 + height l
let one x = Black (Leaf, x, Leaf)
let () =
  let t = Black (Red (one 1, 2, one 3), 4, one 5) in
  let all = Tree t in
  Printf.printf "%b %b %d\n" (mem 3 t) (mem 7 t) (height t);
  let (Tree u) = all in
  List.iter (Printf.printf "%d ") (to_list u []); print_newline ()
