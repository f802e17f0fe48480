(* Rational numbers, with the interface of Zarith 1.14: a numerator and a denominator without common factors, of which
   the second is positive, or 0 for the infinities (1/0 and -1/0) and what is undefined (0/0). *)

[@@@hidden "make_real compare_defined is_undef are_defined add_unreal of_decimal quotient_float"]

type t = { num : Z.t; den : Z.t }
type kind = ZERO | INF | MINF | UNDEF | NZERO

let zero = { num = Z.zero; den = Z.one }
let one = { num = Z.one; den = Z.one }
let minus_one = { num = Z.minus_one; den = Z.one }
let inf = { num = Z.one; den = Z.zero }
let minus_inf = { num = Z.minus_one; den = Z.zero }
let undef = { num = Z.zero; den = Z.zero }

(* The denominator is not 0. *)
let make_real num den =
  let divisor = Z.gcd num den in
  let num, den =
    if Z.equal divisor Z.one then (num, den) else (Z.divexact num divisor, Z.divexact den divisor)
  in
  if Z.sign den < 0 then { num = Z.neg num; den = Z.neg den } else { num; den }

let make num den =
  if Z.sign den = 0 then { num = Z.of_int (Z.sign num); den } else make_real num den

let of_bigint num = { num; den = Z.one }
let of_int n = of_bigint (Z.of_int n)
let of_int32 n = of_bigint (Z.of_int32 n)
let of_int64 n = of_bigint (Z.of_int64 n)
let of_nativeint n = of_bigint (Z.of_nativeint n)
let of_ints num den = make (Z.of_int num) (Z.of_int den)
let num x = x.num
let den x = x.den

let classify x =
  if Z.sign x.den <> 0 then if Z.sign x.num = 0 then ZERO else NZERO
  else
    match Z.sign x.num with
    | 1 -> INF
    | -1 -> MINF
    | _ -> UNDEF

let is_real x = Z.sign x.den <> 0
let sign x = Z.sign x.num

(* ---- order *)

(* Of numbers that are defined. *)
let compare_defined x y =
  if Z.sign x.den = 0 || Z.sign y.den = 0 then
    if Z.sign x.den = 0 && Z.sign y.den = 0 then compare (sign x) (sign y)
    else if Z.sign x.den = 0 then sign x
    else -sign y
  else if Z.equal x.den y.den then Z.compare x.num y.num
  else Z.compare (Z.mul x.num y.den) (Z.mul y.num x.den)

let is_undef x = Z.sign x.den = 0 && Z.sign x.num = 0

let compare x y =
  match (is_undef x, is_undef y) with
  | true, true -> 0
  | true, false -> -1
  | false, true -> 1
  | false, false -> compare_defined x y

let are_defined x y = not (is_undef x || is_undef y)
let equal x y = are_defined x y && Z.equal x.num y.num && Z.equal x.den y.den
let min x y = if compare x y <= 0 then x else y
let max x y = if compare x y >= 0 then x else y
let leq x y = are_defined x y && compare_defined x y <= 0
let geq x y = are_defined x y && compare_defined x y >= 0
let lt x y = are_defined x y && compare_defined x y < 0
let gt x y = are_defined x y && compare_defined x y > 0

(* ---- arithmetic *)

let neg x = { x with num = Z.neg x.num }
let abs x = { x with num = Z.abs x.num }

(* A sum, of which one part at least is not real. *)
let add_unreal x y =
  match (classify x, classify y) with
  | UNDEF, _ | _, UNDEF | INF, MINF | MINF, INF -> undef
  | (INF | MINF), _ -> x
  | _ -> y

let add x y =
  if Z.sign x.den = 0 || Z.sign y.den = 0 then add_unreal x y
  else if Z.equal x.den y.den then
    if Z.equal x.den Z.one then { num = Z.add x.num y.num; den = Z.one }
    else make_real (Z.add x.num y.num) x.den
  else make_real (Z.add (Z.mul x.num y.den) (Z.mul y.num x.den)) (Z.mul x.den y.den)

let sub x y = add x (neg y)

let mul x y =
  if Z.sign x.den = 0 || Z.sign y.den = 0 then
    { num = Z.of_int (sign x * sign y); den = Z.zero }
  else make_real (Z.mul x.num y.num) (Z.mul x.den y.den)

let inv x =
  if Z.sign x.num < 0 then { num = Z.neg x.den; den = Z.neg x.num }
  else if Z.sign x.num = 0 && Z.sign x.den <> 0 then inf
  else { num = x.den; den = x.num }

let div x y = mul x (inv y)

let mul_2exp x n =
  if is_real x then make_real (Z.shift_left x.num n) x.den else x

let div_2exp x n =
  if is_real x then make_real x.num (Z.shift_left x.den n) else x

(* ---- conversions *)

let to_bigint x = Z.div x.num x.den
let to_int x = Z.to_int (to_bigint x)
let to_int32 x = Z.to_int32 (to_bigint x)
let to_int64 x = Z.to_int64 (to_bigint x)
let to_nativeint x = Z.to_nativeint (to_bigint x)

