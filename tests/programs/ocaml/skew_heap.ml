(* Skew heap and pairing heap behind one signature, with a shared test functor. *)

module type HEAP = sig
  type 'a t
  val empty : 'a t
  val insert : 'a -> 'a t -> 'a t
  val merge : 'a t -> 'a t -> 'a t
  val take : 'a t -> ('a * 'a t) option
end

module Skew : HEAP = struct
  type 'a t = Nil | Node of 'a t * 'a * 'a t
  let empty = Nil
  let rec merge a b =
    match a, b with
    | Nil, h | h, Nil -> h
    | Node (l, x, r), Node (_, y, _) when x <= y -> Node (merge b r, x, l)
    | _ -> merge b a
  let insert x h = merge (Node (Nil, x, Nil)) h
  let take = function Nil -> None | Node (l, x, r) -> Some (x, merge l r)
end

module Pairing : HEAP = struct
  type 'a t = Empty | Tree of 'a * 'a t list
  let empty = Empty
  let merge a b =
    match a, b with
    | Empty, h | h, Empty -> h
    | Tree (x, xs), Tree (y, ys) -> if x <= y then Tree (x, b :: xs) else Tree (y, a :: ys)
  let insert x h = merge (Tree (x, [])) h
  let rec pairs = function
    | [] -> Empty
    | [ h ] -> h
    | a :: b :: rest -> merge (merge a b) (pairs rest)
  let take = function Empty -> None | Tree (x, hs) -> Some (x, pairs hs)
end

module Test (H : HEAP) = struct
  let of_list l = List.fold_left (fun h x -> H.insert x h) H.empty l
  let rec drain h = match H.take h with None -> [] | Some (x, h) -> x :: drain h
  let run name =
    let a = of_list [ 5; 2; 8; 1 ] and b = of_list [ 7; 3; 2; 9 ] in
    let m = H.merge a b in
    Printf.printf "%s: %s\n" name (String.concat " " (List.map string_of_int (drain m)));
    (* persistence: a is unchanged *)
    Printf.printf "%s: %d left in a\n" name (List.length (drain a));
    print_endline (String.concat " " (drain (of_list [ "x"; "a"; "m" ])));
    let n = 500 in
    let l = drain (of_list (List.init n (fun i -> i * 7919 mod n))) in
    Printf.printf "%s: sorted %b\n" name (l = List.init n Fun.id)
end

module S = Test (Skew)
module P = Test (Pairing)

let () =
  S.run "skew";
  P.run "pairing"
