(* covers: K10
   Every function that has a derivative, at points where floats overflow, underflow, have a sign or no value: all modes
   give what the formula says, for first and second derivatives. Where the function or its derivative is infinite, so
   may be what follows. *)

let ln2 = log 2.
let ln10 = log 10.
let rp = 2. /. sqrt (acos (-1.))
let points = [ -1e3; -2.5; -1.; -0.0; 0.; 1e-300; 0.5; 1.; 2.5; 1e3; 1e300 ]

let same a b =
  (a <> a && b <> b) || a = b
  || abs_float (a -. b) <= 1e-11 *. (abs_float a +. abs_float b)
  || abs_float (a -. b) < 1e-14

let roots x = sqrt (x -. 1.) *. sqrt (x +. 1.)
let is_infinite x = abs_float x = infinity
let is_finite x = x -. x = 0.
let compared = ref 0
let different = ref 0

let tell name x mode strict got want =
  incr compared;
  if not (same got want || ((not (strict && is_finite want)) && not (is_finite got))) then begin
    incr different;
    Printf.printf "%s at %g: %s is %.17g, not %.17g\n" name x mode got want
  end

module Check (F : sig
  val name : string
  val f : float -> float
  val d : float -> float
  val dd : float -> float
end) =
struct
  let () =
    let hidden = Sys.opaque_identity (fun x -> F.f x) in
    let at x =
      let value = F.f x and d = F.d x and dd = F.dd x in
      let first mode got = tell F.name x mode (not (is_infinite value)) got d in
      let second mode got = tell F.name x mode (not (is_infinite value || is_infinite d)) got dd in
      first "derivative" (Ad.derivative (fun x -> F.f x) x);
      first "gradient" (Ad.gradient (fun a -> F.f a.(0)) [| x |]).(0);
      first "gradient by the tape" (Ad.gradient (fun a -> hidden a.(0)) [| x |]).(0);
      first "jvp" (snd (Ad.jvp (fun a -> [| F.f a.(0) |]) [| x |] [| 1. |])).(0);
      first "vjp" (snd (Ad.vjp (fun a -> [| F.f a.(0) |]) [| x |] [| 1. |])).(0);
      let terms = Ad.taylor 3 (fun x -> F.f x) x in
      first "taylor" terms.(1);
      second "taylor of order 2" (2. *. terms.(2));
      second "hessian" (Ad.hessian (fun a -> F.f a.(0)) [| x |]).(0).(0);
      second "derivative twice" (Ad.derivative (fun x -> Ad.derivative (fun x -> F.f x) x) x)
    in
    List.iter at points
end

module _ = Check (struct
  let name = "exp x"
  let f x = exp x
  let d x = exp x
  let dd x = exp x
end)

module _ = Check (struct
  let name = "expm1 x"
  let f x = expm1 x
  let d x = exp x
  let dd x = exp x
end)

module _ = Check (struct
  let name = "Float.exp2 x"
  let f x = Float.exp2 x
  let d x = ln2 *. Float.exp2 x
  let dd x = ln2 *. ln2 *. Float.exp2 x
end)

module _ = Check (struct
  let name = "log x"
  let f x = log x
  let d x = 1. /. x
  let dd x = -1. /. x /. x
end)

module _ = Check (struct
  let name = "log1p x"
  let f x = log1p x
  let d x = 1. /. (1. +. x)
  let dd x = -1. /. (1. +. x) /. (1. +. x)
end)

module _ = Check (struct
  let name = "Float.log2 x"
  let f x = Float.log2 x
  let d x = 1. /. (ln2 *. x)
  let dd x = -1. /. (ln2 *. x) /. x
end)

module _ = Check (struct
  let name = "log10 x"
  let f x = log10 x
  let d x = 1. /. (ln10 *. x)
  let dd x = -1. /. (ln10 *. x) /. x
end)

module _ = Check (struct
  let name = "sqrt x"
  let f x = sqrt x
  let d x = 0.5 /. sqrt x
  let dd x = -0.25 /. sqrt x /. x
end)

module _ = Check (struct
  let name = "Float.cbrt x"
  let f x = Float.cbrt x
  let d x = 1. /. (3. *. Float.cbrt x *. Float.cbrt x)
  let dd x = -2. /. (9. *. Float.cbrt x *. Float.cbrt x) /. x
end)

module _ = Check (struct
  let name = "sin x"
  let f x = sin x
  let d x = cos x
  let dd x = -. sin x
end)