let of_float x =
  if x = infinity then inf
  else if x = neg_infinity then minus_inf
  else if x <> x then undef
  else if x = 0. then zero
  else begin
    let fraction, exponent = Float.frexp x in
    let num = Z.of_float (Float.ldexp fraction 53) and exponent = exponent - 53 in
    if exponent >= 0 then of_bigint (Z.shift_left num exponent)
    else make_real num (Z.shift_left Z.one (-exponent))
  end

(* Both are positive. The quotient is computed to 60 bits and one for the rest, and rounded once, to as many bits as a
   float of its size has. *)
let quotient_float num den =
  let shift = 60 - (Z.numbits num - Z.numbits den) in
  let num = if shift > 0 then Z.shift_left num shift else num in
  let den = if shift < 0 then Z.shift_left den (-shift) else den in
  let quotient, rest = Z.div_rem num den in
  let m = Z.to_int quotient in
  let m = if Z.sign rest = 0 then m else m lor 1 in
  (* The value is between [2^(top - 1)] and [2^top]. *)
  let top = Z.numbits quotient - shift in
  if top > 1024 then infinity
  else if top < -1074 then 0.
  else begin
    let bits = if top < -1021 then 53 - (-1021 - top) else 53 in
    Z.round_to_bits m (-shift) bits
  end

let to_float x =
  match classify x with
  | ZERO -> 0.
  | INF -> infinity
  | MINF -> neg_infinity
  | UNDEF -> nan
  | NZERO ->
      let it = quotient_float (Z.abs x.num) x.den in
      if sign x < 0 then -.it else it

let to_string x =
  match classify x with
  | ZERO -> "0"
  | INF -> "+inf"
  | MINF -> "-inf"
  | UNDEF -> "undef"
  | NZERO -> if Z.equal x.den Z.one then Z.to_string x.num else Z.to_string x.num ^ "/" ^ Z.to_string x.den

(* A number with a point or an exponent: of 10 in decimals, of 2 behind hexadecimal digits. *)
let of_decimal text =
  let length = String.length text in
  let is_signed = length > 0 && (text.[0] = '-' || text.[0] = '+') in
  let first = if is_signed then 1 else 0 in
  let is_hex =
    first + 1 < length && text.[first] = '0' && (text.[first + 1] = 'x' || text.[first + 1] = 'X')
  in
  let first = if is_hex then first + 2 else first in
  let is_mark c = if is_hex then c = 'p' || c = 'P' else c = 'e' || c = 'E' in
  let rec find test i = if i >= length || test text.[i] then i else find test (i + 1) in
  let mark = find is_mark first in
  let base = if is_hex then 16 else 10 in
  let exponent =
    if mark >= length then 0
    else Z.to_int (Z.of_substring_base 10 text ~pos:(mark + 1) ~len:(length - mark - 1))
  in
  let point = find (fun c -> c = '.') first in
  let point = if point > mark then mark else point in
  let whole = String.sub text first (point - first) in
  let part = if point < mark then String.sub text (point + 1) (mark - point - 1) else "" in
  if String.contains part '.' then invalid_arg "Q.of_string: invalid digit";
  let digits = whole ^ part in
  if digits <> "" && (digits.[0] = '-' || digits.[0] = '+') then
    invalid_arg "Z.of_substring_base: invalid digit";
  let num = Z.of_string_base base digits in
  let places = String.fold_left (fun n c -> if c = '_' then n else n + 1) 0 part in
  let scale = if is_hex then exponent - (4 * places) else exponent - places in
  let unit_ n = if is_hex then Z.shift_left Z.one n else Z.pow (Z.of_int 10) n in
  let it =
    if scale >= 0 then of_bigint (Z.mul num (unit_ scale)) else make_real num (unit_ (-scale))
  in
  if is_signed && text.[0] = '-' then neg it else it

let of_string text =
  match text with
  | "inf" | "+inf" -> inf
  | "-inf" -> minus_inf
  | "undef" -> undef
  | _ -> (
      match String.index_opt text '/' with
      | Some i ->
          let length = String.length text in
          make
            (Z.of_substring text ~pos:0 ~len:i)
            (Z.of_substring text ~pos:(i + 1) ~len:(length - i - 1))
      | None ->
          let is_hex = String.exists (fun c -> c = 'x' || c = 'X') text in
          let is_decimal c =
            c = '.' || if is_hex then c = 'p' || c = 'P' else c = 'e' || c = 'E'
          in
          if String.exists is_decimal text then of_decimal text else of_bigint (Z.of_string text))

let print x = print_string (to_string x)
let output channel x = output_string channel (to_string x)
let sprint () x = to_string x
let bprint buffer x = Buffer.add_string buffer (to_string x)
let pp_print formatter x = Format.pp_print_string formatter (to_string x)

(* ---- operators *)

let ( ~- ) = neg
let ( ~+ ) (x : t) = x
let ( + ) = add
let ( - ) = sub
let ( * ) = mul
let ( / ) = div
let ( lsl ) = mul_2exp
let ( asr ) = div_2exp
let ( ~$ ) = of_int
let ( // ) = of_ints
let ( ~$$ ) = of_bigint
let ( /// ) = make
let ( = ) = equal
let ( < ) = lt
let ( > ) = gt
let ( <= ) = leq
let ( >= ) = geq
let ( <> ) x y = not (equal x y)
