(* The loss of a multilayer perceptron, 16-32-1 with tanh, over 64 samples.
   usage: mlp (primal|gradient) ROUNDS *)

let inputs = 16
let hidden = 32
let samples = 64
let parameters = (hidden * inputs) + hidden + hidden + 1

let seed = ref 12345

let random () =
  seed := ((!seed * 1103515245) + 12345) land 0x3FFFFFFF;
  (float !seed /. float 0x3FFFFFFF) -. 0.5

let data = Array.init samples (fun _ -> Array.init inputs (fun _ -> random ()))
let target = Array.init samples (fun _ -> random ())

let predict w x =
  let result = ref w.(parameters - 1) in
  for j = 0 to hidden - 1 do
    let sum = ref w.((hidden * inputs) + j) in
    for i = 0 to inputs - 1 do
      sum := !sum +. (w.((j * inputs) + i) *. x.(i))
    done;
    result := !result +. (w.((hidden * inputs) + hidden + j) *. tanh !sum)
  done;
  !result

let loss w =
  let total = ref 0.0 in
  for s = 0 to samples - 1 do
    let error = predict w data.(s) -. target.(s) in
    total := !total +. (error *. error)
  done;
  !total /. float samples

let () =
  let rounds = int_of_string Sys.argv.(2) in
  let w = Array.init parameters (fun _ -> random ()) in
  let check = ref 0.0 in
  (match Sys.argv.(1) with
  | "primal" ->
      for i = 1 to rounds do
        w.(0) <- w.(0) +. 1e-6;
        check := !check +. loss w
      done
  | _ ->
      for i = 1 to rounds do
        w.(0) <- w.(0) +. 1e-6;
        let g = Ad.gradient loss w in
        check := !check +. g.(i mod parameters)
      done);
  Printf.printf "%.10g\n" !check
