(* covers: K10
   The derivative of every primitive, in both modes and in both orders, against its formula. *)

let failures = ref 0

let check name x got want =
  let same =
    (got <> got && want <> want)
    || got = want
    || abs_float (got -. want) <= 4e-14 *. (1.0 +. abs_float want)
  in
  if not same then begin
    incr failures;
    Printf.printf "%s at %g: %.17g, not %.17g\n" name x got want
  end

(* [f] has the derivative [df], which has [ddf]. *)
let unary name f df ddf points =
  List.iter
    (fun x ->
      check (name ^ " forward") x (Ad.derivative f x) (df x);
      check (name ^ " reverse") x (Ad.gradient (fun a -> f a.(0)) [| x |]).(0) (df x);
      check (name ^ " twice") x (Ad.derivative (fun x -> Ad.derivative f x) x) (ddf x);
      check (name ^ " mixed") x
        (Ad.derivative (fun x -> (Ad.gradient (fun a -> f a.(0)) [| x |]).(0)) x)
        (ddf x);
      check (name ^ " reverse twice") x
        (Ad.gradient (fun b -> (Ad.gradient (fun a -> f a.(0)) b).(0)) [| x |]).(0)
        (ddf x))
    points;
  Printf.printf "%s\n" name

let binary name f dx dy points =
  List.iter
    (fun (x, y) ->
      check (name ^ " forward 1") x (Ad.derivative (fun x -> f x y) x) (dx x y);
      check (name ^ " forward 2") y (Ad.derivative (fun y -> f x y) y) (dy x y);
      let g = Ad.gradient (fun a -> f a.(0) a.(1)) [| x; y |] in
      check (name ^ " reverse 1") x g.(0) (dx x y);
      check (name ^ " reverse 2") y g.(1) (dy x y))
    points;
  Printf.printf "%s\n" name

let sq x = x *. x
let ln2 = log 2.0
let ln10 = log 10.0
let all = [ -2.5; -1.0; -0.3; 0.2; 0.9; 1.7; 3.0 ]
let positive = [ 0.1; 0.7; 1.0; 2.5; 10.0 ]
let inside = [ -0.9; -0.4; 0.1; 0.6 ]

let () =
  unary "neg" (fun x -> -.x) (fun _ -> -1.0) (fun _ -> 0.0) all;
  unary "abs" abs_float (fun x -> if x < 0.0 then -1.0 else 1.0) (fun _ -> 0.0) all;
  unary "sqrt" sqrt (fun x -> 0.5 /. sqrt x) (fun x -> -0.25 /. (x *. sqrt x)) positive;
  unary "cbrt" Float.cbrt
    (fun x -> 1.0 /. (3.0 *. sq (Float.cbrt x)))
    (fun x -> -2.0 /. (9.0 *. x *. sq (Float.cbrt x)))
    all;
  unary "exp" exp exp exp all;
  unary "exp2" Float.exp2
    (fun x -> ln2 *. Float.exp2 x)
    (fun x -> ln2 *. ln2 *. Float.exp2 x)
    all;
  unary "expm1" expm1 exp exp all;
  unary "log" log (fun x -> 1.0 /. x) (fun x -> -1.0 /. sq x) positive;
  unary "log2" Float.log2 (fun x -> 1.0 /. (x *. ln2)) (fun x -> -1.0 /. (sq x *. ln2)) positive;
  unary "log10" log10 (fun x -> 1.0 /. (x *. ln10)) (fun x -> -1.0 /. (sq x *. ln10)) positive;
  unary "log1p" log1p (fun x -> 1.0 /. (1.0 +. x)) (fun x -> -1.0 /. sq (1.0 +. x)) inside;
  unary "sin" sin cos (fun x -> -.sin x) all;
  unary "cos" cos (fun x -> -.sin x) (fun x -> -.cos x) all;
  unary "tan" tan (fun x -> 1.0 +. sq (tan x)) (fun x -> 2.0 *. tan x *. (1.0 +. sq (tan x))) inside;
  unary "asin" asin
    (fun x -> 1.0 /. sqrt (1.0 -. sq x))
    (fun x -> x /. ((1.0 -. sq x) *. sqrt (1.0 -. sq x)))
    inside;
  unary "acos" acos
    (fun x -> -1.0 /. sqrt (1.0 -. sq x))
    (fun x -> -.x /. ((1.0 -. sq x) *. sqrt (1.0 -. sq x)))
    inside;
  unary "atan" atan
    (fun x -> 1.0 /. (1.0 +. sq x))
    (fun x -> -2.0 *. x /. sq (1.0 +. sq x))
    all;
  unary "sinh" sinh cosh sinh all;
  unary "cosh" cosh sinh cosh all;
  unary "tanh" tanh
    (fun x -> 1.0 -. sq (tanh x))
    (fun x -> -2.0 *. tanh x *. (1.0 -. sq (tanh x)))
    all;
  unary "asinh" Float.asinh
    (fun x -> 1.0 /. sqrt (sq x +. 1.0))
    (fun x -> -.x /. ((sq x +. 1.0) *. sqrt (sq x +. 1.0)))
    all;
  unary "acosh" Float.acosh
    (fun x -> 1.0 /. sqrt (sq x -. 1.0))
    (fun x -> -.x /. ((sq x -. 1.0) *. sqrt (sq x -. 1.0)))
    [ 1.5; 2.0; 5.0 ];
  unary "atanh" Float.atanh
    (fun x -> 1.0 /. (1.0 -. sq x))
    (fun x -> 2.0 *. x /. sq (1.0 -. sq x))
    inside;
  let gauss x = 2.0 /. sqrt Float.pi *. exp (-.sq x) in
  unary "erf" Float.erf gauss (fun x -> -2.0 *. x *. gauss x) all;
  unary "erfc" Float.erfc (fun x -> -.gauss x) (fun x -> 2.0 *. x *. gauss x) all;
  List.iter
    (fun (name, f) -> unary name f (fun _ -> 0.0) (fun _ -> 0.0) all)
    [ ("ceil", ceil); ("floor", floor); ("trunc", Float.trunc); ("round", Float.round) ];
  unary "succ" Float.succ (fun _ -> 1.0) (fun _ -> 0.0) all;
  unary "ldexp" (fun x -> ldexp x 3) (fun _ -> 8.0) (fun _ -> 0.0) all;
  unary "frexp" (fun x -> fst (frexp x)) (fun x -> fst (frexp x) /. x) (fun _ -> 0.0) all;
  unary "modf" (fun x -> fst (modf x)) (fun _ -> 1.0) (fun _ -> 0.0) [ -2.5; -0.3; 0.2; 1.7 ]

