(* The loss of a diagonal LSTM cell with 16 units over a sequence of 50 steps.
   usage: lstm (primal|gradient) ROUNDS *)

let units = 16
let steps = 50
let per_gate = 3 * units
let parameters = 4 * per_gate
let sequence = Array.init (steps + 1) (fun _ -> Array.init units (fun _ -> Harness.random ()))
let sigmoid x = 1.0 /. (1.0 +. exp (-.x))

(* A gate sees its own input and output. *)
let gate p g i x h =
  let at = (g * per_gate) + i in
  (p.(at) *. x) +. (p.(at + units) *. h) +. p.(at + (2 * units))

let loss p =
  let h = Array.make units 0.0 and c = Array.make units 0.0 in
  let total = ref 0.0 in
  for t = 0 to steps - 1 do
    let x = sequence.(t) and next = sequence.(t + 1) in
    for i = 0 to units - 1 do
      let forget = sigmoid (gate p 0 i x.(i) h.(i)) in
      let input = sigmoid (gate p 1 i x.(i) h.(i)) in
      let output = sigmoid (gate p 2 i x.(i) h.(i)) in
      let change = tanh (gate p 3 i x.(i) h.(i)) in
      c.(i) <- (forget *. c.(i)) +. (input *. change);
      h.(i) <- output *. tanh c.(i);
      let error = h.(i) -. next.(i) in
      total := !total +. (error *. error)
    done
  done;
  !total

let () =
  let w = Array.init parameters (fun _ -> Harness.random ()) in
  Harness.run ~primal:loss ~gradient:(fun w -> Ad.gradient loss w) w
