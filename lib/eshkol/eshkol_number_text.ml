(* Numbers as text, and back. *)

open Eshkol_value
open Eshkol_num

let[@inline never] slice s from count =
  let b = bytes_create count in
  bytes_unsafe_blit_string s from b 0 count;
  bytes_unsafe_to_string b

let[@inline never] [@rare] positional digits exponent =
  (* [digits] with the point after [exponent] of them. *)
  let n = string_length digits in
  let zeros k = let b = bytes_create k in for i = 0 to k - 1 do set_byte b i '0' done; bytes_unsafe_to_string b in
  if exponent <= 0 then "0." ^ zeros (-exponent) ^ digits
  else if exponent >= n then digits ^ zeros (exponent - n) ^ ".0"
  else slice digits 0 exponent ^ "." ^ slice digits exponent (n - exponent)

external float_digits : float -> string = "%float.digits"

(* The shortest digits that read back as the same float, and the place of the point. *)
let[@inline never] [@rare] shortest x =
  let text = float_digits x in
  let n = string_length text in
  let rec find i = if string_unsafe_get text i = 'e' then i else find (i + 1) in
  let e = find 0 in
  let negative = string_unsafe_get text (e + 1) = '-' in
  let rec go i v = if i >= n then v else go (i + 1) ((v * 10) + int_of_char (string_unsafe_get text i) - 48) in
  let size = go (if negative then e + 2 else e + 1) 0 in
  (slice text 0 e, (if negative then -size else size) + 1)

let[@inline never] integer_text v radix =
  if is_int v && radix = 10 then string_of_int (to_int v)
  else (if is_negative_integer v then "-" else "") ^ Eshkol_big.to_text (magnitude v) radix

(* The shortest digits in another radix, and the place of the point. [value / unit] is the part of the number that is not
   written yet, [below / unit] and [above / unit] the distances within which another number reads back as the same;
   their ends belong to it if the last bit is 0. *)
let[@inline never] [@rare] shortest_in radix x =
  let radix = of_int radix in
  let whole = exact_of_float "" (ldexp (float_frexp_mantissa x) 53) in
  let exponent = float_frexp_exponent x - 53 in
  (* Numbers that are too small for all bits have greater distances. *)
  let missing = if exponent < -1074 then -1074 - exponent else 0 in
  let two = of_int 2 in
  let scaled v bits = shift_exact v bits in
  let up = if exponent > 0 then exponent else 0 and down = if exponent < 0 then -exponent else 0 in
  (* In units of half a bit, or a quarter where the distance to the next smaller number is half of the other. *)
  let is_power = int_compare whole (shift_exact one 52) = 0 && exponent > -1074 in
  let finer = if is_power then 1 else 0 in
  let value = scaled whole (up + 1 + finer) and unit = scaled one (down + 1 + finer) in
  let below = scaled one (up + missing) and above = scaled one (up + missing + finer) in
  let even = int_sign (snd (int_divide whole (shift_exact two missing))) = 0 in
  (* Whether what is left is below one digit after the point. *)
  let fits value above unit = let c = int_compare (int_add value above) unit in c < 0 || ((not even) && c = 0) in
  let rec raise_unit unit point = if fits value above unit then (unit, point) else raise_unit (int_mul unit radix) (point + 1) in
  let rec lower value below above point =
    let v = int_mul value radix and a = int_mul above radix in
    if fits v a unit then lower v (int_mul below radix) a (point - 1) else (value, below, above, point)
  in
  let unit, point = raise_unit unit 0 in
  let value, below, above, point = if point > 0 then (value, below, above, point) else lower value below above 0 in
  let rec digits value below above made =
    let q, rest = int_divide (int_mul value radix) unit in
    let below = int_mul below radix and above = int_mul above radix in
    let low = let c = int_compare rest below in c < 0 || (even && c = 0) in
    let high = let c = int_compare (int_add rest above) unit in c > 0 || (even && c = 0) in
    let text d = integer_text d (to_int radix) in
    if not (low || high) then digits rest below above (made ^ text q)
    else if low && ((not high) || int_compare (int_mul rest two) unit < 0) then made ^ text q
    else made ^ text (int_add q one)
  in
  (digits value below above "", point)

