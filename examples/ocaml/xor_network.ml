(* A multilayer perceptron learns XOR by gradient descent; the derivative of the loss is taken
   by the compiler. *)

let inputs = 2
let hidden = 4
let parameters = (hidden * (inputs + 1)) + hidden + 1
let examples = [ ([| 0.0; 0.0 |], 0.0); ([| 0.0; 1.0 |], 1.0); ([| 1.0; 0.0 |], 1.0); ([| 1.0; 1.0 |], 0.0) ]
let sigmoid x = 1.0 /. (1.0 +. exp (-.x))

(* The weights of the network stand in one array. *)
let predict w x =
  let unit j =
    let start = j * (inputs + 1) in
    let sum = ref w.(start + inputs) in
    Array.iteri (fun i x -> sum := !sum +. (w.(start + i) *. x)) x;
    tanh !sum
  in
  let start = hidden * (inputs + 1) in
  let sum = ref w.(start + hidden) in
  for j = 0 to hidden - 1 do
    sum := !sum +. (w.(start + j) *. unit j)
  done;
  sigmoid !sum

let loss w =
  let error total (x, wanted) =
    let difference = predict w x -. wanted in
    total +. (difference *. difference)
  in
  List.fold_left error 0.0 examples

let train steps rate w =
  for step = 1 to steps do
    let value, gradient = Ad.value_and_gradient loss w in
    if step mod 500 = 1 then Printf.printf "step %4d  loss %.6f\n" step value;
    Array.iteri (fun i g -> w.(i) <- w.(i) -. (rate *. g)) gradient
  done

let () =
  let seed = ref 42 in
  let random () =
    seed := ((!seed * 1103515245) + 12345) land 0x3FFFFFFF;
    (2.0 *. float !seed /. float 0x3FFFFFFF) -. 1.0
  in
  let w = Array.init parameters (fun _ -> random ()) in
  train 2001 0.5 w;
  List.iter
    (fun (x, _) -> Printf.printf "%g xor %g = %g\n" x.(0) x.(1) (Float.round (predict w x)))
    examples;
  print_endline (if loss w < 0.01 then "learned" else "not learned")
