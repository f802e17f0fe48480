(* The log-likelihood of a mixture of 8 Gaussians with diagonal covariance in 8 dimensions, 200 points.
   usage: gmm (primal|gradient) ROUNDS *)

let d = 8
let k = 8
let n = 200
let parameters = k + (k * d) + (k * d)
let points = Array.init n (fun _ -> Array.init d (fun _ -> Harness.random ()))

let log_sum_exp a =
  let best = ref a.(0) in
  for i = 1 to Array.length a - 1 do
    if a.(i) > !best then best := a.(i)
  done;
  (* The result does not depend on what is taken out of the sum. *)
  let best = Ad.constant !best in
  let sum = ref 0.0 in
  for i = 0 to Array.length a - 1 do
    sum := !sum +. exp (a.(i) -. best)
  done;
  best +. log !sum

let likelihood p =
  let weights = Array.init k (fun j -> p.(j)) in
  let normal = log_sum_exp weights in
  let total = ref 0.0 in
  let terms = Array.make k 0.0 in
  let factors = Array.init (k * d) (fun i -> exp p.(k + (k * d) + i)) in
  for s = 0 to n - 1 do
    let x = points.(s) in
    for j = 0 to k - 1 do
      let sum = ref p.(j) in
      for i = 0 to d - 1 do
        let scale = p.(k + (k * d) + (j * d) + i) in
        let z = (x.(i) -. p.(k + (j * d) + i)) *. factors.((j * d) + i) in
        sum := !sum +. scale -. (0.5 *. z *. z)
      done;
      terms.(j) <- !sum
    done;
    total := !total +. log_sum_exp terms -. normal
  done;
  !total

let () =
  let w = Array.init parameters (fun _ -> Harness.random ()) in
  Harness.run ~primal:likelihood ~gradient:(fun w -> Ad.gradient likelihood w) w
