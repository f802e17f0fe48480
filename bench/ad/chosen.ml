(* Layers whose functions are chosen at run time, from a list and by a branch.
   usage: chosen (primal|gradient) ROUNDS *)

let width = 32
let rounds = 40

let layers : (float -> float) list =
  [ (fun x -> x *. x); (fun x -> 0.5 *. (x +. abs_float x)); (fun x -> x /. (1.0 +. (x *. x))) ]

let loss w =
  let total = ref 0.0 in
  for r = 0 to rounds - 1 do
    let squash = if r land 1 = 0 then fun x -> x /. (1.0 +. abs_float x) else fun x -> 0.9 *. x in
    for i = 0 to width - 1 do
      let x = List.fold_left (fun x f -> f x) (w.(i) +. (0.01 *. float r)) layers in
      total := !total +. squash (x *. w.((i + r) mod width))
    done
  done;
  !total

let () =
  let w = Array.init width (fun _ -> Harness.random ()) in
  Harness.run ~primal:loss ~gradient:(fun w -> Ad.gradient loss w) w
