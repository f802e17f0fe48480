(* Adaptive quadrature: recursion that is no loop, over numbers.
   usage: recursion (primal|gradient) ROUNDS *)

let rec simpson f a fa b fb m fm whole tolerance depth =
  let l = 0.5 *. (a +. m) and r = 0.5 *. (m +. b) in
  let fl = f l and fr = f r in
  let left = (m -. a) /. 6.0 *. (fa +. (4.0 *. fl) +. fm) in
  let right = (b -. m) /. 6.0 *. (fm +. (4.0 *. fr) +. fb) in
  let both = left +. right in
  if depth = 0 || abs_float (both -. whole) < 15.0 *. tolerance then both +. ((both -. whole) /. 15.0)
  else
    simpson f a fa m fm l fl left (0.5 *. tolerance) (depth - 1)
    +. simpson f m fm b fb r fr right (0.5 *. tolerance) (depth - 1)

let loss p =
  let f x = p.(0) /. (p.(1) +. (x *. x *. (p.(2) +. (x *. p.(3))))) in
  let a = 0.0 and b = 4.0 in
  let m = 0.5 *. (a +. b) in
  let fa = f a and fb = f b and fm = f m in
  simpson f a fa b fb m fm ((b -. a) /. 6.0 *. (fa +. (4.0 *. fm) +. fb)) 1e-10 20

let () = Harness.run ~primal:loss ~gradient:(fun p -> Ad.gradient loss p) [| 1.0; 0.3; 2.0; 0.7 |]
