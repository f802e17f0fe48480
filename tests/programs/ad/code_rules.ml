(* covers: K10
   The rule of every primitive in gradients that are written out as code: in straight code, and in a loop, where results
   are kept. *)

let same got want = got = want || (got <> got && want <> want) || abs_float (got -. want) <= 1e-12 *. (1.0 +. abs_float want)

let rule name straight in_loop want =
  Printf.printf "%s %s\n" name
    (if same straight want && same in_loop (want +. want) then "ok" else Printf.sprintf "%.17g %.17g, not %.17g" straight in_loop want)

let fst (a, _) = a

let () =
  rule "add"
    (Ad.gradient (fun a -> let x = a.(0) in x +. 2.0) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (x +. 2.0)) done; !s) [| 0.7 |]).(0)
    (1.0)

let () =
  rule "sub"
    (Ad.gradient (fun a -> let x = a.(0) in 3.0 -. x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (3.0 -. x)) done; !s) [| 0.7 |]).(0)
    (-1.0)

let () =
  rule "mul"
    (Ad.gradient (fun a -> let x = a.(0) in x *. x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (x *. x)) done; !s) [| 0.7 |]).(0)
    (1.4)

let () =
  rule "div"
    (Ad.gradient (fun a -> let x = a.(0) in 2.0 /. x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (2.0 /. x)) done; !s) [| 0.7 |]).(0)
    (-2.0 /. 0.49)

let () =
  rule "neg"
    (Ad.gradient (fun a -> let x = a.(0) in -.x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (-.x)) done; !s) [| 0.7 |]).(0)
    (-1.0)

let () =
  rule "abs"
    (Ad.gradient (fun a -> let x = a.(0) in abs_float x) [| -0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (abs_float x)) done; !s) [| -0.7 |]).(0)
    (-1.0)

let () =
  rule "pow base"
    (Ad.gradient (fun a -> let x = a.(0) in x ** 2.5) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (x ** 2.5)) done; !s) [| 0.7 |]).(0)
    (2.5 *. (0.7 ** 1.5))

let () =
  rule "pow exponent"
    (Ad.gradient (fun a -> let x = a.(0) in 2.0 ** x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (2.0 ** x)) done; !s) [| 0.7 |]).(0)
    ((2.0 ** 0.7) *. log 2.0)

let () =
  rule "sqrt"
    (Ad.gradient (fun a -> let x = a.(0) in sqrt x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (sqrt x)) done; !s) [| 0.7 |]).(0)
    (0.5 /. sqrt 0.7)

let () =
  rule "cbrt"
    (Ad.gradient (fun a -> let x = a.(0) in Float.cbrt x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (Float.cbrt x)) done; !s) [| 0.7 |]).(0)
    (1.0 /. (3.0 *. (Float.cbrt 0.7 ** 2.0)))

let () =
  rule "exp"
    (Ad.gradient (fun a -> let x = a.(0) in exp x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (exp x)) done; !s) [| 0.7 |]).(0)
    (exp 0.7)

let () =
  rule "exp2"
    (Ad.gradient (fun a -> let x = a.(0) in Float.exp2 x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (Float.exp2 x)) done; !s) [| 0.7 |]).(0)
    (Float.exp2 0.7 *. log 2.0)

let () =
  rule "expm1"
    (Ad.gradient (fun a -> let x = a.(0) in expm1 x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (expm1 x)) done; !s) [| 0.7 |]).(0)
    (exp 0.7)

let () =
  rule "log"
    (Ad.gradient (fun a -> let x = a.(0) in log x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (log x)) done; !s) [| 0.7 |]).(0)
    (1.0 /. 0.7)

let () =
  rule "log2"
    (Ad.gradient (fun a -> let x = a.(0) in Float.log2 x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (Float.log2 x)) done; !s) [| 0.7 |]).(0)
    (1.0 /. (0.7 *. log 2.0))

let () =
  rule "log10"
    (Ad.gradient (fun a -> let x = a.(0) in log10 x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (log10 x)) done; !s) [| 0.7 |]).(0)
    (1.0 /. (0.7 *. log 10.0))

let () =
  rule "log1p"
    (Ad.gradient (fun a -> let x = a.(0) in log1p x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (log1p x)) done; !s) [| 0.7 |]).(0)
    (1.0 /. 1.7)

let () =
  rule "sin"
    (Ad.gradient (fun a -> let x = a.(0) in sin x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (sin x)) done; !s) [| 0.7 |]).(0)
    (cos 0.7)

