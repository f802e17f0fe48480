(* A persistent balanced tree: pattern matching on nested constructors. *)

type color = Red | Black
type 'a tree = Leaf | Node of color * 'a tree * int * 'a * 'a tree

let balance_left l key value r =
  match l with
  | Node (Red, Node (Red, a, kx, vx, b), ky, vy, c) ->
      Node (Red, Node (Black, a, kx, vx, b), ky, vy, Node (Black, c, key, value, r))
  | Node (Red, a, kx, vx, Node (Red, b, ky, vy, c)) ->
      Node (Red, Node (Black, a, kx, vx, b), ky, vy, Node (Black, c, key, value, r))
  | _ -> Node (Black, l, key, value, r)

let balance_right l key value r =
  match r with
  | Node (Red, Node (Red, b, ky, vy, c), kz, vz, d) ->
      Node (Red, Node (Black, l, key, value, b), ky, vy, Node (Black, c, kz, vz, d))
  | Node (Red, b, ky, vy, Node (Red, c, kz, vz, d)) ->
      Node (Red, Node (Black, l, key, value, b), ky, vy, Node (Black, c, kz, vz, d))
  | _ -> Node (Black, l, key, value, r)

let insert key value tree =
  let rec go = function
    | Leaf -> Node (Red, Leaf, key, value, Leaf)
    | Node (color, l, k, v, r) ->
        if key < k then
          if color = Black then balance_left (go l) k v r else Node (Red, go l, k, v, r)
        else if key > k then
          if color = Black then balance_right l k v (go r) else Node (Red, l, k, v, go r)
        else Node (color, l, k, value, r)
  in
  match go tree with Node (_, l, k, v, r) -> Node (Black, l, k, v, r) | Leaf -> Leaf

let rec fold f tree acc =
  match tree with Leaf -> acc | Node (_, l, k, v, r) -> fold f r (f k v (fold f l acc))

let rec find key default = function
  | Leaf -> default
  | Node (_, l, k, v, r) ->
      if key < k then find key default l else if key > k then find key default r else v

let () =
  let total = ref 0 in
  for round = 1 to 5 do
    let tree = ref Leaf in
    let seed = ref round in
    for i = 1 to 200_000 do
      seed := ((!seed * 1103515245) + 12345) land 0x3fffffff;
      tree := insert (!seed lsr 8) (i land 1 = 0) !tree
    done;
    total := fold (fun k v acc -> if v then acc + k else acc - 1) !tree !total;
    for i = 1 to 400_000 do
      if find (i * 7) false !tree then incr total
    done
  done;
  Printf.printf "%d\n" !total
