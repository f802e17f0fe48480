(* covers: K10
   Inputs of other types than arrays, and the mode that is not the usual one. *)

let show a = print_endline (String.concat " " (List.map (Printf.sprintf "%.6g") a))

type model = { slope : float; offset : float; name : string }

let () =
  show (Ad.gradient_list (fun l -> List.fold_left (fun t x -> t +. (x *. x *. x)) 0.0 l) [ 1.0; 2.0; 3.0 ]);
  show (Ad.gradient_list (fun _ -> 1.0) []);
  let dx, dy = Ad.gradient2 (fun x y -> x *. exp y) 2.0 0.0 in
  show [ dx; dy ];
  let dx, dy, dz = Ad.gradient3 (fun x y z -> x *. y *. z) 2.0 3.0 5.0 in
  show [ dx; dy; dz ];
  let dx, dy = Ad.gradient_pair (fun (x, y) -> (x *. x) -. y) (3.0, 4.0) in
  show [ dx; dy ];
  let dx, dy, dz = Ad.gradient_triple (fun (x, y, z) -> x +. (y *. sin z)) (1.0, 2.0, 0.0) in
  show [ dx; dy; dz ];
  let m = { slope = 2.0; offset = 1.0; name = "line" } in
  let pack m = [| m.slope; m.offset |] and unpack a = { m with slope = a.(0); offset = a.(1) } in
  let g = Ad.gradient_with pack unpack (fun m -> ((m.slope *. 3.0) +. m.offset) ** 2.0) m in
  show [ g.slope; g.offset ];
  print_endline g.name;
  let f a = a.(0) *. sin (a.(1) *. a.(2)) in
  show (Array.to_list (Ad.forward_gradient f [| 1.0; 2.0; 0.5 |]));
  show (Array.to_list (Ad.gradient f [| 1.0; 2.0; 0.5 |]));
  let field a = [| a.(0) *. a.(1); a.(1) *. a.(1) |] in
  Array.iter (fun row -> show (Array.to_list row)) (Ad.forward_jacobian field [| 2.0; 3.0 |]);
  Array.iter (fun row -> show (Array.to_list row)) (Ad.jacobian field [| 2.0; 3.0 |]);
  show [ Ad.reverse_derivative (fun x -> x *. log x) 1.0; Ad.derivative (fun x -> x *. log x) 1.0 ]
