(* The log-likelihood of a mixture of 8 Gaussians with diagonal covariance in 8 dimensions, 200 points.
   usage: gmm (primal|gradient) ROUNDS *)

let d = 8
let k = 8
let n = 200
let parameters = k + (k * d) + (k * d)
let seed = ref 12345

let random () =
  seed := ((!seed * 1103515245) + 12345) land 0x3FFFFFFF;
  (float !seed /. float 0x3FFFFFFF) -. 0.5

let points = Array.init n (fun _ -> Array.init d (fun _ -> random ()))

let log_sum_exp a =
  let best = ref a.(0) in
  for i = 1 to Array.length a - 1 do
    if a.(i) > !best then best := a.(i)
  done;
  let best = !best in
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
  for s = 0 to n - 1 do
    let x = points.(s) in
    for j = 0 to k - 1 do
      let sum = ref p.(j) in
      for i = 0 to d - 1 do
        let scale = p.(k + (k * d) + (j * d) + i) in
        let z = (x.(i) -. p.(k + (j * d) + i)) *. exp scale in
        sum := !sum +. scale -. (0.5 *. z *. z)
      done;
      terms.(j) <- !sum
    done;
    total := !total +. log_sum_exp terms -. normal
  done;
  !total

let () =
  let rounds = int_of_string Sys.argv.(2) in
  let p = Array.init parameters (fun _ -> random ()) in
  let check = ref 0.0 in
  (match Sys.argv.(1) with
  | "primal" ->
      for _ = 1 to rounds do
        p.(0) <- p.(0) +. 1e-6;
        check := !check +. likelihood p
      done
  | _ ->
      for i = 1 to rounds do
        p.(0) <- p.(0) +. 1e-6;
        let g = Ad.gradient likelihood p in
        check := !check +. g.(i mod parameters)
      done);
  Printf.printf "%.10g\n" !check
