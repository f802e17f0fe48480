(* Ropes: concatenation trees, indexing, splitting, rebalancing, iteration. *)

type rope =
  | Leaf of string
  | Cat of { l : rope; r : rope; len : int; depth : int }

let length = function Leaf s -> String.length s | Cat { len; _ } -> len
let depth = function Leaf _ -> 0 | Cat { depth; _ } -> depth

let cat a b =
  match a, b with
  | Leaf "", r | r, Leaf "" -> r
  | Leaf s, Leaf t when String.length s + String.length t <= 8 -> Leaf (s ^ t)
  | _ -> Cat { l = a; r = b; len = length a + length b; depth = 1 + max (depth a) (depth b) }

let rec get t i =
  match t with
  | Leaf s -> s.[i]
  | Cat { l; r; _ } ->
    let n = length l in
    if i < n then get l i else get r (i - n)

let rec split t i =
  match t with
  | Leaf s -> (Leaf (String.sub s 0 i), Leaf (String.sub s i (String.length s - i)))
  | Cat { l; r; _ } ->
    let n = length l in
    if i < n then let a, b = split l i in (a, cat b r)
    else let a, b = split r (i - n) in (cat l a, b)

let insert t i s = let a, b = split t i in cat (cat a (Leaf s)) b
let delete t i n = let a, b = split t i in let _, c = split b n in cat a c

let rec fold_leaves f acc = function
  | Leaf s -> f acc s
  | Cat { l; r; _ } -> fold_leaves f (fold_leaves f acc l) r

let to_string t =
  let b = Buffer.create (length t) in
  fold_leaves (fun () s -> Buffer.add_string b s) () t;
  Buffer.contents b

let leaves t = List.rev (fold_leaves (fun acc s -> s :: acc) [] t)

let rebalance t =
  let a = Array.of_list (leaves t) in
  let rec build lo hi =
    if hi - lo = 1 then Leaf a.(lo)
    else let mid = (lo + hi) / 2 in cat (build lo mid) (build mid hi) in
  build 0 (Array.length a)

let () =
  let t = List.fold_left (fun t w -> cat t (Leaf w)) (Leaf "")
      [ "The quick "; "brown fox "; "jumps over "; "the lazy "; "dog." ] in
  Printf.printf "%s (%d chars, depth %d)\n" (to_string t) (length t) (depth t);
  let t = insert t 10 "and very " in
  print_endline (to_string t);
  let t = delete t 0 4 in
  print_endline (to_string t);
  Printf.printf "%c%c%c\n" (get t 0) (get t 6) (get t (length t - 1));
  let many = ref (Leaf "") in
  for i = 1 to 200 do many := cat !many (Leaf (Printf.sprintf "<%03d>    " i)) done;
  let b = rebalance !many in
  Printf.printf "depth %d -> %d, same %b\n" (depth !many) (depth b) (to_string !many = to_string b);
  (match get b 5000 with
   | c -> Printf.printf "%c\n" c
   | exception Invalid_argument m -> print_endline m);
  let x, y = split b 900 in
  Printf.printf "%d + %d\n" (length x) (length y)
