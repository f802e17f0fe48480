(* Bundle adjustment: the error of 100 points seen by a camera with rotation, translation, focal length
   and radial distortion; derivatives with respect to the camera and the points.
   usage: reprojection (primal|gradient) ROUNDS *)

let points = 100
let parameters = 9 + (3 * points)
let seen = Array.init (2 * points) (fun _ -> Harness.random ())

(* Rodrigues' rotation of (x, y, z) about the vector (rx, ry, rz). *)
let rotate (rx, ry, rz) (x, y, z) =
  let angle = sqrt ((rx *. rx) +. (ry *. ry) +. (rz *. rz) +. 1e-12) in
  let c = cos angle and s = sin angle in
  let ux = rx /. angle and uy = ry /. angle and uz = rz /. angle in
  let dot = ((ux *. x) +. (uy *. y) +. (uz *. z)) *. (1.0 -. c) in
  ( (x *. c) +. (((uy *. z) -. (uz *. y)) *. s) +. (ux *. dot),
    (y *. c) +. (((uz *. x) -. (ux *. z)) *. s) +. (uy *. dot),
    (z *. c) +. (((ux *. y) -. (uy *. x)) *. s) +. (uz *. dot) )

let error p =
  let total = ref 0.0 in
  for i = 0 to points - 1 do
    let at = 9 + (3 * i) in
    let x, y, z = rotate (p.(0), p.(1), p.(2)) (p.(at), p.(at + 1), p.(at + 2)) in
    let x = x +. p.(3) and y = y +. p.(4) and z = z +. p.(5) +. 3.0 in
    let u = x /. z and v = y /. z in
    let r = (u *. u) +. (v *. v) in
    let distortion = 1.0 +. (r *. (p.(6) +. (p.(7) *. r))) in
    let scale = p.(8) *. distortion in
    let du = (scale *. u) -. seen.(2 * i) and dv = (scale *. v) -. seen.((2 * i) + 1) in
    total := !total +. (du *. du) +. (dv *. dv)
  done;
  !total

let () =
  let w = Array.init parameters (fun _ -> Harness.random ()) in
  Harness.run ~primal:error ~gradient:(fun w -> Ad.gradient error w) w
