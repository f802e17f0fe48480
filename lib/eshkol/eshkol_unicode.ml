(* Letters, case and digits beyond ASCII.

   The tables (see `Eshkol_unicode_tables`) are texts: a number is three characters of six bits each, most significant
   first, from '#' upwards without the backslash. They are searched by halves.

     alphabetic, uppers, lowers   first last                 ranges
     ups, downs, folds            first last step distance   characters that change by a distance
     long_ups, long_folds         character a b c            characters that become two or three
     zeros                        zero                       ten digits from there on *)

external length : string -> int = "%string.length"
external byte : string -> int -> char = "%string.unsafe_get"
external code : char -> int = "%char.code"

open Eshkol_unicode_tables

let[@inline never] digit table at =
  let c = code (byte table at) in
  if c > 92 then c - 36 else c - 35

let[@inline never] number table at = (digit table at * 4096) + (digit table (at + 1) * 64) + digit table (at + 2)

(* Where the last entry begins whose first number is not above [c]; -1 if there is none. *)
let[@inline never] entry table width c =
  let rec search low high =
    if low >= high then (low - 1) * width
    else
      let middle = (low + high) / 2 in
      if number table (middle * width) <= c then search (middle + 1) high else search low middle
  in
  search 0 (length table / width)

let[@inline never] in_ranges table c =
  let at = entry table 6 c in
  at >= 0 && c <= number table (at + 3)

(* The character that [c] becomes; -1 if the table does not say. *)
let[@inline never] mapped table c =
  let at = entry table 10 c in
  if at >= 0 && c <= number table (at + 3) && (c - number table at) mod digit table (at + 6) = 0 then
    c + number table (at + 7) - 131072
  else -1

let[@inline never] wide_up c =
  let it = mapped ups c in
  if it < 0 then c else it

let[@inline never] wide_down c =
  let it = mapped downs c in
  if it < 0 then c else it

let up c = if c < 128 then if c >= 97 && c <= 122 then c - 32 else c else wide_up c
let down c = if c < 128 then if c >= 65 && c <= 90 then c + 32 else c else wide_down c

let[@inline never] wide_fold c =
  let it = mapped folds c in
  if it < 0 then wide_down c else it

let fold c = if c < 128 then down c else wide_fold c

(* Where the characters begin that [c] becomes; -1 if it becomes one. The last of three may be 0. *)
let long table c =
  if c < 128 then -1
  else
    let at = entry table 12 c in
    if at >= 0 && number table at = c then at + 3 else -1

let is_alphabetic c = if c < 128 then up c <> c || down c <> c else in_ranges alphabetic c
let is_upper c = if c < 128 then down c <> c else (down c <> c && up c = c && long long_ups c < 0) || in_ranges uppers c
let is_lower c = if c < 128 then up c <> c else (up c <> c && down c = c) || in_ranges lowers c

let[@inline never] wide_digit c =
  let at = entry zeros 3 c in
  if at >= 0 && c - number zeros at < 10 then c - number zeros at else -1

(* The value of a digit; -1 for all else. *)
let digit_value c = if c < 128 then if c >= 48 && c <= 57 then c - 48 else -1 else wide_digit c

let is_blank c =
  c = 32
  || (c >= 9 && c <= 13)
  || c >= 128
     && (c = 0x85 || c = 0xA0 || c = 0x1680 || (c >= 0x2000 && c <= 0x200A) || c = 0x2028 || c = 0x2029 || c = 0x202F || c = 0x205F || c = 0x3000)
