(* A formula as a tree, evaluated by recursion over 64 samples: what decision trees and symbolic regression do.
   usage: tree (primal|gradient) ROUNDS *)

type tree =
  | Leaf of int
  | Input of int
  | Sum of tree * tree
  | Product of tree * tree
  | Squash of tree

let parameters = 64
let inputs = 4
let samples = 64

let rec make depth next =
  if depth = 0 then if next land 1 = 0 then Leaf (next mod parameters) else Input (next mod inputs)
  else
    let left = make (depth - 1) (2 * next) and right = make (depth - 1) ((2 * next) + 1) in
    match next mod 3 with
    | 0 -> Sum (left, right)
    | 1 -> Product (left, right)
    | _ -> Squash (Sum (left, right))

let formula = make 7 1
let data = Array.init samples (fun _ -> Array.init inputs (fun _ -> Harness.random ()))

let rec eval w x = function
  | Leaf i -> w.(i)
  | Input i -> x.(i)
  | Sum (a, b) -> eval w x a +. eval w x b
  | Product (a, b) -> eval w x a *. eval w x b
  | Squash a ->
      let v = eval w x a in
      v /. (1.0 +. abs_float v)

let loss w =
  let total = ref 0.0 in
  for s = 0 to samples - 1 do
    let error = eval w data.(s) formula -. 0.25 in
    total := !total +. (error *. error)
  done;
  !total

let () =
  let w = Array.init parameters (fun _ -> Harness.random ()) in
  Harness.run ~primal:loss ~gradient:(fun w -> Ad.gradient loss w) w
