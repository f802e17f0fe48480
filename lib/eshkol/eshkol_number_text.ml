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

let[@inline never] [@rare] float_text x =
  if x <> x then "+nan.0"
  else if x = infinity then "+inf.0"
  else if x = neg_infinity then "-inf.0"
  else if x = 0.0 then if 1.0 /. x < 0.0 then "-0.0" else "0.0"
  else
    let sign = if x < 0.0 then "-" else "" in
    let digits, point = shortest (abs_float x) in
    if point > -3 && point <= 10 then sign ^ positional digits point
    else
      let n = string_length digits in
      let mantissa = slice digits 0 1 ^ if n > 1 then "." ^ slice digits 1 (n - 1) else "" in
      sign ^ mantissa ^ "e" ^ string_of_int (point - 1)

let[@inline never] integer_text v radix =
  if is_int v && radix = 10 then string_of_int (to_int v)
  else (if is_negative_integer v then "-" else "") ^ Eshkol_big.to_text (magnitude v) radix

let rec text_of place v radix =
  if is_flo v then float_text (flo_of v)
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

(* A decimal with point or exponent, exactly. *)
let[@inline never] parse_decimal s exactly =
  let n = string_length s in
  let lower = index_of s 'e' and upper = index_of s 'E' in
  let e = if lower >= 0 then lower else upper in
  let mantissa = if e < 0 then s else slice s 0 e in
  let exponent =
    if e < 0 then Some 0
    else
      let t = slice s (e + 1) (n - e - 1) in
      let signed = string_length t > 0 && (string_unsafe_get t 0 = '-' || string_unsafe_get t 0 = '+') in
      let body = if signed then slice t 1 (string_length t - 1) else t in
      let v = parse_natural body 10 in
      if is_int v && to_int v < 100000 then Some (if signed && string_unsafe_get t 0 = '-' then -to_int v else to_int v) else None
  in
  let dot = index_of mantissa '.' in
  let whole = if dot < 0 then mantissa else slice mantissa 0 dot in
  let part = if dot < 0 then "" else slice mantissa (dot + 1) (string_length mantissa - dot - 1) in
  let digits = whole ^ part in
  match (exponent, parse_natural digits 10) with
  | None, _ | _, False -> False
  | Some exponent, value ->
      if exactly then
        let scale = exponent - string_length part in
        if scale >= 0 then mul "" value (power_by "" (of_int 10) scale)
        else div "" value (power_by "" (of_int 10) (-scale))
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
          else if radix = 10 && string_length body > 0 && body <> "." && digit_of (string_unsafe_get body (if string_unsafe_get body 0 = '.' && string_length body > 1 then 1 else 0)) 10 >= 0 then parse_decimal body (exactness = 'e')
          else False
      | value -> value
    in
    match value with
    | False -> !complex_reader s radix exactness
    | _ ->
        let value = if c = '-' then negate "" value else value in
        if exactness = 'i' then inexact "" value else value

let[@inline never] literal s = parse s 10 ' '

let number_to_string place v radix =
  let radix = if is_int radix then to_int radix else 10 in
  string_of_utf8 (text_of place v radix)

let string_to_number place v radix =
  let radix = if is_int radix then to_int radix else 10 in
  match v with Str _ -> parse (utf8_of v) radix ' ' | _ -> wrong place "string->number" "a string" v
