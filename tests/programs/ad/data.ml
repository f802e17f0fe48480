(* covers: K10
   Gradients with respect to records, tuples, lists and other data: the compiler finds their numbers. *)

let show a = print_endline (String.concat " " (List.map (Printf.sprintf "%.6g") a))

type layer = { weights : float array; bias : float; mutable scale : float; name : string; units : int }
type tree = Leaf of float | Node of tree * tree | Empty

let layer = { weights = [| 1.0; 2.0 |]; bias = 0.5; scale = 3.0; name = "first"; units = 2 }

let output l = ((l.weights.(0) *. l.weights.(1)) +. l.bias) *. l.scale

let rec total = function Leaf x -> x *. x | Node (a, b) -> total a *. total b | Empty -> 1.0

let rec leaves = function Leaf x -> [ x ] | Node (a, b) -> leaves a @ leaves b | Empty -> []

let () =
  let g = Ad.gradient_of output layer in
  show (Array.to_list g.weights @ [ g.bias; g.scale ]);
  Printf.printf "%s %d\n" g.name g.units;
  let value, _ = Ad.value_and_gradient_of output layer in
  show [ value ];
  let dx, (dy, k, dz) = Ad.gradient_of (fun (x, (y, k, z)) -> x *. y *. z *. float k) (2.0, (3.0, 7, 5.0)) in
  Printf.printf "%g %g %d %g\n" dx dy k dz;
  show (Ad.gradient_of (fun l -> List.fold_left (fun t x -> t *. x) 1.0 l) [ 1.0; 2.0; 3.0 ]);
  show (leaves (Ad.gradient_of total (Node (Leaf 2.0, Node (Empty, Leaf 3.0)))));
  (match Ad.gradient_of (function Some x -> x *. x | None -> 0.0) (Some 4.0) with
  | Some d -> show [ d ]
  | None -> print_endline "none");
  Array.iter
    (fun row -> show (Array.to_list row))
    (Ad.gradient_of (fun m -> m.(0).(0) *. m.(1).(1)) [| [| 2.0; 3.0 |]; [| 4.0; 5.0 |] |]);
  show [ Ad.gradient_of (fun x -> x *. x) 3.0 ]

(* A training step on a record. *)
let () =
  let loss l = (output l -. 2.0) ** 2.0 in
  let rec train n l =
    if n = 0 then l
    else
      let g = Ad.gradient_of loss l in
      let at = Array.mapi (fun i w -> w -. (0.002 *. g.weights.(i))) l.weights in
      train (n - 1) { l with weights = at; bias = l.bias -. (0.002 *. g.bias); scale = l.scale -. (0.002 *. g.scale) }
  in
  Printf.printf "%.4f\n" (output (train 300 layer))

(* Second derivatives of a record's function. *)
let () =
  let curvature = Ad.derivative (fun b -> (Ad.gradient_of (fun l -> exp l.bias *. l.scale) { layer with bias = b }).bias) 0.0 in
  show [ curvature ]
