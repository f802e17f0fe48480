(* Unicode scalar values *)

[@@@hidden "hash_param"]

[@@@hidden "hexadecimal name"]

type t = int

let min = 0x0000
let max = 0x10FFFF
let bom = 0xFEFF
let rep = 0xFFFD
let is_valid n = (0 <= n && n <= 0xD7FF) || (0xE000 <= n && n <= 0x10FFFF)

let hexadecimal n =
  let rec digits n text =
    let digit = n land 15 in
    let c = unsafe_char_of_int (if digit < 10 then digit + 48 else digit + 55) in
    let one = bytes_unsafe_create 1 in
    bytes_unsafe_set one 0 c;
    let text = bytes_unsafe_to_string one ^ text in
    if n lsr 4 = 0 then text else digits (n lsr 4) text
  in
  digits n ""

(* "U+" and at least four digits. *)
let name n =
  let text = hexadecimal n in
  let zeros =
    match string_length text with
    | 1 -> "000"
    | 2 -> "00"
    | 3 -> "0"
    | _ -> ""
  in
  "U+" ^ zeros ^ text

let succ u =
  if u = 0xD7FF then 0xE000
  else if u = max then invalid_arg "U+10FFFF has no successor"
  else u + 1

let pred u =
  if u = 0xE000 then 0xD7FF
  else if u = min then invalid_arg "U+0000 has no predecessor"
  else u - 1

let of_int n =
  if is_valid n then n else invalid_arg (hexadecimal n ^ " is not a Unicode scalar value")

let unsafe_of_int (n : int) = n
let to_int (u : t) : int = u
let is_char u = u < 256
let of_char c = int_of_char c

let to_char u =
  if u > 255 then invalid_arg (name u ^ " is not a latin1 character") else unsafe_char_of_int u

let unsafe_to_char u = unsafe_char_of_int u
let equal (a : t) (b : t) = a = b
let compare (a : t) (b : t) = compare a b
external hash : int -> int = "%hash"

external hash_param : int -> int -> int -> int -> int = "%hash.param"

let seeded_hash seed x = hash_param 10 100 seed x

(* The result of decoding: how many bytes were used, whether they are valid, and the character. *)
type utf_decode = int

let utf_decode length u = ((8 lor length) lsl 24) lor u
let utf_decode_invalid length = (length lsl 24) lor rep
let utf_decode_is_valid d = d lsr 27 = 1
let utf_decode_length d = (d lsr 24) land 7
let utf_decode_uchar d = d land 0xFFFFFF

let utf_8_decode_length_of_byte = function
  | '\000' .. '\127' -> 1
  | '\194' .. '\223' -> 2
  | '\224' .. '\239' -> 3
  | '\240' .. '\244' -> 4
  | _ -> 0

let max_utf_8_decode_length = 4
let utf_8_byte_length u = if u < 0x80 then 1 else if u < 0x800 then 2 else if u < 0x10000 then 3 else 4
let utf_16_byte_length u = if u < 0x10000 then 2 else 4
