(* covers: K10
   Every operator with every form of a function value. *)

let near a b = abs_float (a -. b) <= 1e-12 *. (1.0 +. abs_float b)

let number name got want =
  Printf.printf "%s %s\n" name (if near got want then "ok" else Printf.sprintf "%.17g, not %.17g" got want)

let vector name got want =
  let same = ref (Array.length got = Array.length want) in
  if !same then Array.iteri (fun i x -> if not (near x want.(i)) then same := false) got;
  Printf.printf "%s %s\n" name
    (if !same then "ok" else String.concat " " (Array.to_list (Array.map string_of_float got)))

(* Scalar function, scalar of a vector, vector of a vector, each with a constant. *)
let s k x = k *. x *. x *. x
let v k a = k *. a.(0) *. a.(0) *. a.(1)
let m k a = [| k *. a.(0) *. a.(1); (4.0 *. a.(1) *. a.(1)) +. a.(2); k *. a.(0) *. a.(2) |]
let named_s x = s 2.0 x
let named_v a = v 2.0 a
let named_m a = m 2.0 a
let returned_s k = fun x -> s k x
let returned_v k = fun a -> v k a
let returned_m k = fun a -> m k a
let list_s = [ (fun x -> x); named_s ]
let list_v = [ (fun a -> a.(0)); named_v ]
let list_m = [ (fun a -> a); named_m ]
let two = float (String.length "ab")

