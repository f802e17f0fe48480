(* Conversions of formats. The compiler calls these with the text of one conversion,
   as "%-5d". *)

external int64_of_nativeint : nativeint -> int64 = "%int64.to_int64"
external int64_of_int : int -> int64 = "%int.to_int64"
external int_of_int64 : int64 -> int = "%int64.to_int"
external int64_unsafe_div : int64 -> int64 -> int64 = "%int64.unsafe_div"
external int64_mul : int64 -> int64 -> int64 = "%int64.mul"
external int64_sub : int64 -> int64 -> int64 = "%int64.sub"
external int64_lsr : int64 -> int -> int64 = "%int64.lsr"
external int_of_int32 : int32 -> int = "%int32.to_int"

(* What stands between the percent sign and the letter. *)
type spec = {
  left : bool;
  zeros : bool;
  alternate : bool;
  sign : char;  (** ['+'], [' '], or ['-'] for nothing before positive numbers *)
  width : int;  (** 0 if none *)
  precision : int;  (** [no_precision] if none; negative ones come from [*] *)
  letter : char;
}

let no_precision = min_int

let parse text =
  let n = string_length text in
  let rec number i value =
    if i < n then
      match string_unsafe_get text i with
      | '0' .. '9' as c -> number (i + 1) ((value * 10) + int_of_char c - 48)
      | _ -> value
    else value
  in
  let rec after_number i =
    if i < n then match string_unsafe_get text i with '0' .. '9' -> after_number (i + 1) | _ -> i
    else i
  in
  let rec flags i left zeros alternate sign =
    match string_unsafe_get text i with
    | '-' -> flags (i + 1) true zeros alternate sign
    | '0' -> flags (i + 1) left true alternate sign
    | '#' -> flags (i + 1) left zeros true sign
    | ('+' | ' ') as sign -> flags (i + 1) left zeros alternate sign
    | _ ->
        let width = number i 0 in
        let i = after_number i in
        let precision =
          if i < n && string_unsafe_get text i = '.' then
            if i + 1 < n && string_unsafe_get text (i + 1) = '-' then -number (i + 2) 0
            else number (i + 1) 0
          else no_precision
        in
        let letter = string_unsafe_get text (n - 1) in
        { left; zeros; alternate; sign; width; precision; letter }
  in
  flags 1 false false false '-'

(* Puts the number in the place of the first [*]. *)
let star text number =
  let n = string_length text in
  let rec find i = if i >= n || string_unsafe_get text i = '*' then i else find (i + 1) in
  let at = find 0 in
  let part start stop =
    let bytes = bytes_unsafe_create (stop - start) in
    bytes_unsafe_blit_string text start bytes 0 (stop - start);
    bytes_unsafe_to_string bytes
  in
  if at >= n then text else part 0 at ^ string_of_int number ^ part (at + 1) n

let make_bytes n c =
  let bytes = bytes_unsafe_create n in
  for i = 0 to n - 1 do
    bytes_unsafe_set bytes i c
  done;
  bytes

(* [text] at the width of [spec]. Zeros go between a sign or [0x] and the digits. *)
let pad spec text =
  let n = string_length text in
  if spec.width <= n then text
  else begin
    let extra = spec.width - n in
    let zeros = spec.zeros && not spec.left in
    let result = make_bytes spec.width (if zeros then '0' else ' ') in
    let first = if n > 0 then string_unsafe_get text 0 else 'd' in
    let second = if n > 1 then string_unsafe_get text 1 else 'd' in
    if spec.left then bytes_unsafe_blit_string text 0 result 0 n
    else begin
      let head =
        if not zeros then 0
        else if first = '+' || first = '-' || first = ' ' then 1
        else if first = '0' && (second = 'x' || second = 'X') then 2
        else 0
      in
      bytes_unsafe_blit_string text 0 result 0 head;
      bytes_unsafe_blit_string text head result (extra + head) (n - head)
    end;
    bytes_unsafe_to_string result
  end

(* At least as many digits as the precision says. *)
let extend_digits spec text =
  let n = string_length text in
  let first = string_unsafe_get text 0 in
  let second = if n > 1 then string_unsafe_get text 1 else 'd' in
  let head =
    if first = '+' || first = '-' || first = ' ' then 1
    else if first = '0' && (second = 'x' || second = 'X') then 2
    else 0
  in
  let size = head + abs spec.precision in
  if spec.precision = no_precision || size <= n then text
  else begin
    let result = make_bytes size '0' in
    bytes_unsafe_blit_string text 0 result 0 head;
    bytes_unsafe_blit_string text head result (size - (n - head)) (n - head);
    bytes_unsafe_to_string result
  end