let () =
  rule "cos"
    (Ad.gradient (fun a -> let x = a.(0) in cos x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (cos x)) done; !s) [| 0.7 |]).(0)
    (-.sin 0.7)

let () =
  rule "tan"
    (Ad.gradient (fun a -> let x = a.(0) in tan x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (tan x)) done; !s) [| 0.7 |]).(0)
    (1.0 /. (cos 0.7 ** 2.0))

let () =
  rule "asin"
    (Ad.gradient (fun a -> let x = a.(0) in asin x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (asin x)) done; !s) [| 0.7 |]).(0)
    (1.0 /. sqrt 0.51)

let () =
  rule "acos"
    (Ad.gradient (fun a -> let x = a.(0) in acos x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (acos x)) done; !s) [| 0.7 |]).(0)
    (-1.0 /. sqrt 0.51)

let () =
  rule "atan"
    (Ad.gradient (fun a -> let x = a.(0) in atan x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (atan x)) done; !s) [| 0.7 |]).(0)
    (1.0 /. 1.49)

let () =
  rule "atan2 y"
    (Ad.gradient (fun a -> let x = a.(0) in atan2 x 2.0) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (atan2 x 2.0)) done; !s) [| 0.7 |]).(0)
    (2.0 /. 4.49)

let () =
  rule "atan2 x"
    (Ad.gradient (fun a -> let x = a.(0) in atan2 2.0 x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (atan2 2.0 x)) done; !s) [| 0.7 |]).(0)
    (-2.0 /. 4.49)

let () =
  rule "sinh"
    (Ad.gradient (fun a -> let x = a.(0) in sinh x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (sinh x)) done; !s) [| 0.7 |]).(0)
    (cosh 0.7)

let () =
  rule "cosh"
    (Ad.gradient (fun a -> let x = a.(0) in cosh x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (cosh x)) done; !s) [| 0.7 |]).(0)
    (sinh 0.7)

let () =
  rule "tanh"
    (Ad.gradient (fun a -> let x = a.(0) in tanh x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (tanh x)) done; !s) [| 0.7 |]).(0)
    (1.0 /. (cosh 0.7 ** 2.0))

let () =
  rule "asinh"
    (Ad.gradient (fun a -> let x = a.(0) in Float.asinh x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (Float.asinh x)) done; !s) [| 0.7 |]).(0)
    (1.0 /. sqrt 1.49)

let () =
  rule "acosh"
    (Ad.gradient (fun a -> let x = a.(0) in Float.acosh x) [| 1.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (Float.acosh x)) done; !s) [| 1.7 |]).(0)
    (1.0 /. sqrt 1.89)

let () =
  rule "atanh"
    (Ad.gradient (fun a -> let x = a.(0) in Float.atanh x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (Float.atanh x)) done; !s) [| 0.7 |]).(0)
    (1.0 /. 0.51)

let () =
  rule "erf"
    (Ad.gradient (fun a -> let x = a.(0) in Float.erf x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (Float.erf x)) done; !s) [| 0.7 |]).(0)
    (2.0 /. sqrt Float.pi *. exp (-0.49))

let () =
  rule "erfc"
    (Ad.gradient (fun a -> let x = a.(0) in Float.erfc x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (Float.erfc x)) done; !s) [| 0.7 |]).(0)
    (-2.0 /. sqrt Float.pi *. exp (-0.49))

let () =
  rule "hypot"
    (Ad.gradient (fun a -> let x = a.(0) in hypot x 2.0) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (hypot x 2.0)) done; !s) [| 0.7 |]).(0)
    (0.7 /. sqrt 4.49)

let () =
  rule "copysign"
    (Ad.gradient (fun a -> let x = a.(0) in copysign x (-1.0)) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (copysign x (-1.0))) done; !s) [| 0.7 |]).(0)
    (-1.0)

let () =
  rule "rem"
    (Ad.gradient (fun a -> let x = a.(0) in mod_float x 0.5) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (mod_float x 0.5)) done; !s) [| 0.7 |]).(0)
    (1.0)

let () =
  rule "rem divisor"
    (Ad.gradient (fun a -> let x = a.(0) in mod_float 2.0 x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (mod_float 2.0 x)) done; !s) [| 0.7 |]).(0)
    (-2.0)

