(* The multilayer perceptron of mlp.ml as users of libraries for networks write it: all samples at once, and a [tanh]
   that works on several numbers at once. The weights of the first layer stand in columns; the last row is
   that of the input that is always 1.
   usage: layers (primal|gradient) ROUNDS *)

let inputs = 16
let hidden = 32
let samples = 64
let first = (inputs + 1) * hidden
let parameters = first + hidden + 1

let data =
  let samples = Array.init samples (fun _ -> Array.init inputs (fun _ -> Harness.random ())) in
  Array.concat (List.map (fun it -> Array.append it [| 1.0 |]) (Array.to_list samples))

let target = Array.init samples (fun _ -> Harness.random ())

let loss w =
  let sums = Ad.matmul samples (inputs + 1) data (Array.sub w 0 first) in
  let results = Ad.matvec samples (Array.map Ad.fast_tanh sums) (Array.sub w first hidden) in
  let total = ref 0.0 in
  for s = 0 to samples - 1 do
    let error = results.(s) +. w.(parameters - 1) -. target.(s) in
    total := !total +. (error *. error)
  done;
  !total /. float samples

let () =
  let w = Array.init parameters (fun _ -> Harness.random ()) in
  (* As in mlp.ml, where the weights of a unit stand together. *)
  let place at =
    if at < inputs * hidden then (at mod hidden * inputs) + (at / hidden) else at
  in
  let columns = Array.mapi (fun at _ -> w.(place at)) w in
  Harness.run ~primal:loss ~gradient:(fun w -> Ad.gradient loss w) columns