module _ = Check (struct
  let name = "cos x"
  let f x = cos x
  let d x = -. sin x
  let dd x = -. cos x
end)

module _ = Check (struct
  let name = "tan x"
  let f x = tan x
  let d x = 1. +. tan x *. tan x
  let dd x = 2. *. tan x *. (1. +. tan x *. tan x)
end)

module _ = Check (struct
  let name = "asin x"
  let f x = asin x
  let d x = 1. /. (sqrt (1. -. x) *. sqrt (1. +. x))
  let dd x = x /. ((sqrt (1. -. x) *. sqrt (1. +. x)) ** 3.)
end)

module _ = Check (struct
  let name = "acos x"
  let f x = acos x
  let d x = -1. /. (sqrt (1. -. x) *. sqrt (1. +. x))
  let dd x = -. x /. ((sqrt (1. -. x) *. sqrt (1. +. x)) ** 3.)
end)

module _ = Check (struct
  let name = "atan x"
  let f x = atan x
  let d x = 1. /. (1. +. x *. x)
  let dd x = -2. /. (1. +. x *. x) *. (x /. (1. +. x *. x))
end)

module _ = Check (struct
  let name = "sinh x"
  let f x = sinh x
  let d x = cosh x
  let dd x = sinh x
end)

module _ = Check (struct
  let name = "cosh x"
  let f x = cosh x
  let d x = sinh x
  let dd x = cosh x
end)

module _ = Check (struct
  let name = "tanh x"
  let f x = tanh x
  let d x = (1. -. tanh x) *. (1. +. tanh x)
  let dd x = -2. *. tanh x *. ((1. -. tanh x) *. (1. +. tanh x))
end)

module _ = Check (struct
  let name = "Float.asinh x"
  let f x = Float.asinh x
  let d x = 1. /. hypot 1. x
  let dd x = -. (x /. hypot 1. x) /. hypot 1. x /. hypot 1. x
end)

module _ = Check (struct
  let name = "Float.acosh x"
  let f x = Float.acosh x
  let d x = 1. /. (roots x)
  let dd x = -. (x /. (roots x)) /. (roots x) /. (roots x)
end)

module _ = Check (struct
  let name = "Float.atanh x"
  let f x = Float.atanh x
  let d x = 1. /. (1. -. x *. x)
  let dd x = 2. *. x /. (1. -. x *. x) /. (1. -. x *. x)
end)

module _ = Check (struct
  let name = "Float.erf x"
  let f x = Float.erf x
  let d x = rp *. exp (-. x *. x)
  let dd x = if abs_float x > 100. then 0. else -2. *. x *. rp *. exp (-. x *. x)
end)

module _ = Check (struct
  let name = "Float.erfc x"
  let f x = Float.erfc x
  let d x = -. rp *. exp (-. x *. x)
  let dd x = if abs_float x > 100. then 0. else 2. *. x *. rp *. exp (-. x *. x)
end)

module _ = Check (struct
  let name = "abs_float x"
  let f x = abs_float x
  let d x = if x > 0. then 1. else if x < 0. then -1. else 0.
  let dd _ = 0.
end)

module _ = Check (struct
  let name = "-. x"
  let f x = -. x
  let d _ = -1.
  let dd _ = 0.
end)

module _ = Check (struct
  let name = "x *. x"
  let f x = x *. x
  let d x = 2. *. x
  let dd _ = 2.
end)

module _ = Check (struct
  let name = "x *. x *. x"
  let f x = x *. x *. x
  let d x = 3. *. x *. x
  let dd x = 6. *. x
end)

module _ = Check (struct
  let name = "3. /. x"
  let f x = 3. /. x
  let d x = -3. /. x /. x
  let dd x = 6. /. x /. x /. x
end)

module _ = Check (struct
  let name = "x /. 3."
  let f x = x /. 3.
  let d _ = 1. /. 3.
  let dd _ = 0.
end)

module _ = Check (struct
  let name = "x ** 0."
  let f x = x ** 0.
  let d _ = 0.
  let dd _ = 0.
end)

module _ = Check (struct
  let name = "x ** 1."
  let f x = x ** 1.
  let d _ = 1.
  let dd _ = 0.
end)

module _ = Check (struct
  let name = "x ** 2."
  let f x = x ** 2.
  let d x = 2. *. x
  let dd _ = 2.
end)

module _ = Check (struct
  let name = "x ** 3."
  let f x = x ** 3.
  let d x = 3. *. x *. x
  let dd x = 6. *. x
end)

