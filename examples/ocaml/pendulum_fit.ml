(* Finds the length and the damping of a pendulum from observed angles: least squares through an
   integrator, by Newton's method with exact second derivatives. *)

let dt = 0.05
let steps = 60

(* Semi-implicit Euler steps; the angles every tenth step. *)
let simulate length damping =
  let rec go n angle speed seen =
    if n > steps then List.rev seen
    else
      let force = (-9.81 /. length *. sin angle) -. (damping *. speed) in
      let speed = speed +. (dt *. force) in
      let angle = angle +. (dt *. speed) in
      go (n + 1) angle speed (if n mod 10 = 0 then angle :: seen else seen)
  in
  go 1 1.0 0.0 []

let observed = simulate 1.3 0.2

let misfit p =
  List.fold_left2
    (fun total a b -> total +. ((a -. b) *. (a -. b)))
    0.0
    (simulate p.(0) p.(1))
    observed

(* A step of Newton's method in two dimensions, damped towards the gradient. *)
let newton p =
  let g = Ad.gradient misfit p and h = Ad.hessian misfit p in
  let l = 1e-3 in
  let a = h.(0).(0) +. l and b = h.(0).(1) and c = h.(1).(0) and d = h.(1).(1) +. l in
  let det = (a *. d) -. (b *. c) in
  [| p.(0) -. (((d *. g.(0)) -. (b *. g.(1))) /. det); p.(1) -. (((a *. g.(1)) -. (c *. g.(0))) /. det) |]

let () =
  let p = ref [| 1.2; 0.3 |] in
  for i = 0 to 8 do
    Printf.printf "%d  length %.6f  damping %.6f  misfit %.1e\n" i !p.(0) !p.(1) (let m = misfit !p in if m < 1e-12 then 0.0 else m);
    p := newton !p
  done;
  Printf.printf "length %.4f, damping %.4f\n" !p.(0) !p.(1)
