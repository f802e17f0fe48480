(* Floating-point numbers *)

[@@@hidden "before"]

type t = float

external neg : float -> float = "%float.neg"
external add : float -> float -> float = "%float.add"
external sub : float -> float -> float = "%float.sub"
external mul : float -> float -> float = "%float.mul"
external div : float -> float -> float = "%float.div"
external fma : float -> float -> float -> float = "%float.fma"
external rem : float -> float -> float = "%float.rem"
external abs : float -> float = "%float.abs"
external of_int : int -> float = "%int.to_float"
external to_int : float -> int = "%float.to_int"
external pow : float -> float -> float = "%float.pow"
external sqrt : float -> float = "%float.sqrt"
external cbrt : float -> float = "%float.cbrt"
external exp : float -> float = "%float.exp"
external exp2 : float -> float = "%float.exp2"
external log : float -> float = "%float.log"
external log10 : float -> float = "%float.log10"
external log2 : float -> float = "%float.log2"
external expm1 : float -> float = "%float.expm1"
external log1p : float -> float = "%float.log1p"
external cos : float -> float = "%float.cos"
external sin : float -> float = "%float.sin"
external tan : float -> float = "%float.tan"
external acos : float -> float = "%float.acos"
external asin : float -> float = "%float.asin"
external atan : float -> float = "%float.atan"
external atan2 : float -> float -> float = "%float.atan2"
external hypot : float -> float -> float = "%float.hypot"
external cosh : float -> float = "%float.cosh"
external sinh : float -> float = "%float.sinh"
external tanh : float -> float = "%float.tanh"
external acosh : float -> float = "%float.acosh"
external asinh : float -> float = "%float.asinh"
external atanh : float -> float = "%float.atanh"
external erf : float -> float = "%float.erf"
external erfc : float -> float = "%float.erfc"
external trunc : float -> float = "%float.trunc"
external round : float -> float = "%float.round"
external ceil : float -> float = "%float.ceil"
external floor : float -> float = "%float.floor"
external next_after : float -> float -> float = "%float.nextafter"
external copy_sign : float -> float -> float = "%float.copysign"
external ldexp : float -> int -> float = "%float.ldexp"
external hash : float -> int = "%hash"

type fpclass = Stdlib.fpclass =
  | FP_normal
  | FP_subnormal
  | FP_zero
  | FP_infinite
  | FP_nan

let zero = 0.0
let one = 1.0
let minus_one = -1.0
let infinity = infinity
let neg_infinity = neg_infinity
let nan = nan
let pi = 3.14159265358979312
let max_float = max_float
let min_float = min_float
let epsilon = epsilon_float
let is_finite (x : t) = x -. x = 0.0
let is_infinite (x : t) = 1.0 /. x = 0.0
let is_nan (x : t) = x <> x
let is_integer (x : t) = x = trunc x && is_finite x
let of_string = float_of_string
let of_string_opt = float_of_string_opt
let to_string = string_of_float
let classify_float = classify_float
let frexp = frexp
let modf = modf
let succ x = next_after x infinity
let pred x = next_after x neg_infinity
let sign_bit x = float_bits x < 0L
let compare (x : t) (y : t) = compare x y
let equal x y = compare x y = 0

(* Whether [x] comes before [y], where -0 comes before 0. *)
let[@inline] before (x : t) (y : t) = y > x || ((not (sign_bit y)) && sign_bit x)

let min x y =
  if before x y then if is_nan y then y else x else if is_nan x then x else y

let max x y =
  if before x y then if is_nan x then x else y else if is_nan y then y else x

let min_max x y =
  if is_nan x || is_nan y then (nan, nan) else if before x y then (x, y) else (y, x)

let min_num x y =
  if before x y then if is_nan x then y else x else if is_nan y then x else y

let max_num x y =
  if before x y then if is_nan y then x else y else if is_nan x then y else x

let min_max_num x y =
  if is_nan x then (y, y)
  else if is_nan y then (x, x)
  else if before x y then (x, y)
  else (y, x)
