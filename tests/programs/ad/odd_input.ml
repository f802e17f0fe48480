(* Empty arrays, arrays that are given twice, and numbers that are not finite: what gradients and products say of them.
   covers: K10 *)

let text v = if Float.is_nan v then "nan" else Printf.sprintf "%g" v
let show a = "[" ^ String.concat "; " (Array.to_list (Array.map text a)) ^ "]"
let tell name a = Printf.printf "%s: %s\n" name (show a)
let refused name f = try tell name (f ()) with Invalid_argument it -> Printf.printf "%s: %s\n" name it
let sum a = Array.fold_left ( +. ) 0.0 a

(* Nothing to derive by. *)
let () =
  tell "no inputs" (Ad.gradient (fun _ -> 3.0) [||]);
  tell "no inputs, a sum" (Ad.gradient sum [||]);
  tell "no inputs, forward" (Ad.forward_gradient sum [||]);
  Printf.printf "rows of nothing: %d, %d\n"
    (Array.length (Ad.jacobian (fun x -> Array.map sin x) [||]))
    (Array.length (Ad.jacobian (fun _ -> [||]) [| 1.0; 2.0 |]));
  tell "no results" (snd (Ad.vjp (fun _ -> [||]) [| 1.0; 2.0 |] [||]));
  tell "kernels of nothing" (Array.map Ad.fast_tanh [||]);
  tell "a product with nothing" (Ad.matvec 2 [||] [||]);
  refused "a matrix without rows" (fun () -> Ad.matmul 0 2 [||] [| 1.0; 2.0 |]);
  tell "a matrix without columns" (Ad.matmul 2 2 [| 1.0; 2.0; 3.0; 4.0 |] [||])

(* The same array as both operands, and as input and output. *)
let () =
  let square a = sum (Ad.matmul 2 2 a a) in
  let a = [| 1.0; 2.0; 3.0; 4.0 |] in
  tell "the square of a matrix" (Ad.gradient square a);
  tell "forward" (Ad.forward_gradient square a);
  tell "a vector with itself" (Ad.gradient (fun a -> Ad.dot a a) a);
  let in_place a =
    let b = Array.copy a in
    for i = 0 to 3 do b.(i) <- tanh b.(i) done;
    for i = 1 to 3 do b.(i) <- b.(i) *. b.(i - 1) done;
    Array.blit b 0 b 1 3;
    sum b
  in
  tell "in place" (Ad.gradient in_place a);
  tell "in place, forward" (Ad.forward_gradient in_place a);
  (* The point itself is changed: each operator gives the function a copy of its own. *)
  let spoils a = a.(0) <- a.(0) *. a.(1); a.(0) in
  tell "a changed point" (Ad.gradient spoils [| 2.0; 5.0 |]);
  let kept = [| 2.0; 5.0 |] in
  ignore (Ad.gradient spoils kept);
  tell "the point afterwards" kept

(* What is not finite goes through, and stays where it is. *)
let () =
  let a = [| nan; infinity; neg_infinity; 0.0; 1.0 |] in
  tell "tanh" (Array.map Ad.fast_tanh a);
  tell "exp" (Array.map Ad.fast_exp a);
  tell "sigmoid" (Array.map Ad.fast_sigmoid a);
  let loss a = sum (Array.map Ad.fast_tanh a) in
  tell "slopes of tanh" (Ad.gradient loss a);
  tell "slopes of tanh, forward" (Ad.forward_gradient loss a);
  tell "slopes of exp" (Ad.gradient (fun a -> sum (Array.map exp a)) a);
  tell "only what is used" (Ad.gradient (fun a -> a.(4) *. a.(4)) a);
  tell "products" (Ad.matmul 1 2 [| infinity; 1.0 |] [| 0.0; 1.0; 1.0; 2.0 |])

(* Sizes that do not fit. *)
let () =
  refused "matmul" (fun () -> Ad.matmul 2 2 [| 1.0 |] [| 1.0; 2.0 |]);
  refused "matvec" (fun () -> Ad.matvec 2 [| 1.0; 2.0; 3.0 |] [| 1.0; 2.0 |]);
  refused "dot" (fun () -> [| Ad.dot [| 1.0 |] [||] |]);
  refused "in a gradient" (fun () -> Ad.gradient (fun a -> sum (Ad.matvec 2 a a)) [| 1.0; 2.0 |])
