(* Characters *)

[@@@hidden "hash_param"]

type t = char

external code : char -> int = "%char.code"
external unsafe_chr : int -> char = "%char.unsafe_chr"

let[@inline] chr n = if int_ult n 256 then unsafe_chr n else invalid_arg "Char.chr"

let escaped = function
  | '\'' -> "\\'"
  | '\\' -> "\\\\"
  | '\n' -> "\\n"
  | '\t' -> "\\t"
  | '\r' -> "\\r"
  | '\b' -> "\\b"
  | ' ' .. '~' as c ->
      let text = bytes_unsafe_create 1 in
      bytes_unsafe_set text 0 c;
      bytes_unsafe_to_string text
  | c ->
      let n = code c in
      let text = bytes_unsafe_create 4 in
      bytes_unsafe_set text 0 '\\';
      bytes_unsafe_set text 1 (unsafe_chr (48 + int_unsafe_div n 100));
      bytes_unsafe_set text 2 (unsafe_chr (48 + int_unsafe_mod (int_unsafe_div n 10) 10));
      bytes_unsafe_set text 3 (unsafe_chr (48 + int_unsafe_mod n 10));
      bytes_unsafe_to_string text

let[@inline] lowercase_ascii c =
  match c with
  | 'A' .. 'Z' -> unsafe_chr (code c + 32)
  | _ -> c

let[@inline] uppercase_ascii c =
  match c with
  | 'a' .. 'z' -> unsafe_chr (code c - 32)
  | _ -> c

(* Latin-1 *)

let lowercase c =
  match c with
  | 'A' .. 'Z' | '\192' .. '\214' | '\216' .. '\222' -> unsafe_chr (code c + 32)
  | _ -> c

let uppercase c =
  match c with
  | 'a' .. 'z' | '\224' .. '\246' | '\248' .. '\254' -> unsafe_chr (code c - 32)
  | _ -> c

let compare a b = code a - code b
let equal (a : t) (b : t) = a = b

external hash : char -> int = "%hash"
external hash_param : int -> int -> int -> char -> int = "%hash.param"

let seeded_hash seed x = hash_param 10 100 seed x

module Ascii = struct
  let min = '\000'
  let max = '\127'
  let is_valid c = c <= max
  let is_upper = function 'A' .. 'Z' -> true | _ -> false
  let is_lower = function 'a' .. 'z' -> true | _ -> false
  let is_letter = function 'A' .. 'Z' | 'a' .. 'z' -> true | _ -> false
  let is_alphanum = function '0' .. '9' | 'A' .. 'Z' | 'a' .. 'z' -> true | _ -> false
  let is_white = function ' ' | '\t' | '\n' | '\011' | '\012' | '\r' -> true | _ -> false
  let is_blank = function ' ' | '\t' -> true | _ -> false
  let is_graphic = function '!' .. '~' -> true | _ -> false
  let is_print = function ' ' .. '~' -> true | _ -> false
  let is_control = function '\000' .. '\031' | '\127' -> true | _ -> false
  let is_digit = function '0' .. '9' -> true | _ -> false
  let is_hex_digit = function '0' .. '9' | 'A' .. 'F' | 'a' .. 'f' -> true | _ -> false

  let digit_to_int = function
    | '0' .. '9' as c -> code c - 48
    | c -> invalid_arg (escaped c ^ ": not a decimal digit")

  let digit_of_int n = unsafe_chr (48 + abs (n mod 10))

  let hex_digit_to_int = function
    | '0' .. '9' as c -> code c - 48
    | 'A' .. 'F' as c -> code c - 55
    | 'a' .. 'f' as c -> code c - 87
    | c -> invalid_arg (escaped c ^ ": not a hexadecimal digit")

  let lower_hex_digit_of_int n =
    let digit = abs (n mod 16) in
    unsafe_chr (if digit < 10 then 48 + digit else 87 + digit)

  let upper_hex_digit_of_int n =
    let digit = abs (n mod 16) in
    unsafe_chr (if digit < 10 then 48 + digit else 55 + digit)

  let uppercase = uppercase_ascii
  let lowercase = lowercase_ascii
end
