(* covers: K10
   Where there is no derivative, or an infinite one: the same in forward mode, in gradients as code and by the tape. *)

let same a b = (a <> a && b <> b) || a = b

let check name f x want =
  let forward = Ad.derivative f x in
  let code = (Ad.gradient (fun a -> f a.(0)) [| x |]).(0) in
  let hidden = Sys.opaque_identity f in
  let tape = (Ad.gradient (fun a -> hidden a.(0)) [| x |]).(0) in
  Printf.printf "%s: %s\n" name
    (if same forward want && same code want && same tape want then Printf.sprintf "%g" want
     else Printf.sprintf "forward %g, code %g, tape %g, not %g" forward code tape want)

let () =
  check "abs at 0" (fun x -> abs_float x) 0.0 0.0;
  check "abs at -0" (fun x -> abs_float x) (-0.0) 0.0;
  check "abs at -inf" (fun x -> abs_float x) neg_infinity (-1.0);
  check "abs at nan" (fun x -> abs_float x) nan nan;
  check "max of equals, first" (fun x -> max x 1.0) 1.0 1.0;
  check "max of equals, second" (fun x -> max 1.0 x) 1.0 0.0;
  check "min of equals, first" (fun x -> min x 1.0) 1.0 1.0;
  check "min of equals, second" (fun x -> min 1.0 x) 1.0 0.0;
  check "relu at 0" (fun x -> if x > 0.0 then x else 0.0) 0.0 0.0;
  check "sqrt at 0" (fun x -> sqrt x) 0.0 infinity;
  check "sqrt below 0" (fun x -> sqrt x) (-1.0) nan;
  check "sqrt of a square at 0" (fun x -> sqrt (x *. x)) 0.0 nan;
  check "cbrt at 0" (fun x -> Float.cbrt x) 0.0 infinity;
  check "x ** 0 at 0" (fun x -> x ** 0.0) 0.0 0.0;
  check "x ** 0 at 2" (fun x -> x ** 0.0) 2.0 0.0;
  check "x ** 1 at 0" (fun x -> x ** 1.0) 0.0 1.0;
  check "x ** 2 at 0" (fun x -> x ** 2.0) 0.0 0.0;
  check "x ** 3 below 0" (fun x -> x ** 3.0) (-2.0) 12.0;
  check "x ** 0.5 at 0" (fun x -> x ** 0.5) 0.0 infinity;
  check "0 ** y" (fun y -> 0.0 ** y) 2.0 0.0;
  check "(-2) ** y" (fun y -> -2.0 ** y) 2.0 nan;
  check "log at 0" (fun x -> log x) 0.0 infinity;
  check "log below 0" (fun x -> log x) (-1.0) (-1.0);
  check "1 / x at 0" (fun x -> 1.0 /. x) 0.0 neg_infinity;
  check "1 / x at inf" (fun x -> 1.0 /. x) infinity (-0.0);
  check "exp at inf" (fun x -> exp x) infinity infinity;
  check "exp at -inf" (fun x -> exp x) neg_infinity 0.0;
  check "tanh at inf" (fun x -> tanh x) infinity 0.0;
  check "sin at inf" (fun x -> sin x) infinity nan;
  check "product at nan" (fun x -> x *. x) nan nan;
  check "asin at 1" (fun x -> asin x) 1.0 infinity;
  check "acos at 1" (fun x -> acos x) 1.0 neg_infinity;
  check "hypot at 0" (fun x -> hypot x 0.0) 0.0 0.0;
  check "copysign" (fun x -> copysign x (-1.0)) 2.0 (-1.0);
  check "mod_float" (fun x -> mod_float x 2.0) 5.0 1.0;
  check "mod_float, second" (fun x -> mod_float 5.0 x) 2.0 (-2.0);
  check "floor" (fun x -> floor x) 2.0 0.0;
  check "ceil" (fun x -> ceil x) 2.0 0.0;
  check "round" (fun x -> Float.round x) 0.5 0.0;
  check "a branch that is not taken" (fun x -> if x = 0.0 then 1.0 else sin x /. x) 0.0 0.0

(* The one difference: what the result does not depend on contributes nothing in reverse mode. *)
let () =
  let f x = 0.0 *. sqrt x in
  let forward = Ad.derivative f 0.0 in
  Printf.printf "forward %s, reverse %g\n" (if forward <> forward then "nan" else "number") (Ad.reverse_derivative f 0.0)
