(* The Lotka-Volterra equations by 1000 Runge-Kutta steps; derivatives with respect to the four rates and
   the start.  usage: ode (primal|gradient|derivative) ROUNDS *)

let steps = 1000
let h = 0.01

let run a b c d x0 y0 =
  let rec go n x y =
    if n = 0 then (x *. x) +. y
    else begin
      let fx x y = (a *. x) -. (b *. x *. y) and fy x y = (d *. x *. y) -. (c *. y) in
      let k1 = fx x y and l1 = fy x y in
      let x2 = x +. (0.5 *. h *. k1) and y2 = y +. (0.5 *. h *. l1) in
      let k2 = fx x2 y2 and l2 = fy x2 y2 in
      let x3 = x +. (0.5 *. h *. k2) and y3 = y +. (0.5 *. h *. l2) in
      let k3 = fx x3 y3 and l3 = fy x3 y3 in
      let x4 = x +. (h *. k3) and y4 = y +. (h *. l3) in
      let k4 = fx x4 y4 and l4 = fy x4 y4 in
      go (n - 1)
        (x +. (h /. 6.0 *. (k1 +. (2.0 *. k2) +. (2.0 *. k3) +. k4)))
        (y +. (h /. 6.0 *. (l1 +. (2.0 *. l2) +. (2.0 *. l3) +. l4)))
    end
  in
  go steps x0 y0

let solve p = run p.(0) p.(1) p.(2) p.(3) p.(4) p.(5)

let () =
  Harness.run ~primal:solve
    ~gradient:(fun p -> Ad.gradient solve p)
    ~derivative:(fun a -> Ad.derivative (fun a -> run a 0.4 0.4 0.1 2.0 1.0) a)
    [| 1.1; 0.4; 0.4; 0.1; 2.0; 1.0 |]