(* With more than 14 digits `e` is one of them. *)
let[@inline never] [@rare] written x digits point radix =
  let sign = if x < 0.0 then "-" else "" in
  if radix > 14 || (point > -3 && point <= 10) then sign ^ positional digits point
  else
    let n = string_length digits in
    let mantissa = slice digits 0 1 ^ if n > 1 then "." ^ slice digits 1 (n - 1) else "" in
    sign ^ mantissa ^ "e" ^ (if radix = 10 then string_of_int (point - 1) else integer_text (of_int (point - 1)) radix)

let[@inline never] [@rare] float_text x =
  if x <> x then "+nan.0"
  else if x = infinity then "+inf.0"
  else if x = neg_infinity then "-inf.0"
  else if x = 0.0 then if 1.0 /. x < 0.0 then "-0.0" else "0.0"
  else let digits, point = shortest (abs_float x) in written x digits point 10

let[@inline never] [@rare] float_text_in radix x =
  if radix = 10 || x -. x <> 0.0 || x = 0.0 then float_text x
  else let digits, point = shortest_in radix (abs_float x) in written x digits point radix

let rec text_of place v radix =
  if is_flo v then float_text_in radix (flo_of v)
  else
  match v with
  | Dual _ | Traced _ | Series _ -> text_of place (lost place "number->string" v) radix
  | Complex _ -> !complex_text place v radix
  | Rat (n, d) -> integer_text n radix ^ "/" ^ integer_text d radix
  | _ -> if is_exact_integer v then integer_text v radix else wrong place "number->string" "a number" v

(* Reading. [False] if the text is no number. *)

let digit_of c radix =
  let d =
    if c >= '0' && c <= '9' then int_of_char c - 48
    else if c >= 'a' && c <= 'z' then int_of_char c - 87
    else if c >= 'A' && c <= 'Z' then int_of_char c - 55
    else 99
  in
  if d < radix then d else -1

let all_digits s radix =
  let n = string_length s in
  let rec go i = i >= n || (digit_of (string_unsafe_get s i) radix >= 0 && go (i + 1)) in
  go 0

(* An unsigned integer; [False] if it is none. *)
let[@inline never] parse_natural s radix =
  let n = string_length s in
  if n = 0 then False
  else if n > 1000 then if all_digits s radix then integer false (Eshkol_big.of_text s radix) else False
  else begin
    let rec go i small big =
      if i >= n then match big with None -> of_wide small | Some m -> integer false m
      else
        let d = digit_of (string_unsafe_get s i) radix in
        if d < 0 then False
        else
          match big with
          | None ->
              if small < 36028797018963968 then go (i + 1) ((small * radix) + d) None
              else go (i + 1) 0 (Some (Eshkol_big.mul_add_small (Eshkol_big.of_int small) radix d))
          | Some m -> go (i + 1) 0 (Some (Eshkol_big.mul_add_small m radix d))
    in
    go 0 0 None
  end

let index_of s c =
  let n = string_length s in
  let rec go i = if i >= n then -1 else if string_unsafe_get s i = c then i else go (i + 1) in
  go 0