let () = number "derivative named" (Ad.derivative named_s 1.5) 13.5
let () = number "derivative lambda" (Ad.derivative (fun x -> s 2.0 x) 1.5) 13.5
let () = let k = two in let f x = s k x in number "derivative closure" (Ad.derivative f 1.5) 13.5
let () = let with_function f = Ad.derivative f 1.5 in number "derivative parameter" (with_function named_s) 13.5
let () = number "derivative returned" (Ad.derivative (returned_s 2.0) 1.5) 13.5
let () = number "derivative partial" (Ad.derivative (s 2.0) 1.5) 13.5
let () = number "derivative list" (Ad.derivative (List.nth list_s 1) 1.5) 13.5
let () = number "value_and_derivative named" (snd (Ad.value_and_derivative named_s 1.5)) 13.5
let () = number "value_and_derivative lambda" (snd (Ad.value_and_derivative (fun x -> s 2.0 x) 1.5)) 13.5
let () = let k = two in let f x = s k x in number "value_and_derivative closure" (snd (Ad.value_and_derivative f 1.5)) 13.5
let () = let with_function f = snd (Ad.value_and_derivative f 1.5) in number "value_and_derivative parameter" (with_function named_s) 13.5
let () = number "value_and_derivative returned" (snd (Ad.value_and_derivative (returned_s 2.0) 1.5)) 13.5
let () = number "value_and_derivative partial" (snd (Ad.value_and_derivative (s 2.0) 1.5)) 13.5
let () = number "value_and_derivative list" (snd (Ad.value_and_derivative (List.nth list_s 1) 1.5)) 13.5
let () = number "second named" (Ad.derivative (fun x -> Ad.derivative named_s x) 1.5) 18.0
let () = number "second lambda" (Ad.derivative (fun x -> Ad.derivative (fun x -> s 2.0 x) x) 1.5) 18.0
let () = let k = two in let f x = s k x in number "second closure" (Ad.derivative (fun x -> Ad.derivative f x) 1.5) 18.0
let () = let with_function f = Ad.derivative (fun x -> Ad.derivative f x) 1.5 in number "second parameter" (with_function named_s) 18.0
let () = number "second returned" (Ad.derivative (fun x -> Ad.derivative (returned_s 2.0) x) 1.5) 18.0
let () = number "second partial" (Ad.derivative (fun x -> Ad.derivative (s 2.0) x) 1.5) 18.0
let () = number "second list" (Ad.derivative (fun x -> Ad.derivative (List.nth list_s 1) x) 1.5) 18.0
let () = vector "gradient named" (Ad.gradient named_v [| 1.5; 0.5 |]) [| 3.0; 4.5 |]
let () = vector "gradient lambda" (Ad.gradient (fun a -> v 2.0 a) [| 1.5; 0.5 |]) [| 3.0; 4.5 |]
let () = let k = two in let f a = v k a in vector "gradient closure" (Ad.gradient f [| 1.5; 0.5 |]) [| 3.0; 4.5 |]
let () = let with_function f = Ad.gradient f [| 1.5; 0.5 |] in vector "gradient parameter" (with_function named_v) [| 3.0; 4.5 |]
let () = vector "gradient returned" (Ad.gradient (returned_v 2.0) [| 1.5; 0.5 |]) [| 3.0; 4.5 |]
let () = vector "gradient partial" (Ad.gradient (v 2.0) [| 1.5; 0.5 |]) [| 3.0; 4.5 |]
let () = vector "gradient list" (Ad.gradient (List.nth list_v 1) [| 1.5; 0.5 |]) [| 3.0; 4.5 |]
let () = number "value_and_gradient named" (fst (Ad.value_and_gradient named_v [| 1.5; 0.5 |])) 2.25
let () = number "value_and_gradient lambda" (fst (Ad.value_and_gradient (fun a -> v 2.0 a) [| 1.5; 0.5 |])) 2.25
let () = let k = two in let f a = v k a in number "value_and_gradient closure" (fst (Ad.value_and_gradient f [| 1.5; 0.5 |])) 2.25
let () = let with_function f = fst (Ad.value_and_gradient f [| 1.5; 0.5 |]) in number "value_and_gradient parameter" (with_function named_v) 2.25
let () = number "value_and_gradient returned" (fst (Ad.value_and_gradient (returned_v 2.0) [| 1.5; 0.5 |])) 2.25
let () = number "value_and_gradient partial" (fst (Ad.value_and_gradient (v 2.0) [| 1.5; 0.5 |])) 2.25
let () = number "value_and_gradient list" (fst (Ad.value_and_gradient (List.nth list_v 1) [| 1.5; 0.5 |])) 2.25
let () = number "directional_derivative named" (Ad.directional_derivative named_v [| 1.5; 0.5 |] [| 1.0; -2.0 |]) (-6.0)
let () = number "directional_derivative lambda" (Ad.directional_derivative (fun a -> v 2.0 a) [| 1.5; 0.5 |] [| 1.0; -2.0 |]) (-6.0)
let () = let k = two in let f a = v k a in number "directional_derivative closure" (Ad.directional_derivative f [| 1.5; 0.5 |] [| 1.0; -2.0 |]) (-6.0)
let () = let with_function f = Ad.directional_derivative f [| 1.5; 0.5 |] [| 1.0; -2.0 |] in number "directional_derivative parameter" (with_function named_v) (-6.0)
let () = number "directional_derivative returned" (Ad.directional_derivative (returned_v 2.0) [| 1.5; 0.5 |] [| 1.0; -2.0 |]) (-6.0)
let () = number "directional_derivative partial" (Ad.directional_derivative (v 2.0) [| 1.5; 0.5 |] [| 1.0; -2.0 |]) (-6.0)
let () = number "directional_derivative list" (Ad.directional_derivative (List.nth list_v 1) [| 1.5; 0.5 |] [| 1.0; -2.0 |]) (-6.0)
let () = vector "hessian named" (Array.concat (Array.to_list (Ad.hessian named_v [| 1.5; 0.5 |]))) [| 2.0; 6.0; 6.0; 0.0 |]
let () = vector "hessian lambda" (Array.concat (Array.to_list (Ad.hessian (fun a -> v 2.0 a) [| 1.5; 0.5 |]))) [| 2.0; 6.0; 6.0; 0.0 |]
let () = let k = two in let f a = v k a in vector "hessian closure" (Array.concat (Array.to_list (Ad.hessian f [| 1.5; 0.5 |]))) [| 2.0; 6.0; 6.0; 0.0 |]
let () = let with_function f = Array.concat (Array.to_list (Ad.hessian f [| 1.5; 0.5 |])) in vector "hessian parameter" (with_function named_v) [| 2.0; 6.0; 6.0; 0.0 |]
let () = vector "hessian returned" (Array.concat (Array.to_list (Ad.hessian (returned_v 2.0) [| 1.5; 0.5 |]))) [| 2.0; 6.0; 6.0; 0.0 |]
let () = vector "hessian partial" (Array.concat (Array.to_list (Ad.hessian (v 2.0) [| 1.5; 0.5 |]))) [| 2.0; 6.0; 6.0; 0.0 |]
let () = vector "hessian list" (Array.concat (Array.to_list (Ad.hessian (List.nth list_v 1) [| 1.5; 0.5 |]))) [| 2.0; 6.0; 6.0; 0.0 |]
let () = vector "hessian_vector named" (Ad.hessian_vector named_v [| 1.5; 0.5 |] [| 1.0; 1.0 |]) [| 8.0; 6.0 |]
let () = vector "hessian_vector lambda" (Ad.hessian_vector (fun a -> v 2.0 a) [| 1.5; 0.5 |] [| 1.0; 1.0 |]) [| 8.0; 6.0 |]
let () = let k = two in let f a = v k a in vector "hessian_vector closure" (Ad.hessian_vector f [| 1.5; 0.5 |] [| 1.0; 1.0 |]) [| 8.0; 6.0 |]
let () = let with_function f = Ad.hessian_vector f [| 1.5; 0.5 |] [| 1.0; 1.0 |] in vector "hessian_vector parameter" (with_function named_v) [| 8.0; 6.0 |]
let () = vector "hessian_vector returned" (Ad.hessian_vector (returned_v 2.0) [| 1.5; 0.5 |] [| 1.0; 1.0 |]) [| 8.0; 6.0 |]
let () = vector "hessian_vector partial" (Ad.hessian_vector (v 2.0) [| 1.5; 0.5 |] [| 1.0; 1.0 |]) [| 8.0; 6.0 |]
let () = vector "hessian_vector list" (Ad.hessian_vector (List.nth list_v 1) [| 1.5; 0.5 |] [| 1.0; 1.0 |]) [| 8.0; 6.0 |]
let () = number "laplacian named" (Ad.laplacian named_v [| 1.5; 0.5 |]) 2.0
let () = number "laplacian lambda" (Ad.laplacian (fun a -> v 2.0 a) [| 1.5; 0.5 |]) 2.0
let () = let k = two in let f a = v k a in number "laplacian closure" (Ad.laplacian f [| 1.5; 0.5 |]) 2.0
let () = let with_function f = Ad.laplacian f [| 1.5; 0.5 |] in number "laplacian parameter" (with_function named_v) 2.0
let () = number "laplacian returned" (Ad.laplacian (returned_v 2.0) [| 1.5; 0.5 |]) 2.0
let () = number "laplacian partial" (Ad.laplacian (v 2.0) [| 1.5; 0.5 |]) 2.0
let () = number "laplacian list" (Ad.laplacian (List.nth list_v 1) [| 1.5; 0.5 |]) 2.0
let () = vector "jacobian named" (Array.concat (Array.to_list (Ad.jacobian named_m [| 1.5; 0.5; 2.0 |]))) [| 1.0; 3.0; 0.0; 0.0; 4.0; 1.0; 4.0; 0.0; 3.0 |]
let () = vector "jacobian lambda" (Array.concat (Array.to_list (Ad.jacobian (fun a -> m 2.0 a) [| 1.5; 0.5; 2.0 |]))) [| 1.0; 3.0; 0.0; 0.0; 4.0; 1.0; 4.0; 0.0; 3.0 |]
let () = let k = two in let f a = m k a in vector "jacobian closure" (Array.concat (Array.to_list (Ad.jacobian f [| 1.5; 0.5; 2.0 |]))) [| 1.0; 3.0; 0.0; 0.0; 4.0; 1.0; 4.0; 0.0; 3.0 |]
let () = let with_function f = Array.concat (Array.to_list (Ad.jacobian f [| 1.5; 0.5; 2.0 |])) in vector "jacobian parameter" (with_function named_m) [| 1.0; 3.0; 0.0; 0.0; 4.0; 1.0; 4.0; 0.0; 3.0 |]
let () = vector "jacobian returned" (Array.concat (Array.to_list (Ad.jacobian (returned_m 2.0) [| 1.5; 0.5; 2.0 |]))) [| 1.0; 3.0; 0.0; 0.0; 4.0; 1.0; 4.0; 0.0; 3.0 |]
let () = vector "jacobian partial" (Array.concat (Array.to_list (Ad.jacobian (m 2.0) [| 1.5; 0.5; 2.0 |]))) [| 1.0; 3.0; 0.0; 0.0; 4.0; 1.0; 4.0; 0.0; 3.0 |]
let () = vector "jacobian list" (Array.concat (Array.to_list (Ad.jacobian (List.nth list_m 1) [| 1.5; 0.5; 2.0 |]))) [| 1.0; 3.0; 0.0; 0.0; 4.0; 1.0; 4.0; 0.0; 3.0 |]
let () = vector "jvp named" (snd (Ad.jvp named_m [| 1.5; 0.5; 2.0 |] [| 1.0; 0.0; 1.0 |])) [| 1.0; 1.0; 7.0 |]
let () = vector "jvp lambda" (snd (Ad.jvp (fun a -> m 2.0 a) [| 1.5; 0.5; 2.0 |] [| 1.0; 0.0; 1.0 |])) [| 1.0; 1.0; 7.0 |]
let () = let k = two in let f a = m k a in vector "jvp closure" (snd (Ad.jvp f [| 1.5; 0.5; 2.0 |] [| 1.0; 0.0; 1.0 |])) [| 1.0; 1.0; 7.0 |]
let () = let with_function f = snd (Ad.jvp f [| 1.5; 0.5; 2.0 |] [| 1.0; 0.0; 1.0 |]) in vector "jvp parameter" (with_function named_m) [| 1.0; 1.0; 7.0 |]
let () = vector "jvp returned" (snd (Ad.jvp (returned_m 2.0) [| 1.5; 0.5; 2.0 |] [| 1.0; 0.0; 1.0 |])) [| 1.0; 1.0; 7.0 |]
let () = vector "jvp partial" (snd (Ad.jvp (m 2.0) [| 1.5; 0.5; 2.0 |] [| 1.0; 0.0; 1.0 |])) [| 1.0; 1.0; 7.0 |]
let () = vector "jvp list" (snd (Ad.jvp (List.nth list_m 1) [| 1.5; 0.5; 2.0 |] [| 1.0; 0.0; 1.0 |])) [| 1.0; 1.0; 7.0 |]
let () = vector "vjp named" (snd (Ad.vjp named_m [| 1.5; 0.5; 2.0 |] [| 1.0; 0.0; 1.0 |])) [| 5.0; 3.0; 3.0 |]
let () = vector "vjp lambda" (snd (Ad.vjp (fun a -> m 2.0 a) [| 1.5; 0.5; 2.0 |] [| 1.0; 0.0; 1.0 |])) [| 5.0; 3.0; 3.0 |]
let () = let k = two in let f a = m k a in vector "vjp closure" (snd (Ad.vjp f [| 1.5; 0.5; 2.0 |] [| 1.0; 0.0; 1.0 |])) [| 5.0; 3.0; 3.0 |]
let () = let with_function f = snd (Ad.vjp f [| 1.5; 0.5; 2.0 |] [| 1.0; 0.0; 1.0 |]) in vector "vjp parameter" (with_function named_m) [| 5.0; 3.0; 3.0 |]
let () = vector "vjp returned" (snd (Ad.vjp (returned_m 2.0) [| 1.5; 0.5; 2.0 |] [| 1.0; 0.0; 1.0 |])) [| 5.0; 3.0; 3.0 |]
let () = vector "vjp partial" (snd (Ad.vjp (m 2.0) [| 1.5; 0.5; 2.0 |] [| 1.0; 0.0; 1.0 |])) [| 5.0; 3.0; 3.0 |]
let () = vector "vjp list" (snd (Ad.vjp (List.nth list_m 1) [| 1.5; 0.5; 2.0 |] [| 1.0; 0.0; 1.0 |])) [| 5.0; 3.0; 3.0 |]
let () = number "divergence named" (Ad.divergence named_m [| 1.5; 0.5; 2.0 |]) 8.0
let () = number "divergence lambda" (Ad.divergence (fun a -> m 2.0 a) [| 1.5; 0.5; 2.0 |]) 8.0
let () = let k = two in let f a = m k a in number "divergence closure" (Ad.divergence f [| 1.5; 0.5; 2.0 |]) 8.0
let () = let with_function f = Ad.divergence f [| 1.5; 0.5; 2.0 |] in number "divergence parameter" (with_function named_m) 8.0
let () = number "divergence returned" (Ad.divergence (returned_m 2.0) [| 1.5; 0.5; 2.0 |]) 8.0
let () = number "divergence partial" (Ad.divergence (m 2.0) [| 1.5; 0.5; 2.0 |]) 8.0
let () = number "divergence list" (Ad.divergence (List.nth list_m 1) [| 1.5; 0.5; 2.0 |]) 8.0
let () = vector "curl named" (Ad.curl named_m [| 1.5; 0.5; 2.0 |]) [| -1.0; -4.0; -3.0 |]
let () = vector "curl lambda" (Ad.curl (fun a -> m 2.0 a) [| 1.5; 0.5; 2.0 |]) [| -1.0; -4.0; -3.0 |]
let () = let k = two in let f a = m k a in vector "curl closure" (Ad.curl f [| 1.5; 0.5; 2.0 |]) [| -1.0; -4.0; -3.0 |]
let () = let with_function f = Ad.curl f [| 1.5; 0.5; 2.0 |] in vector "curl parameter" (with_function named_m) [| -1.0; -4.0; -3.0 |]
let () = vector "curl returned" (Ad.curl (returned_m 2.0) [| 1.5; 0.5; 2.0 |]) [| -1.0; -4.0; -3.0 |]
let () = vector "curl partial" (Ad.curl (m 2.0) [| 1.5; 0.5; 2.0 |]) [| -1.0; -4.0; -3.0 |]
let () = vector "curl list" (Ad.curl (List.nth list_m 1) [| 1.5; 0.5; 2.0 |]) [| -1.0; -4.0; -3.0 |]
let list_t = [ (fun x -> x); named_s ]
let () = number "derivative_n named" (Ad.derivative_n 2 named_s 1.5) 18.0
let () = number "derivative_n lambda" (Ad.derivative_n 2 (fun x -> s 2.0 x) 1.5) 18.0
let () = let k = two in let f x = s k x in number "derivative_n closure" (Ad.derivative_n 2 f 1.5) 18.0
let () = let with_function f = Ad.derivative_n 2 f 1.5 in number "derivative_n parameter" (with_function named_s) 18.0
let () = number "derivative_n returned" (Ad.derivative_n 2 (returned_s 2.0) 1.5) 18.0
let () = number "derivative_n partial" (Ad.derivative_n 2 (s 2.0) 1.5) 18.0
let () = number "derivative_n list" (Ad.derivative_n 2 (List.nth list_t 1) 1.5) 18.0
let () = vector "taylor named" (Ad.taylor 2 named_s 1.5) [| 6.75; 13.5; 9.0 |]
let () = vector "taylor lambda" (Ad.taylor 2 (fun x -> s 2.0 x) 1.5) [| 6.75; 13.5; 9.0 |]
let () = let k = two in let f x = s k x in vector "taylor closure" (Ad.taylor 2 f 1.5) [| 6.75; 13.5; 9.0 |]
let () = let with_function f = Ad.taylor 2 f 1.5 in vector "taylor parameter" (with_function named_s) [| 6.75; 13.5; 9.0 |]
let () = vector "taylor returned" (Ad.taylor 2 (returned_s 2.0) 1.5) [| 6.75; 13.5; 9.0 |]
let () = vector "taylor partial" (Ad.taylor 2 (s 2.0) 1.5) [| 6.75; 13.5; 9.0 |]
let () = vector "taylor list" (Ad.taylor 2 (List.nth list_t 1) 1.5) [| 6.75; 13.5; 9.0 |]
