(* A search that is left by an exception, and steps that may fail and are handled.
   usage: handlers (primal|gradient) ROUNDS *)

exception Done of int
exception Too_large

let knots = 64
let samples = 256
let at = Array.init samples (fun _ -> (Harness.random () +. 0.5) *. float (knots - 1))

(* The interval of a point, by a loop that is left. *)
let place x =
  try
    for i = 0 to knots - 2 do
      if x < float (i + 1) then raise (Done i)
    done;
    knots - 2
  with Done i -> i

let safe_ratio a b = if abs_float b < 1e-3 then raise Too_large else a /. b

let loss w =
  let total = ref 0.0 in
  for s = 0 to samples - 1 do
    let x = at.(s) in
    let i = place x in
    let t = x -. float i in
    let value = ((1.0 -. t) *. w.(i)) +. (t *. w.(i + 1)) in
    let term = try safe_ratio value (1.0 +. (w.(i) *. w.(i + 1))) with Too_large -> value in
    total := !total +. (term *. term)
  done;
  !total

let () =
  let w = Array.init knots (fun _ -> Harness.random ()) in
  Harness.run ~primal:loss ~gradient:(fun w -> Ad.gradient loss w) w