(* A number with point or exponent, exactly. With more than 14 digits there is no exponent: `e` is a digit. *)
let[@inline never] parse_decimal s radix exactly =
  let n = string_length s in
  let lower = index_of s 'e' and upper = index_of s 'E' in
  let e = if radix > 14 then -1 else if lower >= 0 then lower else upper in
  let mantissa = if e < 0 then s else slice s 0 e in
  let exponent =
    if e < 0 then Some 0
    else
      let t = slice s (e + 1) (n - e - 1) in
      let signed = string_length t > 0 && (string_unsafe_get t 0 = '-' || string_unsafe_get t 0 = '+') in
      let body = if signed then slice t 1 (string_length t - 1) else t in
      let v = parse_natural body radix in
      if is_int v && to_int v < 100000 then Some (if signed && string_unsafe_get t 0 = '-' then -to_int v else to_int v) else None
  in
  let dot = index_of mantissa '.' in
  let whole = if dot < 0 then mantissa else slice mantissa 0 dot in
  let part = if dot < 0 then "" else slice mantissa (dot + 1) (string_length mantissa - dot - 1) in
  let digits = whole ^ part in
  match (exponent, parse_natural digits radix) with
  | None, _ | _, False -> False
  | Some exponent, value ->
      if exactly || radix <> 10 then
        let scale = exponent - string_length part in
        let power = power_by "" (of_int radix) (if scale >= 0 then scale else -scale) in
        let value = if scale >= 0 then mul "" value power else div "" value power in
        if exactly then value else inexact "" value
      else if parse_float_ok s then flo (parse_float s)
      else False

(* Whether a text is this one, with small or large letters. *)
let same_letters s wanted =
  let n = string_length s in
  let small c = if c >= 'A' && c <= 'Z' then chr (code c + 32) else c in
  let rec go i = i = n || (small (string_unsafe_get s i) = string_unsafe_get wanted i && go (i + 1)) in
  n = string_length wanted && go 0

let rec parse s radix exactness =
  let n = string_length s in
  if n = 0 then False
  else if string_unsafe_get s 0 = '#' && n > 2 then
    let rest = slice s 2 (n - 2) in
    match string_unsafe_get s 1 with
    | 'x' | 'X' -> parse rest 16 exactness
    | 'b' | 'B' -> parse rest 2 exactness
    | 'o' | 'O' -> parse rest 8 exactness
    | 'd' | 'D' -> parse rest 10 exactness
    | 'e' | 'E' -> parse rest radix 'e'
    | 'i' | 'I' -> parse rest radix 'i'
    | _ -> False
  else if same_letters s "+inf.0" then flo infinity
  else if same_letters s "-inf.0" then flo neg_infinity
  else if same_letters s "+nan.0" || same_letters s "-nan.0" then flo nan
  else
    let c = string_unsafe_get s 0 in
    let signed = c = '-' || c = '+' in
    let body = if signed then slice s 1 (n - 1) else s in
    let value =
      match parse_natural body radix with
      | False ->
          let bar = index_of body '/' in
          if bar > 0 then
            match
              ( parse_natural (slice body 0 bar) radix,
                parse_natural (slice body (bar + 1) (string_length body - bar - 1)) radix )
            with
            | False, _ | _, False -> False
            | above, below -> if is_exact_zero below then False else make_fraction above below
          else if string_length body > 0 && body <> "." && digit_of (string_unsafe_get body (if string_unsafe_get body 0 = '.' && string_length body > 1 then 1 else 0)) radix >= 0 then parse_decimal body radix (exactness = 'e')
          else False
      | value -> value
    in
    match value with
    | False -> !complex_reader s radix exactness
    | _ ->
        let value = if c = '-' then negate "" value else value in
        if exactness = 'i' then inexact "" value else value

let[@inline never] literal s = parse s 10 ' '

let radix_of place name radix =
  if not (is_int radix) then 10
  else
    let n = to_int radix in
    if n < 2 || n > 36 then wrong place name "a radix from 2 to 36" radix else n

let number_to_string place v radix =
  let radix = radix_of place "number->string" radix in
  string_of_utf8 (text_of place v radix)

let string_to_number place v radix =
  let radix = radix_of place "string->number" radix in
  match v with Str _ -> parse (utf8_of v) radix ' ' | _ -> wrong place "string->number" "a string" v
