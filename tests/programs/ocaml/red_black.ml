(* Okasaki red-black trees: the four-case or-pattern, set operations, invariants. *)

type colour = R | B
type 'a tree = E | T of colour * 'a tree * 'a * 'a tree

let balance = function
  | B, T (R, T (R, a, x, b), y, c), z, d
  | B, T (R, a, x, T (R, b, y, c)), z, d
  | B, a, x, T (R, T (R, b, y, c), z, d)
  | B, a, x, T (R, b, y, T (R, c, z, d)) -> T (R, T (B, a, x, b), y, T (B, c, z, d))
  | c, l, v, r -> T (c, l, v, r)

let insert x t =
  let rec ins = function
    | E -> T (R, E, x, E)
    | T (c, l, v, r) as t ->
      if x < v then balance (c, ins l, v, r)
      else if x > v then balance (c, l, v, ins r)
      else t in
  match ins t with
  | T (_, l, v, r) -> T (B, l, v, r)
  | E -> assert false

let rec mem x = function
  | E -> false
  | T (_, l, v, r) -> if x < v then mem x l else x = v || mem x r

let rec fold f t acc = match t with
  | E -> acc
  | T (_, l, v, r) -> fold f r (f v (fold f l acc))

let of_list l = List.fold_left (fun t x -> insert x t) E l
let to_list t = List.rev (fold List.cons t [])

exception Broken of string

let black_height t =
  let rec go = function
    | E -> 1
    | T (R, T (R, _, _, _), _, _) | T (R, _, _, T (R, _, _, _)) -> raise (Broken "red-red")
    | T (c, l, _, r) ->
      let a = go l and b = go r in
      if a <> b then raise (Broken (Printf.sprintf "%d vs %d" a b));
      a + if c = B then 1 else 0 in
  go t

let rec height = function E -> 0 | T (_, l, _, r) -> 1 + max (height l) (height r)

let rec show = function
  | E -> "-"
  | T (c, l, v, r) ->
    Printf.sprintf "[%s %s%d %s]" (show l) (if c = R then "r" else "b") v (show r)

let () =
  let t = of_list [ 3; 1; 4; 1; 5; 9; 2; 6; 5; 3; 5; 8; 9; 7 ] in
  print_endline (show t);
  Printf.printf "black height %d, height %d\n" (black_height t) (height t);
  print_endline (String.concat "," (List.map string_of_int (to_list t)));
  Printf.printf "%b %b\n" (mem 6 t) (mem 10 t);
  let up = of_list (List.init 1000 Fun.id) in
  Printf.printf "ascending: %d high, black %d, sum %d\n" (height up) (black_height up) (fold ( + ) up 0);
  let words = of_list [ "the"; "cat"; "sat"; "on"; "the"; "mat" ] in
  print_endline (String.concat " " (to_list words));
  let broken = T (B, T (R, T (R, E, 1, E), 2, E), 3, E) in
  (try ignore (black_height broken) with Broken m -> print_endline m);
  (try ignore (black_height (T (B, T (B, E, 1, E), 2, E))) with Broken m -> print_endline m);
  let pairs = of_list [ (2, "b"); (1, "z"); (2, "a"); (1, "a") ] in
  List.iter (fun (n, s) -> Printf.printf "%d%s " n s) (to_list pairs);
  print_newline ()
