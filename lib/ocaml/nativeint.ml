(* Integers of the machine: 64 bits, with the primitives of [int64] *)

[@@@hidden "hash_param"]

[@@@hidden "unsafe_div unsafe_rem unsigned_less of_int64 to_int64 parse"]

type t = nativeint

external neg : nativeint -> nativeint = "%int64.neg"
external add : nativeint -> nativeint -> nativeint = "%int64.add"
external sub : nativeint -> nativeint -> nativeint = "%int64.sub"
external mul : nativeint -> nativeint -> nativeint = "%int64.mul"
external unsafe_div : nativeint -> nativeint -> nativeint = "%int64.unsafe_div"
external unsafe_rem : nativeint -> nativeint -> nativeint = "%int64.unsafe_mod"
external unsigned_less : nativeint -> nativeint -> bool = "%int64.ult"
external logand : nativeint -> nativeint -> nativeint = "%int64.and"
external logor : nativeint -> nativeint -> nativeint = "%int64.or"
external logxor : nativeint -> nativeint -> nativeint = "%int64.xor"
external shift_left : nativeint -> int -> nativeint = "%int64.shl"
external shift_right : nativeint -> int -> nativeint = "%int64.asr"
external shift_right_logical : nativeint -> int -> nativeint = "%int64.lsr"
external of_int : int -> nativeint = "%int.to_int64"
external to_int : nativeint -> int = "%int64.to_int"
external of_float : float -> nativeint = "%float.to_int64"
external to_float : nativeint -> float = "%int64.to_float"
external of_int32 : int32 -> nativeint = "%int32.to_int64"
external to_int32 : nativeint -> int32 = "%int64.to_int32"
external of_int64 : int64 -> nativeint = "%int64.to_int64"
external to_int64 : nativeint -> int64 = "%int64.to_int64"

let zero = 0n
let one = 1n
let minus_one = -1n
let max_int = 9223372036854775807n
let min_int = -9223372036854775808n
let size = 64
let[@inline] div a b =
  if b = 0n then (
    traced_note 4 "" Division_by_zero;
    raise Division_by_zero)
  else unsafe_div a b
let[@inline] rem a b =
  if b = 0n then (
    traced_note 4 "" Division_by_zero;
    raise Division_by_zero)
  else unsafe_rem a b
let succ n = add n 1n
let pred n = sub n 1n
let abs n = if n >= 0n then n else neg n
let lognot n = logxor n (-1n)
let compare (a : t) (b : t) = compare a b
let equal (a : t) (b : t) = a = b
let unsigned_compare a b = if unsigned_less a b then -1 else if a = b then 0 else 1
let min (a : t) (b : t) = if a <= b then a else b
let max (a : t) (b : t) = if a >= b then a else b

let unsigned_div n d =
  if d < 0n then if unsigned_less n d then 0n else 1n
  else
    (* At most one too small. *)
    let q = shift_left (div (shift_right_logical n 1) d) 1 in
    if unsigned_less (sub n (mul q d)) d then q else succ q

let unsigned_rem n d = sub n (mul (unsigned_div n d) d)

let unsigned_to_int n =
  if n >= 0n && n <= of_int Stdlib.max_int then Some (to_int n) else None

let to_string n = Oxbow_format.signed_decimal64 (to_int64 n)
let format text n = Oxbow_format.nativeint text n

let parse text = of_int64 (Int64.parse text)
let of_string text = try parse text with Bad_number -> failwith "Nativeint.of_string"
let of_string_opt text = try Some (parse text) with Bad_number -> None

external hash : nativeint -> int = "%hash"
external hash_param : int -> int -> int -> nativeint -> int = "%hash.param"

let seeded_hash seed x = hash_param 10 100 seed x
