(* covers: K12
   Training loops: a perceptron, logistic regression, a small recurrent net, all by gradient descent
   with closures over their data. *)

let seed = ref 7

let random () =
  seed := ((!seed * 1103515245) + 12345) land 0x3FFFFFFF;
  (2.0 *. float !seed /. float 0x3FFFFFFF) -. 1.0

let descend f start rate steps =
  let w = ref start in
  for _ = 1 to steps do
    let g = Ad.gradient f !w in
    w := Array.mapi (fun i x -> x -. (rate *. g.(i))) !w
  done;
  !w

let report name before after = Printf.printf "%s %s\n" name (if after < 0.1 *. before then "converges" else Printf.sprintf "%g to %g" before after)
let sigmoid x = 1.0 /. (1.0 +. exp (-.x))
let dot w x = Array.fold_left ( +. ) 0.0 (Array.mapi (fun i x -> w.(i) *. x) x)

(* A perceptron learns OR. *)
let () =
  let data = [ ([| 0.0; 0.0; 1.0 |], 0.0); ([| 0.0; 1.0; 1.0 |], 1.0); ([| 1.0; 0.0; 1.0 |], 1.0); ([| 1.0; 1.0; 1.0 |], 1.0) ] in
  let loss w = List.fold_left (fun total (x, y) -> let e = sigmoid (dot w x) -. y in total +. (e *. e)) 0.0 data in
  let start = [| 0.1; -0.1; 0.0 |] in
  report "perceptron" (loss start) (loss (descend loss start 1.0 600))

(* Logistic regression on points on two sides of a line. *)
let () =
  let points = List.init 40 (fun _ -> [| random (); random (); 1.0 |]) in
  let label x = if x.(0) +. (2.0 *. x.(1)) > 0.2 then 1.0 else 0.0 in
  let loss w =
    List.fold_left
      (fun total x ->
        let z = dot w x in
        total +. (log1p (exp z) -. (label x *. z)))
      0.0 points
    /. 40.0
  in
  let start = [| 0.0; 0.0; 0.0 |] in
  let w = descend loss start 3.0 800 in
  let right = List.length (List.filter (fun x -> (dot w x > 0.0) = (label x = 1.0)) points) in
  Printf.printf "logistic regression: %d of 40\n" right

(* A recurrent net with two units continues a wave. *)
let () =
  let wave = Array.init 20 (fun t -> sin (0.5 *. float t)) in
  let loss w =
    let h = ref (0.0, 0.0) and total = ref 0.0 in
    for t = 0 to 18 do
      let a, b = !h in
      let next k = tanh ((w.(k) *. wave.(t)) +. (w.(k + 1) *. a) +. (w.(k + 2) *. b) +. w.(k + 3)) in
      h := (next 0, next 4);
      let e = (w.(8) *. fst !h) +. (w.(9) *. snd !h) -. wave.(t + 1) in
      total := !total +. (e *. e)
    done;
    !total
  in
  let start = Array.init 10 (fun _ -> 0.5 *. random ()) in
  report "recurrent net" (loss start) (loss (descend loss start 0.02 1500))

(* An optimiser that takes closures: the function is called and differentiated. *)
let minimise f start =
  let rec go x step n =
    if n = 0 then x
    else
      let g = Ad.gradient f x in
      let next = Array.mapi (fun i x -> x -. (step *. g.(i))) x in
      if f next < f x then go next (1.5 *. step) (n - 1) else go x (0.5 *. step) (n - 1)
  in
  go start 0.1 200

let () =
  let x = minimise (fun x -> ((x.(0) -. 3.0) ** 2.0) +. (5.0 *. ((x.(1) +. 1.0) ** 2.0))) [| 0.0; 0.0 |] in
  Printf.printf "minimum at %.3f %.3f\n" x.(0) x.(1);
  let newton f x = let rec go n x = if n = 0 then x else go (n - 1) (x -. (Ad.derivative f x /. Ad.derivative (Ad.derivative f) x)) in go 8 x in
  Printf.printf "newton %.6f\n" (newton (fun x -> (x *. x) -. log x) 1.0)
