(* Integers of 64 bits *)

[@@@hidden "hash_param"]

[@@@hidden "unsafe_div unsafe_rem unsigned_less parse"]

type t = int64

external neg : int64 -> int64 = "%int64.neg"
external add : int64 -> int64 -> int64 = "%int64.add"
external sub : int64 -> int64 -> int64 = "%int64.sub"
external mul : int64 -> int64 -> int64 = "%int64.mul"
external unsafe_div : int64 -> int64 -> int64 = "%int64.unsafe_div"
external unsafe_rem : int64 -> int64 -> int64 = "%int64.unsafe_mod"
external unsigned_less : int64 -> int64 -> bool = "%int64.ult"
external logand : int64 -> int64 -> int64 = "%int64.and"
external logor : int64 -> int64 -> int64 = "%int64.or"
external logxor : int64 -> int64 -> int64 = "%int64.xor"
external shift_left : int64 -> int -> int64 = "%int64.shl"
external shift_right : int64 -> int -> int64 = "%int64.asr"
external shift_right_logical : int64 -> int -> int64 = "%int64.lsr"
external of_int : int -> int64 = "%int.to_int64"
external to_int : int64 -> int = "%int64.to_int"
external of_float : float -> int64 = "%float.to_int64"
external to_float : int64 -> float = "%int64.to_float"
external of_int32 : int32 -> int64 = "%int32.to_int64"
external to_int32 : int64 -> int32 = "%int64.to_int32"
external of_nativeint : nativeint -> int64 = "%int64.to_int64"
external to_nativeint : int64 -> nativeint = "%int64.to_int64"
external bits_of_float : float -> int64 = "%float.bits"
external float_of_bits : int64 -> float = "%float.of_bits"

let zero = 0L
let one = 1L
let minus_one = -1L
let max_int = 9223372036854775807L
let min_int = -9223372036854775808L
let[@inline] div a b =
  if b = 0L then (
    traced_note 4 "" Division_by_zero;
    raise Division_by_zero)
  else unsafe_div a b
let[@inline] rem a b =
  if b = 0L then (
    traced_note 4 "" Division_by_zero;
    raise Division_by_zero)
  else unsafe_rem a b
let succ n = add n 1L
let pred n = sub n 1L
let abs n = if n >= 0L then n else neg n
let lognot n = logxor n (-1L)
let compare (a : t) (b : t) = compare a b
let equal (a : t) (b : t) = a = b
let unsigned_compare a b = if unsigned_less a b then -1 else if a = b then 0 else 1
let min (a : t) (b : t) = if a <= b then a else b
let max (a : t) (b : t) = if a >= b then a else b

let unsigned_div n d =
  if d < 0L then if unsigned_less n d then 0L else 1L
  else
    (* At most one too small. *)
    let q = shift_left (div (shift_right_logical n 1) d) 1 in
    if unsigned_less (sub n (mul q d)) d then q else succ q

let unsigned_rem n d = sub n (mul (unsigned_div n d) d)

let unsigned_to_int n =
  if n >= 0L && n <= of_int Stdlib.max_int then Some (to_int n) else None

let to_string n = Oxbow_format.signed_decimal64 n
let format text n = Oxbow_format.int64 text n

let parse text =
  let length = string_length text in
  let start = number_start text in
  let prefix = number_prefix text start in
  let base = number_base prefix in
  let first = if prefix = ' ' then start else start + 2 in
  if first >= length || digit_value (string_unsafe_get text first) >= base then raise Bad_number;
  let wide_base = of_int base in
  (* The greatest unsigned number divided by the base. *)
  let limit =
    match base with
    | 16 -> 0x0FFF_FFFF_FFFF_FFFFL
    | 8 -> 0x1FFF_FFFF_FFFF_FFFFL
    | 2 -> max_int
    | _ -> 1844674407370955161L
  in
  let rec loop at value =
    if at >= length then value
    else
      let c = string_unsafe_get text at in
      if c = '_' then loop (at + 1) value
      else
        let digit = digit_value c in
        if digit >= base || unsigned_less limit value then raise Bad_number
        else
          let next = add (mul value wide_base) (of_int digit) in
          if unsigned_less next (of_int digit) then raise Bad_number else loop (at + 1) next
  in
  let size = loop first 0L in
  let negative = number_is_negative text in
  if prefix = ' ' && size < 0L && not (negative && size = min_int) then raise Bad_number;
  if negative then neg size else size

let of_string text = try parse text with Bad_number -> failwith "Int64.of_string"
let of_string_opt text = try Some (parse text) with Bad_number -> None

external hash : int64 -> int = "%hash"
external hash_param : int -> int -> int -> int64 -> int = "%hash.param"

let seeded_hash seed x = hash_param 10 100 seed x
