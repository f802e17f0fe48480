(* Integers *)

[@@@hidden "hash_param"]

type t = int

external neg : int -> int = "%int.neg"
external add : int -> int -> int = "%int.add"
external sub : int -> int -> int = "%int.sub"
external mul : int -> int -> int = "%int.mul"
external logand : int -> int -> int = "%int.and"
external logor : int -> int -> int = "%int.or"
external logxor : int -> int -> int = "%int.xor"
external shift_left : int -> int -> int = "%int.shl"
external shift_right : int -> int -> int = "%int.asr"
external shift_right_logical : int -> int -> int = "%int.lsr"
external to_float : int -> float = "%int.to_float"
external of_float : float -> int = "%float.to_int"

let zero = 0
let one = 1
let minus_one = -1
let max_int = max_int
let min_int = min_int
let[@inline] div a b = a / b
let[@inline] rem a b = a mod b
let[@inline] succ n = n + 1
let[@inline] pred n = n - 1
let[@inline] abs n = if n >= 0 then n else -n
let[@inline] lognot n = n lxor (-1)
let[@inline] equal (a : t) (b : t) = a = b
let[@inline] compare (a : t) (b : t) = compare a b
let[@inline] min (a : t) (b : t) = if a <= b then a else b
let[@inline] max (a : t) (b : t) = if a >= b then a else b
let to_string = string_of_int

external hash : int -> int = "%hash"
external hash_param : int -> int -> int -> int -> int = "%hash.param"

let seeded_hash seed x = hash_param 10 100 seed x