(* 1234567 as 1_234_567. *)
let group_digits text =
  let n = string_length text in
  let is_digit i = match string_unsafe_get text i with '0' .. '9' -> true | _ -> false in
  let head = if n > 0 && not (is_digit 0) then 1 else 0 in
  let digits = n - head in
  if digits <= 3 then text
  else begin
    let size = n + int_unsafe_div (digits - 1) 3 in
    let result = bytes_unsafe_create size in
    bytes_unsafe_blit_string text 0 result 0 head;
    let rec copy from into =
      if from < n then begin
        bytes_unsafe_set result into (string_unsafe_get text from);
        let left = n - from - 1 in
        if left > 0 && int_unsafe_mod left 3 = 0 then begin
          bytes_unsafe_set result (into + 1) '_';
          copy (from + 1) (into + 2)
        end
        else copy (from + 1) (into + 1)
      end
    in
    copy head head;
    bytes_unsafe_to_string result
  end

let digit capital n =
  unsafe_char_of_int (if n < 10 then n + 48 else if capital then n + 55 else n + 87)

(* The digits of [n] as an unsigned number, [shift] bits to a digit. *)
let binary_digits shift capital n =
  let rec count n length = if n lsr shift = 0 then length else count (n lsr shift) (length + 1) in
  let length = count n 1 in
  let bytes = bytes_unsafe_create length in
  let rec put i n =
    bytes_unsafe_set bytes i (digit capital (n land ((1 lsl shift) - 1)));
    if i > 0 then put (i - 1) (n lsr shift)
  in
  put (length - 1) n;
  bytes_unsafe_to_string bytes

let one_digit capital n =
  let bytes = bytes_unsafe_create 1 in
  bytes_unsafe_set bytes 0 (digit capital n);
  bytes_unsafe_to_string bytes

(* [n] as an unsigned number of 63 bits. *)
let unsigned_decimal n =
  if n >= 0 then string_of_int n
  else
    let rest = int_unsafe_div (n lsr 1) 5 in
    string_of_int rest ^ one_digit false (n - (rest * 10))

(* The same for 64-bit numbers: only the last digit needs all bits. *)

let signed_decimal64 n =
  let small = int_of_int64 n in
  if int64_of_int small = n then string_of_int small
  else
    let rest = int64_unsafe_div n 10L in
    let last = int_of_int64 (int64_sub n (int64_mul rest 10L)) in
    string_of_int (int_of_int64 rest) ^ one_digit false (abs last)

let unsigned_decimal64 n =
  if n >= 0L then signed_decimal64 n
  else
    let rest = int64_unsafe_div (int64_lsr n 1) 5L in
    let last = int_of_int64 (int64_sub n (int64_mul rest 10L)) in
    string_of_int (int_of_int64 rest) ^ one_digit false last

let binary_digits64 shift capital n =
  let rest = int_of_int64 (int64_lsr n shift) in
  let last = one_digit capital (int_of_int64 n land ((1 lsl shift) - 1)) in
  if rest = 0 then last else binary_digits shift capital rest ^ last

(* From digits of a number to the finished text. *)
let finish spec is_zero digits =
  let text =
    match spec.letter with
    | 'd' | 'i' ->
        let text =
          if spec.sign = '-' || string_unsafe_get digits 0 = '-' then digits
          else if spec.sign = '+' then "+" ^ digits
          else " " ^ digits
        in
        if spec.alternate then group_digits text else text
    | 'u' -> if spec.alternate then group_digits digits else digits
    | 'x' -> if spec.alternate && not is_zero then "0x" ^ digits else digits
    | 'X' -> if spec.alternate && not is_zero then "0X" ^ digits else digits
    | _ -> if spec.alternate && not is_zero then "0" ^ digits else digits
  in
  pad spec (extend_digits spec text)

let general_int text n =
  let spec = parse text in
  let digits =
    match spec.letter with
    | 'd' | 'i' -> string_of_int n
    | 'u' -> unsigned_decimal n
    | 'x' -> binary_digits 4 false n
    | 'X' -> binary_digits 4 true n
    | _ -> binary_digits 3 false n
  in
  finish spec (n = 0) digits

let int text n =
  if string_length text = 2 && string_unsafe_get text 1 = 'd' then string_of_int n
  else general_int text n

let int32 text n =
  let n = int_of_int32 n in
  match string_unsafe_get text (string_length text - 1) with
  | 'd' | 'i' -> general_int text n
  | _ -> general_int text (n land 0xFFFF_FFFF)

let int64 text n =
  let spec = parse text in
  let digits =
    match spec.letter with
    | 'd' | 'i' -> signed_decimal64 n
    | 'u' -> unsigned_decimal64 n
    | 'x' -> binary_digits64 4 false n
    | 'X' -> binary_digits64 4 true n
    | _ -> binary_digits64 3 false n
  in
  finish spec (n = 0L) digits

let nativeint text n = int64 text (int64_of_nativeint n)

(* [%h]: sign, digits in base 16, exponent of 2. Without a precision, or with a negative
   one, as many digits as the number has. *)
