(* Unicode scalar values *)

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
  if is_valid n then n else invalid_arg (hexadecimal n ^ " is not an Unicode scalar value")

let unsafe_of_int (n : int) = n
let to_int (u : t) : int = u
let is_char u = u < 256
let of_char c = int_of_char c

let to_char u =
  if u > 255 then invalid_arg (name u ^ " is not a latin1 character") else unsafe_char_of_int u

let unsafe_to_char u = unsafe_char_of_int u
let equal (a : t) (b : t) = a = b
let compare (a : t) (b : t) = compare a b
let hash (u : t) : int = u
