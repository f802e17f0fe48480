(* A small convolutional net tells horizontal from vertical bars in noisy pictures of 8 by 8 points. Two filters of 3 by 3, a
   smooth maximum over the picture, one output; the gradient of the loss is the compiler's.
   With the argument `--plot` the loss curve goes to convolution.svg. *)

let side = 8
let filters = 2
let inner = side - 2

(* Weights: the filters, their biases, and the output's weights and bias. *)
let parameters = (filters * 9) + filters + filters + 1

let seed = ref 3

let random () =
  seed := ((!seed * 1103515245) + 12345) land 0x3FFFFFFF;
  (2.0 *. float !seed /. float 0x3FFFFFFF) -. 1.0

(* A bar of three points' length at a random place, and noise. *)
let picture vertical =
  let p = Array.init (side * side) (fun _ -> 0.15 *. random ()) in
  let place n = int_of_float ((random () +. 1.0) *. 0.5 *. float n) in
  let row = place (if vertical then side - 2 else side) in
  let column = place (if vertical then side else side - 2) in
  for i = 0 to 2 do
    let at = if vertical then ((row + i) * side) + column else (row * side) + column + i in
    p.(at) <- p.(at) +. 1.0
  done;
  p

let pictures = Array.init 40 (fun i -> (picture (i mod 2 = 0), if i mod 2 = 0 then 1.0 else 0.0))
let sigmoid x = 1.0 /. (1.0 +. exp (-.x))

let predict w p =
  let score = ref w.(parameters - 1) in
  for f = 0 to filters - 1 do
    (* The logarithm of a sum of exponentials is a smooth maximum. *)
    let sum = ref 0.0 in
    for y = 0 to inner - 1 do
      for x = 0 to inner - 1 do
        let found = ref w.((filters * 9) + f) in
        for dy = 0 to 2 do
          for dx = 0 to 2 do
            found := !found +. (w.((f * 9) + (dy * 3) + dx) *. p.(((y + dy) * side) + x + dx))
          done
        done;
        sum := !sum +. exp !found
      done
    done;
    score := !score +. (w.((filters * 10) + f) *. log !sum)
  done;
  sigmoid !score

let loss w =
  let total = ref 0.0 in
  for i = 0 to Array.length pictures - 1 do
    let p, wanted = pictures.(i) in
    let y = predict w p in
    total := !total -. ((wanted *. log y) +. ((1.0 -. wanted) *. log (1.0 -. y)))
  done;
  !total /. float (Array.length pictures)

let right w =
  Array.fold_left (fun n (p, wanted) -> if predict w p > 0.5 = (wanted > 0.5) then n + 1 else n) 0 pictures

let () =
  let w = Array.init parameters (fun _ -> 0.5 *. random ()) in
  let losses = ref [] in
  for step = 0 to 400 do
    let value, g = Ad.value_and_gradient loss w in
    losses := value :: !losses;
    if step mod 100 = 0 then Printf.printf "step %d: loss %.3f\n" step value;
    Array.iteri (fun i d -> w.(i) <- w.(i) -. (0.5 *. d)) g
  done;
  Printf.printf "%d of %d pictures are told apart\n" (right w) (Array.length pictures);
  if Array.length Sys.argv > 1 && Sys.argv.(1) = "--plot" then begin
    let curve = Plot.curve "loss" (Array.of_list (List.rev !losses)) in
    Plot.save "convolution.svg" (Plot.svg "Loss by step" [ curve ]);
    print_string (Plot.text 60 12 [ curve ])
  end
