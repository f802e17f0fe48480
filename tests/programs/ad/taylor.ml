(* covers: K10, K11
   Derivatives of any order by Taylor series, against formulas and nested derivatives. *)

let failures = ref 0

let check name got want =
  if not (abs_float (got -. want) <= 1e-9 *. (1.0 +. abs_float want) || (got <> got && want <> want)) then begin
    incr failures;
    Printf.printf "%s: %.17g, not %.17g\n" name got want
  end

let d = Ad.derivative

(* Orders 0 to 3 against nested derivatives. *)
let orders name f points =
  List.iter
    (fun x ->
      check (name ^ " 0") (Ad.derivative_n 0 f x) (f x);
      check (name ^ " 1") (Ad.derivative_n 1 f x) (d f x);
      check (name ^ " 2") (Ad.derivative_n 2 f x) (d (d f) x);
      check (name ^ " 3") (Ad.derivative_n 3 f x) (d (d (d f)) x))
    points;
  print_endline name

let all = [ -1.3; -0.4; 0.3; 0.8 ]
let positive = [ 0.2; 0.9; 1.7 ]
let inside = [ -0.7; 0.2; 0.6 ]

let () =
  orders "polynomial" (fun x -> (x *. x *. x *. x) -. (3.0 *. x) +. 2.0) all;
  orders "quotient" (fun x -> (1.0 -. x) /. (2.0 +. (x *. x))) all;
  orders "sqrt" (fun x -> sqrt (1.0 +. (x *. x))) all;
  orders "cbrt" (fun x -> Float.cbrt (2.0 *. x)) all;
  orders "exp" (fun x -> exp (x *. x)) all;
  orders "exp2" (fun x -> Float.exp2 (2.0 *. x)) all;
  orders "expm1" (fun x -> expm1 (2.0 *. x)) all;
  orders "log" (fun x -> log (1.0 +. (x *. x))) all;
  orders "log2" Float.log2 positive;
  orders "log10" log10 positive;
  orders "log1p" log1p inside;
  orders "sin cos" (fun x -> sin (2.0 *. x) *. cos (x *. x)) all;
  orders "tan" tan inside;
  orders "asin acos" (fun x -> asin x *. acos (0.5 *. x)) inside;
  orders "atan" (fun x -> atan (x *. x)) all;
  orders "atan2" (fun x -> atan2 (1.0 +. x) (2.0 -. (x *. x))) all;
  orders "sinh cosh" (fun x -> sinh (2.0 *. x) /. cosh x) all;
  orders "tanh" (fun x -> tanh (2.0 *. x)) all;
  orders "asinh" (fun x -> Float.asinh (2.0 *. x)) all;
  orders "acosh" (fun x -> Float.acosh (2.0 +. x)) inside;
  orders "atanh" Float.atanh inside;
  orders "erf" (fun x -> Float.erf x -. Float.erfc (2.0 *. x)) all;
  orders "hypot" (fun x -> hypot x (1.0 -. x)) all;
  orders "abs" (fun x -> x *. abs_float x) all;
  orders "power" (fun x -> (1.0 +. x) ** 2.5) inside;
  orders "whole power" (fun x -> x ** 5.0) all;
  orders "power of power" (fun x -> (1.0 +. x) ** (x *. x)) inside;
  orders "fma" (fun x -> Float.fma x x (sin x)) all;
  orders "fmod" (fun x -> mod_float (x *. x) 0.7) inside;
  orders "ldexp" (fun x -> ldexp (x *. x) 3 +. fst (frexp x)) inside;
  orders "copysign" (fun x -> copysign (x *. x) (-1.0)) all;
  orders "custom" (fun x -> Ad.custom sin cos (x *. x)) all;
  orders "floor" (fun x -> x *. x *. floor (3.3 *. x)) inside

(* High orders *)
let rec factorial n = if n = 0 then 1.0 else float n *. factorial (n - 1)

let () =
  let series = Ad.taylor 12 exp 0.0 in
  Array.iteri (fun i c -> check "exp" c (1.0 /. factorial i)) series;
  Array.iteri (fun i c -> check "geometric" c 1.0) (Ad.taylor 20 (fun x -> 1.0 /. (1.0 -. x)) 0.0);
  check "x^5 at 0" (Ad.derivative_n 5 (fun x -> x ** 5.0) 0.0) 120.0;
  check "x^5 at 0, order 6" (Ad.derivative_n 6 (fun x -> x ** 5.0) 0.0) 0.0;
  for n = 0 to 8 do
    check "order from the program" (Ad.derivative_n n (fun x -> exp (2.0 *. x)) 0.5) ((2.0 ** float n) *. exp 1.0)
  done

(* Through control flow and data, and inside of other derivatives. *)
let rec power x n = if n = 0 then 1.0 else x *. power x (n - 1)

let () =
  check "recursion" (Ad.derivative_n 3 (fun x -> power x 5) 2.0) 240.0;
  check "loop" (Ad.derivative_n 2 (fun x -> let s = ref 0.0 in for i = 1 to 4 do s := !s +. power x i done; !s) 2.0) 62.0;
  check "array" (Ad.derivative_n 2 (fun x -> let a = [| x; x *. x |] in a.(0) <- a.(1) *. x; a.(0)) 2.0) 12.0;
  check "list" (Ad.derivative_n 2 (fun x -> List.fold_left ( *. ) 1.0 [ x; 2.0; x ]) 2.0) 4.0;
  List.iter2 (fun f want -> check "from a list" (Ad.derivative_n 2 f 1.0) want) [ (fun x -> x *. x); exp ] [ 2.0; exp 1.0 ];
  check "derivative of a series" (d (fun a -> Ad.derivative_n 2 (fun x -> a *. x *. x *. x) a) 2.0) 24.0;
  check "gradient of a series" (Ad.gradient (fun a -> Ad.derivative_n 2 (fun x -> a.(0) *. x *. x *. x) 2.0) [| 5.0 |]).(0) 12.0;
  check "series of a derivative" (Ad.derivative_n 2 (fun x -> d (fun y -> x *. x *. y *. y) 3.0) 1.0) 12.0;
  check "series of a gradient" (Ad.derivative_n 2 (fun x -> (Ad.gradient (fun a -> x *. x *. a.(0) *. a.(0)) [| x |]).(0)) 2.0) 24.0;
  check "series of a series" (Ad.derivative_n 1 (fun x -> Ad.derivative_n 2 (fun y -> x *. y *. y *. y) x) 2.0) 24.0;
  check "no confusion" (Ad.derivative_n 1 (fun x -> x *. Ad.derivative_n 1 (fun y -> x +. y) 1.0) 1.0) 1.0;
  (match Ad.derivative_n (-1) sin 0.0 with _ -> print_endline "accepted" | exception Invalid_argument m -> print_endline m);
  Printf.printf "%d failures\n" !failures