let () =
  rule "fma"
    (Ad.gradient (fun a -> let x = a.(0) in Float.fma x x 1.0) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (Float.fma x x 1.0)) done; !s) [| 0.7 |]).(0)
    (1.4)

let () =
  rule "ldexp"
    (Ad.gradient (fun a -> let x = a.(0) in ldexp x 3) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (ldexp x 3)) done; !s) [| 0.7 |]).(0)
    (8.0)

let () =
  rule "floor"
    (Ad.gradient (fun a -> let x = a.(0) in x *. floor (x *. 10.0)) [| 0.75 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (x *. floor (x *. 10.0))) done; !s) [| 0.75 |]).(0)
    (7.0)

let () =
  rule "round"
    (Ad.gradient (fun a -> let x = a.(0) in Float.round x +. x) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (Float.round x +. x)) done; !s) [| 0.7 |]).(0)
    (1.0)

let () =
  rule "max"
    (Ad.gradient (fun a -> let x = a.(0) in max x 0.5) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (max x 0.5)) done; !s) [| 0.7 |]).(0)
    (1.0)

let () =
  rule "min"
    (Ad.gradient (fun a -> let x = a.(0) in min x 0.5) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (min x 0.5)) done; !s) [| 0.7 |]).(0)
    (0.0)

let () =
  rule "float of int"
    (Ad.gradient (fun a -> let x = a.(0) in x *. float (int_of_float (10.0 *. x))) [| 0.75 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (x *. float (int_of_float (10.0 *. x)))) done; !s) [| 0.75 |]).(0)
    (7.0)

let () =
  rule "abs at 0"
    (Ad.gradient (fun a -> let x = a.(0) in abs_float x) [| 0.0 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (abs_float x)) done; !s) [| 0.0 |]).(0)
    (0.0)

let () =
  rule "sqrt at 0"
    (Ad.gradient (fun a -> let x = a.(0) in sqrt x) [| 0.0 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (sqrt x)) done; !s) [| 0.0 |]).(0)
    (infinity)

let () =
  rule "sqrt at 0, unused"
    (Ad.gradient (fun a -> let x = a.(0) in 0.0 *. sqrt x) [| 0.0 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (0.0 *. sqrt x)) done; !s) [| 0.0 |]).(0)
    (0.0)

let () =
  rule "x ** 0"
    (Ad.gradient (fun a -> let x = a.(0) in x ** 0.0) [| 0.0 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (x ** 0.0)) done; !s) [| 0.0 |]).(0)
    (0.0)

let () =
  rule "0 ** x"
    (Ad.gradient (fun a -> let x = a.(0) in 0.0 ** x) [| 2.0 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (0.0 ** x)) done; !s) [| 2.0 |]).(0)
    (0.0)

let () =
  rule "hypot at 0"
    (Ad.gradient (fun a -> let x = a.(0) in hypot x 0.0) [| 0.0 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (hypot x 0.0)) done; !s) [| 0.0 |]).(0)
    (0.0)

let () =
  rule "log at 0"
    (Ad.gradient (fun a -> let x = a.(0) in log x) [| 0.0 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (log x)) done; !s) [| 0.0 |]).(0)
    (infinity)

let () =
  rule "1 / x at 0"
    (Ad.gradient (fun a -> let x = a.(0) in 1.0 /. x) [| 0.0 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (1.0 /. x)) done; !s) [| 0.0 |]).(0)
    (neg_infinity)

let () =
  rule "abs at nan"
    (Ad.gradient (fun a -> let x = a.(0) in abs_float x) [| nan |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (abs_float x)) done; !s) [| nan |]).(0)
    (nan)

let () =
  rule "exp at infinity"
    (Ad.gradient (fun a -> let x = a.(0) in exp x) [| infinity |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (exp x)) done; !s) [| infinity |]).(0)
    (infinity)

let () =
  rule "frexp"
    (Ad.gradient (fun a -> let x = a.(0) in fst (frexp x)) [| 3.0 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := !s +. (fst (frexp x))) done; !s) [| 3.0 |]).(0)
    (0.25)

let () =
  rule "sum in any order"
    (Ad.gradient (fun a -> let x = a.(0) in Ad.any_order x 2.0) [| 0.7 |]).(0)
    (Ad.gradient (fun a -> let s = ref 0.0 in for i = 0 to 1 do (let x = a.(i - i) in s := Ad.any_order !s x) done; !s) [| 0.7 |]).(0)
    1.0
