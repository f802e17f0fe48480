(* Huffman coding: priority queue by sorted lists, bit strings, canonical table. *)

type tree = Leaf of int * char | Node of int * tree * tree

let weight = function Leaf (w, _) | Node (w, _, _) -> w

let rec least = function
  | Leaf (_, c) -> c
  | Node (_, l, r) -> min (least l) (least r)

let order a b =
  match compare (weight a) (weight b) with
  | 0 -> compare (least a) (least b)
  | c -> c

let rec insert t = function
  | [] -> [ t ]
  | x :: rest as l -> if order t x <= 0 then t :: l else x :: insert t rest

let build s =
  let freq = Array.make 256 0 in
  String.iter (fun c -> freq.(Char.code c) <- freq.(Char.code c) + 1) s;
  let leaves = ref [] in
  Array.iteri (fun i w -> if w > 0 then leaves := insert (Leaf (w, Char.chr i)) !leaves) freq;
  let rec combine = function
    | [] -> invalid_arg "empty"
    | [ t ] -> t
    | a :: b :: rest -> combine (insert (Node (weight a + weight b, a, b)) rest) in
  combine !leaves

let codes tree =
  let rec go prefix acc = function
    | Leaf (_, c) -> (c, if prefix = "" then "0" else prefix) :: acc
    | Node (_, l, r) -> go (prefix ^ "1") (go (prefix ^ "0") acc l) r in
  List.rev (go "" [] tree)

let encode table s =
  let b = Buffer.create 100 in
  String.iter (fun c -> Buffer.add_string b (List.assoc c table)) s;
  Buffer.contents b

let decode tree bits =
  let b = Buffer.create 32 in
  let rec go t i =
    match t with
    | Leaf (_, c) -> Buffer.add_char b c; start (match tree with Leaf _ -> i + 1 | _ -> i)
    | Node (_, l, r) ->
      if i < String.length bits then go (if bits.[i] = '0' then l else r) (i + 1)
  and start i = if i < String.length bits then go tree i in
  start 0;
  Buffer.contents b

let () =
  List.iter (fun s ->
      let tree = build s in
      let table = codes tree in
      let bits = encode table s in
      List.iter (fun (c, code) -> Printf.printf "%C:%s " c code) table;
      Printf.printf "\n%d bits instead of %d, ok %b\n" (String.length bits) (8 * String.length s)
        (decode tree bits = s))
    [ "abracadabra"; "she sells sea shells on the sea shore"; "zzzz"; "ab" ];
  match build "" with
  | _ -> print_endline "?"
  | exception Invalid_argument m -> print_endline m
