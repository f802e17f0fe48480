(* Polymorphic binary trees: maps, folds, traversals, drawing, mirror, paths. *)

type 'a tree = Leaf | Node of 'a tree * 'a * 'a tree

let rec insert cmp x = function
  | Leaf -> Node (Leaf, x, Leaf)
  | Node (l, v, r) as t ->
    let c = cmp x v in
    if c < 0 then Node (insert cmp x l, v, r) else if c > 0 then Node (l, v, insert cmp x r) else t

let rec fold f acc = function Leaf -> acc | Node (l, v, r) -> f (fold f acc l) v (fold f acc r)
let size t = fold (fun l _ r -> l + 1 + r) 0 t
let height t = fold (fun l _ r -> 1 + max l r) 0 t
let rec map f = function Leaf -> Leaf | Node (l, v, r) -> Node (map f l, f v, map f r)
let rec mirror = function Leaf -> Leaf | Node (l, v, r) -> Node (mirror r, v, mirror l)
let inorder t = fold (fun l v r -> l @ (v :: r)) [] t
let preorder t = fold (fun l v r -> (v :: l) @ r) [] t
let postorder t = fold (fun l v r -> l @ r @ [ v ]) [] t

let levels t =
  let rec go = function
    | [] -> []
    | ts ->
      let vs = List.filter_map (function Leaf -> None | Node (_, v, _) -> Some v) ts in
      let next = List.concat_map (function Leaf -> [] | Node (l, _, r) -> [ l; r ]) ts in
      if vs = [] then [] else vs :: go next in
  go [ t ]

let rec paths = function
  | Leaf -> []
  | Node (Leaf, v, Leaf) -> [ [ v ] ]
  | Node (l, v, r) -> List.map (List.cons v) (paths l @ paths r)

let rec draw indent = function
  | Leaf -> ()
  | Node (l, v, r) ->
    draw (indent ^ "    ") r;
    Printf.printf "%s%d\n" indent v;
    draw (indent ^ "    ") l

let () =
  let t = List.fold_left (fun t x -> insert compare x t) Leaf [ 50; 30; 70; 20; 40; 60; 80; 30 ] in
  let show l = String.concat " " (List.map string_of_int l) in
  Printf.printf "%d %d\n" (size t) (height t);
  print_endline (show (inorder t)); print_endline (show (preorder t)); print_endline (show (postorder t));
  print_endline (show (inorder (mirror t)));
  print_endline (String.concat " / " (List.map show (levels t)));
  List.iter (fun p -> print_endline (show p)) (paths t);
  draw "" t;
  print_endline (String.concat "," (inorder (map (fun x -> "n" ^ string_of_int (x / 10)) t)));
  let by_len = List.fold_left (fun t s -> insert (fun a b -> compare (String.length a) (String.length b)) s t) Leaf [ "aaa"; "b"; "cc"; "ddd" ] in
  print_endline (String.concat " " (inorder by_len));
  Printf.printf "%b\n" (mirror (mirror t) = t)
