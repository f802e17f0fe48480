(* Characters *)

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
