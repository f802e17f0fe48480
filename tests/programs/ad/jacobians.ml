(* covers: K10
   Jacobians of known functions, wide and tall, against forward mode; effects happen once. *)

let show name a b =
  let same = ref (Array.length a = Array.length b) in
  Array.iteri (fun i row -> Array.iteri (fun j x -> if abs_float (x -. b.(i).(j)) > 1e-12 then same := false) row) a;
  Printf.printf "%s: %d rows, %s\n" name (Array.length a) (if !same then "ok" else "differs")

let narrow x = [| x.(0) *. sin x.(1); exp (x.(2) *. x.(3)) |]
let tall x = Array.init 5 (fun i -> (float i *. x.(0)) +. (x.(1) ** float i))

let changes x =
  x.(0) <- x.(0) *. 2.0;
  [| x.(0) *. x.(1); x.(1) |]

let point = [| 0.5; 1.5; 0.2; 0.7 |]
let pair = [| 0.5; 1.5 |]

let () =
  show "narrow" (Ad.jacobian narrow point) (Ad.forward_jacobian narrow point);
  show "tall" (Ad.jacobian tall pair) (Ad.forward_jacobian tall pair);
  show "lambda" (Ad.jacobian (fun x -> [| x.(0) *. x.(1) *. x.(1) |]) pair) [| [| 2.25; 1.5 |] |];
  show "writes its argument" (Ad.jacobian changes pair) [| [| 3.0; 1.0 |]; [| 0.0; 1.0 |] |];
  Printf.printf "%g\n" pair.(0);
  let table = [ narrow ] in
  show "from a list" (Ad.jacobian (List.hd table) point) (Ad.forward_jacobian narrow point);
  let of_unknown f x = Ad.jacobian f x in
  show "parameter" (of_unknown narrow point) (Ad.forward_jacobian narrow point);
  show "nothing" (Ad.jacobian (fun _ -> [||]) pair) [||]

let () =
  let calls = ref 0 in
  let counted x = incr calls; [| x.(0); x.(1); x.(0) *. x.(1) |] in
  let j = Ad.jacobian counted pair in
  Printf.printf "%d call, %g\n" !calls j.(2).(0);
  let printed x = print_endline "once"; [| x.(0) |] in
  ignore (Ad.jacobian printed pair)

(* Inside of other derivatives. *)
let () =
  let trace t = let j = Ad.jacobian (fun x -> [| x.(0) *. x.(0) *. t; x.(1) *. exp t |]) [| 3.0; 1.0 |] in j.(0).(0) +. j.(1).(1) in
  Printf.printf "%.6f %.6f\n" (Ad.derivative trace 0.0) (Ad.gradient (fun a -> trace a.(0)) [| 0.0 |]).(0)
