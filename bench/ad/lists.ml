(* Numbers of the derivative in lists that are built at run time.
   usage: lists (primal|gradient) ROUNDS *)

let n = 128
let rounds = 8

let loss w =
  let start = Array.to_list w in
  let rec go r values =
    if r = 0 then List.fold_left ( +. ) 0.0 values
    else
      let doubled = List.map (fun x -> (1.1 *. x) -. (0.1 *. x *. x)) values in
      let kept = List.filter (fun x -> x > -0.6) doubled in
      go (r - 1) (List.rev kept)
  in
  go rounds start

let () =
  let w = Array.init n (fun _ -> Harness.random ()) in
  Harness.run ~primal:loss ~gradient:(fun w -> Ad.gradient loss w) w
