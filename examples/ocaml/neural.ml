(* Small networks trained by gradients that the compiler derives: a perceptron, logistic regression on data that is
   made here, a recurrent net. With the argument `--plot` the loss curves go to loss.svg and the
   decision boundary of the regression to boundary.svg.
   oxbow run examples/ocaml/neural.ml --plot *)

let seed = ref 7

let random () =
  seed := ((!seed * 1103515245) + 12345) land 0x3FFFFFFF;
  (2.0 *. float !seed /. float 0x3FFFFFFF) -. 1.0

let sigmoid x = 1.0 /. (1.0 +. exp (-.x))

(* Gradient descent on any loss; answers the parameters and the losses on the way. *)
let train loss rate steps w =
  let w = Array.copy w in
  let curve =
    Array.init steps (fun _ ->
        let value, gradient = Ad.value_and_gradient loss w in
        Array.iteri (fun i g -> w.(i) <- w.(i) -. (rate *. g)) gradient;
        value)
  in
  (w, curve)

(* --- perceptron: is a point above the line y = x / 2 + 0.1? --- *)

let points = Array.init 60 (fun _ -> (random (), random ()))
let above (x, y) = y > (0.5 *. x) +. 0.1

(* The loss of a perceptron: how far points are on the wrong side. *)
let perceptron_loss w =
  Array.fold_left
    (fun total ((x, y) as point) ->
      let side = (w.(0) *. x) +. (w.(1) *. y) +. w.(2) in
      let margin = 0.1 -. if above point then side else -.side in
      if margin > 0.0 then total +. margin else total)
    0.0 points

let right w =
  Array.fold_left
    (fun n ((x, y) as point) ->
      if (w.(0) *. x) +. (w.(1) *. y) +. w.(2) > 0.0 = above point then n + 1 else n)
    0 points

(* --- logistic regression: two clouds of points --- *)

let cloud =
  Array.init 80 (fun i ->
      let label = float (i mod 2) in
      let centre = if i mod 2 = 0 then -0.5 else 0.5 in
      (centre +. (0.6 *. random ()), centre +. (0.6 *. random ()), label))

let logistic_loss w =
  Array.fold_left
    (fun total (x, y, label) ->
      let p = sigmoid ((w.(0) *. x) +. (w.(1) *. y) +. w.(2)) in
      total -. (label *. log p) -. ((1.0 -. label) *. log (1.0 -. p)))
    0.0 cloud
  /. float (Array.length cloud)

let accuracy w =
  let good =
    Array.fold_left
      (fun n (x, y, label) ->
        if sigmoid ((w.(0) *. x) +. (w.(1) *. y) +. w.(2)) > 0.5 = (label > 0.5) then n + 1 else n)
      0 cloud
  in
  100 * good / Array.length cloud

(* --- a recurrent net predicts the next value of a wave --- *)

let units = 4
let wave = Array.init 30 (fun t -> sin (0.4 *. float t))

(* Weights: of the input, between the units, of the output. *)
let recurrent_loss w =
  let between = units and out = units + (units * units) in
  let h = ref (Array.make units 0.0) in
  let total = ref 0.0 in
  for t = 0 to Array.length wave - 2 do
    let old = !h in
    h :=
      Array.init units (fun i ->
          let sum = ref (w.(i) *. wave.(t)) in
          for j = 0 to units - 1 do
            sum := !sum +. (w.(between + (i * units) + j) *. old.(j))
          done;
          tanh !sum);
    let guess = ref 0.0 in
    for i = 0 to units - 1 do
      guess := !guess +. (w.(out + i) *. !h.(i))
    done;
    let error = !guess -. wave.(t + 1) in
    total := !total +. (error *. error)
  done;
  !total /. float (Array.length wave)

(* --- drawings --- *)

let boundary w =
  let of_label wanted =
    let chosen = List.filter (fun (_, _, label) -> label = wanted) (Array.to_list cloud) in
    Array.of_list (List.map (fun (x, y, _) -> (x, y)) chosen)
  in
  let y x = -.((w.(0) *. x) +. w.(2)) /. w.(1) in
  let places = List.init 57 (fun i -> float (i - 28) /. 20.0) in
  let near = List.filter (fun (_, y) -> abs_float y < 1.5) (List.map (fun x -> (x, y x)) places) in
  [ Plot.points "0" (of_label 0.0); Plot.points "1" (of_label 1.0); Plot.line "boundary" (Array.of_list near) ]

let () =
  let start n = Array.init n (fun _ -> 0.5 *. random ()) in
  let p, _ = train perceptron_loss 0.02 200 (start 3) in
  Printf.printf "perceptron: %d of %d points on the right side\n" (right p) (Array.length points);
  let w, logistic = train logistic_loss 1.0 300 (start 3) in
  Printf.printf "logistic regression: loss %.3f to %.3f, %d%% right\n" logistic.(0) logistic.(299) (accuracy w);
  let _, recurrent = train recurrent_loss 0.05 1500 (start (units * (units + 2))) in
  Printf.printf "recurrent net: loss %s\n" (if recurrent.(1499) < 0.02 then "below 0.02" else string_of_float recurrent.(1499));
  if Array.length Sys.argv > 1 && Sys.argv.(1) = "--plot" then begin
    let curves = [ Plot.curve "regression" logistic; Plot.curve "recurrent" recurrent ] in
    Plot.save "loss.svg" (Plot.svg "Loss by step" curves);
    Plot.save "boundary.svg" (Plot.svg "Logistic regression" (boundary w));
    print_string (Plot.text 60 12 curves);
    print_endline "loss.svg and boundary.svg are written"
  end
