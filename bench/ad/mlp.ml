(* The loss of a multilayer perceptron, 16-32-1 with tanh, over 64 samples.
   usage: mlp (primal|gradient|fast) ROUNDS, where fast is the gradient with [Ad.fast_tanh] *)

let inputs = 16
let hidden = 32
let samples = 64
let parameters = (hidden * inputs) + hidden + hidden + 1

let data = Array.init samples (fun _ -> Array.init inputs (fun _ -> Harness.random ()))
let target = Array.init samples (fun _ -> Harness.random ())

let predict tanh w x =
  let result = ref w.(parameters - 1) in
  for j = 0 to hidden - 1 do
    let sum = ref w.((hidden * inputs) + j) in
    for i = 0 to inputs - 1 do
      sum := !sum +. (w.((j * inputs) + i) *. x.(i))
    done;
    result := !result +. (w.((hidden * inputs) + hidden + j) *. tanh !sum)
  done;
  !result

let loss tanh w =
  let total = ref 0.0 in
  for s = 0 to samples - 1 do
    let error = predict tanh w data.(s) -. target.(s) in
    total := !total +. (error *. error)
  done;
  !total /. float samples

let () =
  let w = Array.init parameters (fun _ -> Harness.random ()) in
  let primal w = loss tanh w in
  if Sys.argv.(1) = "fast" then Harness.run ~primal ~gradient:(fun w -> Ad.gradient (fun w -> loss Ad.fast_tanh w) w) w
  else Harness.run ~primal ~gradient:(fun w -> Ad.gradient (fun w -> loss tanh w) w) w