let hexadecimal_float spec x =
  let bits = float_bits x in
  let precision = if spec.precision < 0 then -1 else spec.precision in
  let sign =
    if bits < 0L then "-" else if spec.sign = '+' then "+" else if spec.sign = ' ' then " " else ""
  in
  let exponent = int_of_int64 (int64_lsr bits 52) land 0x7FF in
  let fraction = int_of_int64 bits land 0xF_FFFF_FFFF_FFFF in
  if exponent = 0x7FF then sign ^ (if fraction = 0 then "infinity" else "nan")
  else begin
    let mantissa = if exponent = 0 then fraction else fraction lor 0x10_0000_0000_0000 in
    let exponent =
      if exponent > 0 then exponent - 1023 else if fraction = 0 then 0 else -1022
    in
    let mantissa =
      if precision >= 0 && precision < 13 then begin
        (* Round to nearest, to even when in the middle. *)
        let unit = 1 lsl (52 - (precision * 4)) in
        let rest = mantissa land (unit - 1) in
        let kept = mantissa - rest in
        let half = unit lsr 1 in
        if rest > half || (rest = half && kept land unit <> 0) then kept + unit else kept
      end
      else mantissa
    in
    let rec digits rest count =
      let more = if precision >= 0 then count < precision else rest <> 0 in
      if more then
        let rest = rest lsl 4 in
        one_digit false (rest lsr 52) ^ digits (rest land 0xF_FFFF_FFFF_FFFF) (count + 1)
      else ""
    in
    let after = digits (mantissa land 0xF_FFFF_FFFF_FFFF) 0 in
    sign ^ "0x"
    ^ one_digit false (mantissa lsr 52)
    ^ (if after = "" then "" else "." ^ after)
    ^ (if exponent >= 0 then "p+" else "p")
    ^ string_of_int exponent
  end

let uppercase text =
  let n = string_length text in
  let bytes = bytes_unsafe_create n in
  for i = 0 to n - 1 do
    let c = string_unsafe_get text i in
    bytes_unsafe_set bytes i
      (match c with 'a' .. 'z' -> unsafe_char_of_int (int_of_char c - 32) | _ -> c)
  done;
  bytes_unsafe_to_string bytes

(* The conversion of C for the sign, precision and letter. *)
let c_float spec precision letter x =
  let sign = if spec.sign = '+' then "%+." else if spec.sign = ' ' then "% ." else "%." in
  format_float (sign ^ string_of_int (abs precision) ^ letter) x

(* With a point or an exponent, so that it reads as a float. *)
let with_point text =
  let n = string_length text in
  let rec has_point i =
    i < n && (match string_unsafe_get text i with '.' | 'e' | 'E' -> true | _ -> has_point (i + 1))
  in
  if has_point 0 then text else text ^ "."

let special x text =
  match classify_float x with
  | FP_nan -> "nan"
  | FP_infinite -> if x < 0.0 then "neg_infinity" else "infinity"
  | FP_normal | FP_subnormal | FP_zero -> text

let general_float text x =
  let spec = parse text in
  let precision default = if spec.precision = no_precision then default else spec.precision in
  let result =
    match spec.letter with
    | 'h' -> hexadecimal_float spec x
    | 'H' -> uppercase (hexadecimal_float spec x)
    | 'F' ->
        special x
          (if spec.alternate then hexadecimal_float spec x
          else with_point (c_float spec (precision 12) "g" x))
    | 'e' -> c_float spec (precision 6) "e" x
    | 'E' -> c_float spec (precision 6) "E" x
    | 'g' -> c_float spec (precision 6) "g" x
    | 'G' -> c_float spec (precision 6) "G" x
    | _ -> c_float spec (precision 6) "f" x
  in
  pad spec result

let float text x =
  let n = string_length text in
  (* "%f", "%.3f" and the like mean the same in C. *)
  let rec only_digits i =
    i >= n - 1
    || (match string_unsafe_get text i with '0' .. '9' -> only_digits (i + 1) | _ -> false)
  in
  let simple = n = 2 || (string_unsafe_get text 1 = '.' && only_digits 2) in
  match string_unsafe_get text (n - 1) with
  | 'f' | 'e' | 'E' | 'g' | 'G' when simple -> format_float text x
  | _ -> general_float text x

let char (_ : string) c =
  let bytes = bytes_unsafe_create 1 in
  bytes_unsafe_set bytes 0 c;
  bytes_unsafe_to_string bytes

let char_escaped (_ : string) c = "'" ^ Char.escaped c ^ "'"

(* Only numbers are filled up with zeros. *)
let pad_text text s =
  if string_length text = 2 then s else pad { (parse text) with zeros = false } s

let string text s = pad_text text s

let string_escaped text s = pad_text text ("\"" ^ String.escaped s ^ "\"") [@@known string_escaped]

let bool text b = string text (string_of_bool b)

(* Formats in formats: both have the type of the second, which the conversion gives. *)
let same (format : ('a, 'b, 'c, 'd, 'e, 'f) format6) (_ : ('a, 'b, 'c, 'd, 'e, 'f) format6) = format

let run (format : ('a, 'b, 'c, 'd, 'e, 'f) format6) finish pieces = format.format_run finish pieces

let is_string (_ : string) = ()

(* For conversions that only reading knows. *)
let refused message _ = raise (Invalid_argument message)

(* The shapes of formats in programs that read nothing. *)
let unread : ('a, 'b, 'c, 'd, 'd, 'f) format_shape = Shape_unread
let unread_reader : ('a, 'b, 'c, 'd, 'e, 'f) format_shape = Shape_unread
