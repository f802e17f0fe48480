(* Integers of 32 bits *)

[@@@hidden "hash_param"]

[@@@hidden "unsafe_div unsafe_rem unsigned_less parse"]

type t = int32

external neg : int32 -> int32 = "%int32.neg"
external add : int32 -> int32 -> int32 = "%int32.add"
external sub : int32 -> int32 -> int32 = "%int32.sub"
external mul : int32 -> int32 -> int32 = "%int32.mul"
external unsafe_div : int32 -> int32 -> int32 = "%int32.unsafe_div"
external unsafe_rem : int32 -> int32 -> int32 = "%int32.unsafe_mod"
external unsigned_less : int32 -> int32 -> bool = "%int32.ult"
external logand : int32 -> int32 -> int32 = "%int32.and"
external logor : int32 -> int32 -> int32 = "%int32.or"
external logxor : int32 -> int32 -> int32 = "%int32.xor"
external shift_left : int32 -> int -> int32 = "%int32.shl"
external shift_right : int32 -> int -> int32 = "%int32.asr"
external shift_right_logical : int32 -> int -> int32 = "%int32.lsr"
external of_int : int -> int32 = "%int.to_int32"
external to_int : int32 -> int = "%int32.to_int"
external of_float : float -> int32 = "%float.to_int32"
external to_float : int32 -> float = "%int32.to_float"
external bits_of_float : float -> int32 = "%float.bits32"
external float_of_bits : int32 -> float = "%float.of_bits32"

let zero = 0l
let one = 1l
let minus_one = -1l
let max_int = 2147483647l
let min_int = -2147483648l
let[@inline] div a b =
  if b = 0l then (
    traced_note 4 "" Division_by_zero;
    raise Division_by_zero)
  else unsafe_div a b
let[@inline] rem a b =
  if b = 0l then (
    traced_note 4 "" Division_by_zero;
    raise Division_by_zero)
  else unsafe_rem a b
let succ n = add n 1l
let pred n = sub n 1l
let abs n = if n >= 0l then n else neg n
let lognot n = logxor n (-1l)
let compare (a : t) (b : t) = compare a b
let equal (a : t) (b : t) = a = b
let unsigned_compare a b = if unsigned_less a b then -1 else if a = b then 0 else 1
let min (a : t) (b : t) = if a <= b then a else b
let max (a : t) (b : t) = if a >= b then a else b

let unsigned_div n d =
  if d < 0l then if unsigned_less n d then 0l else 1l
  else
    (* At most one too small. *)
    let q = shift_left (div (shift_right_logical n 1) d) 1 in
    if unsigned_less (sub n (mul q d)) d then q else succ q

let unsigned_rem n d = sub n (mul (unsigned_div n d) d)

let unsigned_to_int n = Some (to_int n land 0xFFFF_FFFF)

let to_string n = string_of_int (to_int n)
let format text n = Oxbow_format.int32 text n

let parse text =
  let length = string_length text in
  let start = number_start text in
  let prefix = number_prefix text start in
  let base = number_base prefix in
  let first = if prefix = ' ' then start else start + 2 in
  if first >= length || digit_value (string_unsafe_get text first) >= base then raise Bad_number;
  let rec loop at value =
    if at >= length then value
    else
      let c = string_unsafe_get text at in
      if c = '_' then loop (at + 1) value
      else
        let digit = digit_value c in
        let next = (value * base) + digit in
        if digit >= base || next > 0xFFFF_FFFF then raise Bad_number else loop (at + 1) next
  in
  let size = loop first 0 in
  let negative = number_is_negative text in
  let limit = if negative then 0x8000_0000 else 0x7FFF_FFFF in
  if prefix = ' ' && size > limit then raise Bad_number;
  of_int (if negative then -size else size)

let of_string text = try parse text with Bad_number -> failwith "Int32.of_string"
let of_string_opt text = try Some (parse text) with Bad_number -> None

external hash : int32 -> int = "%hash"
external hash_param : int -> int -> int -> int32 -> int = "%hash.param"

let seeded_hash seed x = hash_param 10 100 seed x