module _ = Check (struct
  let name = "x ** (-1.)"
  let f x = x ** (-1.)
  let d x = -1. /. x /. x
  let dd x = 2. /. x /. x /. x
end)

module _ = Check (struct
  let name = "x ** (-2.)"
  let f x = x ** (-2.)
  let d x = -2. *. x ** (-3.)
  let dd x = 6. *. x ** (-4.)
end)

module _ = Check (struct
  let name = "x ** 0.5"
  let f x = x ** 0.5
  let d x = 0.5 *. x ** (-0.5)
  let dd x = -0.25 *. x ** (-1.5)
end)

module _ = Check (struct
  let name = "x ** 2.5"
  let f x = x ** 2.5
  let d x = 2.5 *. x ** 1.5
  let dd x = 3.75 *. x ** 0.5
end)

module _ = Check (struct
  let name = "x ** 2000."
  let f x = x ** 2000.
  let d x = 2000. *. x ** 1999.
  let dd x = 1999. *. 2000. *. x ** 1998.
end)

module _ = Check (struct
  let name = "2. ** x"
  let f x = 2. ** x
  let d x = ln2 *. 2. ** x
  let dd x = ln2 *. ln2 *. 2. ** x
end)

module _ = Check (struct
  let name = "0.5 ** x"
  let f x = 0.5 ** x
  let d x = -. ln2 *. 0.5 ** x
  let dd x = ln2 *. ln2 *. 0.5 ** x
end)

module _ = Check (struct
  let name = "0. ** (x +. 3.)"
  let f x = 0. ** (x +. 3.)
  let d _ = 0.
  let dd _ = 0.
end)

module _ = Check (struct
  let name = "1. ** x"
  let f x = 1. ** x
  let d _ = 0.
  let dd _ = 0.
end)

module _ = Check (struct
  let name = "hypot x 3."
  let f x = hypot x 3.
  let d x = x /. hypot x 3.
  let dd x = 9. /. hypot x 3. /. hypot x 3. /. hypot x 3.
end)

module _ = Check (struct
  let name = "hypot 4. x"
  let f x = hypot 4. x
  let d x = x /. hypot x 4.
  let dd x = 16. /. hypot x 4. /. hypot x 4. /. hypot x 4.
end)

module _ = Check (struct
  let name = "hypot x 0."
  let f x = hypot x 0.
  let d x = if x > 0. then 1. else if x < 0. then -1. else 0.
  let dd _ = 0.
end)

module _ = Check (struct
  let name = "Float.atan2 x 2."
  let f x = Float.atan2 x 2.
  let d x = 2. /. hypot x 2. /. hypot x 2.
  let dd x = -4. *. (x /. hypot x 2.) /. hypot x 2. /. hypot x 2. /. hypot x 2.
end)

module _ = Check (struct
  let name = "Float.atan2 2. x"
  let f x = Float.atan2 2. x
  let d x = -2. /. hypot x 2. /. hypot x 2.
  let dd x = 4. *. (x /. hypot x 2.) /. hypot x 2. /. hypot x 2. /. hypot x 2.
end)

module _ = Check (struct
  let name = "Float.rem x 3."
  let f x = Float.rem x 3.
  let d _ = 1.
  let dd _ = 0.
end)

module _ = Check (struct
  let name = "Float.fma x 3. x"
  let f x = Float.fma x 3. x
  let d _ = 4.
  let dd _ = 0.
end)

module _ = Check (struct
  let name = "copysign x 1."
  let f x = copysign x 1.
  let d x = if 1. /. x > 0. then 1. else -1.
  let dd _ = 0.
end)

module _ = Check (struct
  let name = "Float.max x 0.5"
  let f x = Float.max x 0.5
  let d x = if x > 0.5 || x = 0.5 then 1. else 0.
  let dd _ = 0.
end)

module _ = Check (struct
  let name = "floor x"
  let f x = floor x
  let d _ = 0.
  let dd _ = 0.
end)

module _ = Check (struct
  let name = "ldexp x 3"
  let f x = ldexp x 3
  let d _ = 8.
  let dd _ = 0.
end)

module _ = Check (struct
  let name = "tanh x *. tanh x"
  let f x = tanh x *. tanh x
  let d x = 2. *. tanh x *. ((1. -. tanh x) *. (1. +. tanh x))
  let dd x = let t = tanh x in let d = (1. -. t) *. (1. +. t) in 2. *. d *. d -. 4. *. t *. t *. d
end)

let () = Printf.printf "%d comparisons, %d differ\n" !compared !different
