(* Many small trees are built, counted and dropped; one large tree stays. *)

type tree = Empty | Node of tree * tree

let rec make depth =
  if depth = 0 then Node (Empty, Empty) else Node (make (depth - 1), make (depth - 1))

let rec count = function Empty -> 0 | Node (l, r) -> 1 + count l + count r

let () =
  let min_depth = 4 and max_depth = 19 in
  Printf.printf "stretch %d\n" (count (make (max_depth + 1)));
  let long_lived = make max_depth in
  let depth = ref min_depth in
  while !depth <= max_depth do
    let iterations = 1 lsl (max_depth - !depth + min_depth) in
    let total = ref 0 in
    for _ = 1 to iterations do
      total := !total + count (make !depth)
    done;
    Printf.printf "%d trees of depth %d: %d\n" iterations !depth !total;
    depth := !depth + 2
  done;
  Printf.printf "long lived %d\n" (count long_lived)