let pairs = [ (1.5, 2.0); (0.3, -1.2); (2.0, 3.0); (4.0, 0.5) ]

let () =
  binary "add" ( +. ) (fun _ _ -> 1.0) (fun _ _ -> 1.0) pairs;
  binary "sub" ( -. ) (fun _ _ -> 1.0) (fun _ _ -> -1.0) pairs;
  binary "mul" ( *. ) (fun _ y -> y) (fun x _ -> x) pairs;
  binary "div" ( /. ) (fun _ y -> 1.0 /. y) (fun x y -> -.x /. sq y) pairs;
  binary "pow" ( ** ) (fun x y -> y *. (x ** (y -. 1.0))) (fun x y -> (x ** y) *. log x) pairs;
  binary "atan2" atan2
    (fun x y -> y /. (sq x +. sq y))
    (fun x y -> -.x /. (sq x +. sq y))
    pairs;
  binary "hypot" hypot (fun x y -> x /. hypot x y) (fun x y -> y /. hypot x y) pairs;
  binary "copysign" copysign (fun x y -> copysign 1.0 (x *. y)) (fun _ _ -> 0.0) pairs;
  binary "mod_float" mod_float (fun _ _ -> 1.0) (fun x y -> -.Float.trunc (x /. y)) pairs;
  binary "min" min (fun x y -> if x <= y then 1.0 else 0.0) (fun x y -> if x <= y then 0.0 else 1.0) pairs;
  binary "max" max (fun x y -> if x >= y then 1.0 else 0.0) (fun x y -> if x >= y then 0.0 else 1.0) pairs;
  binary "Float.min" Float.min (fun x y -> if x < y then 1.0 else 0.0) (fun x y -> if x < y then 0.0 else 1.0) pairs;
  binary "next_after" Float.next_after (fun _ _ -> 1.0) (fun _ _ -> 0.0) pairs;
  binary "fma 1 2" (fun x y -> Float.fma x y 3.0) (fun _ y -> y) (fun x _ -> x) pairs;
  binary "fma 1 3" (fun x y -> Float.fma x 2.0 y) (fun _ _ -> 2.0) (fun _ _ -> 1.0) pairs;
  binary "any_order" Ad.any_order (fun _ _ -> 1.0) (fun _ _ -> 1.0) pairs;
  let three = Ad.gradient (fun a -> Float.fma a.(0) a.(1) a.(2)) [| 2.0; 3.0; 4.0 |] in
  Array.iteri (fun i want -> check "fma" (float i) three.(i) want) [| 3.0; 2.0; 1.0 |]

(* Conventions at kinks and poles, as documented. *)
let () =
  let at name f x want =
    check (name ^ " forward") x (Ad.derivative f x) want;
    check (name ^ " reverse") x (Ad.gradient (fun a -> f a.(0)) [| x |]).(0) want
  in
  at "abs at 0" abs_float 0.0 0.0;
  at "abs at nan" abs_float nan nan;
  at "sqrt at 0" sqrt 0.0 infinity;
  at "x ** 0" (fun x -> x ** 0.0) 0.0 0.0;
  at "x ** 1 at 0" (fun x -> x ** 1.0) 0.0 1.0;
  at "x ** 2 at 0" (fun x -> x ** 2.0) 0.0 0.0;
  at "x ** 3 below 0" (fun x -> x ** 3.0) (-2.0) 12.0;
  at "0 ** y" (fun y -> 0.0 ** y) 2.0 0.0;
  at "(-1) ** y" (fun y -> -1.0 ** y) 2.0 nan;
  at "hypot at 0" (fun x -> hypot x 0.0) 0.0 0.0;
  at "log at 0" log 0.0 infinity;
  at "1/x at 0" (fun x -> 1.0 /. x) 0.0 neg_infinity;
  at "max of equals" (fun x -> max x 1.0) 1.0 1.0;
  at "exp at infinity" exp infinity infinity;
  at "unused pole" (fun x -> let y = sqrt x in if x > 1.0 then y else x) 0.0 1.0;
  Printf.printf "conventions\n%d failures\n" !failures
