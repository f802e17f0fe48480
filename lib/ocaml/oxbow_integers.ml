(* Integers of any size for Clef's `bigint`.

   A number that fits is a word. Of others the digits in base 2^30 follow each other from the highest, each with the
   number's sign, behind their count with that sign: so the structure of values has their order. *)

type bigint =
  | Below of int * int array
  | Small of int
  | Above of int * int array
[@@known bigint]

let of_int n = Small n
let zero = Small 0
let one = Small 1

(* The magnitude, the lowest digit first. *)
let magnitude = function
  | Small n -> if n = min_int then [| 0; 0; 4 |] else Eshkol_big.of_int (abs n)
  | Below (_, digits) ->
      let size = Array.length digits in
      Array.init size (fun i -> -digits.(size - 1 - i))
  | Above (_, digits) ->
      let size = Array.length digits in
      Array.init size (fun i -> digits.(size - 1 - i))

let is_negative = function Small n -> n < 0 | Below _ -> true | Above _ -> false

let make negative digits =
  let size = Array.length digits in
  if size < 3 || (size = 3 && digits.(2) < 4) then begin
    let n = ref 0 in
    for i = size - 1 downto 0 do
      n := (!n lsl 30) lor digits.(i)
    done;
    Small (if negative then - !n else !n)
  end
  else if negative then Below (-size, Array.init size (fun i -> -digits.(size - 1 - i)))
  else Above (size, Array.init size (fun i -> digits.(size - 1 - i)))

let neg = function
  | Small n when n <> min_int -> Small (-n)
  | it -> make (not (is_negative it)) (magnitude it)

let abs it = if is_negative it then neg it else it

let add_large a b =
  let x = magnitude a and y = magnitude b in
  if is_negative a = is_negative b then make (is_negative a) (Eshkol_big.add x y)
  else
    let order = Eshkol_big.compare_mag x y in
    if order = 0 then zero
    else if order > 0 then make (is_negative a) (Eshkol_big.sub x y)
    else make (is_negative b) (Eshkol_big.sub y x)

let add a b =
  match (a, b) with
  | Small x, Small y ->
      let sum = x + y in
      if (sum lxor x) land (sum lxor y) < 0 then add_large a b else Small sum
  | _ -> add_large a b

let sub a b =
  match (a, b) with
  | Small x, Small y ->
      let difference = x - y in
      if (x lxor y) land (difference lxor x) < 0 then add_large a (neg b) else Small difference
  | _ -> add_large a (neg b)

let fits_half n = n < 0x40000000 && n > -0x40000000

let mul a b =
  match (a, b) with
  | Small x, Small y when fits_half x && fits_half y -> Small (x * y)
  | _ -> make (is_negative a <> is_negative b) (Eshkol_big.mul (magnitude a) (magnitude b))

(* Towards zero; the remainder has the sign of [a]. [b] is not zero. *)
let div_rem a b =
  match (a, b) with
  | Small x, Small y when x <> min_int -> (Small (x / y), Small (x mod y))
  | _ ->
      let quotient, rest = Eshkol_big.div_mod (magnitude a) (magnitude b) in
      (make (is_negative a <> is_negative b) quotient, make (is_negative a) rest)

let rec pow base exponent =
  if exponent = 0 then one
  else
    let half = pow base (exponent / 2) in
    let square = mul half half in
    if exponent land 1 = 1 then mul square base else square

let rec gcd a b = if b = zero then abs a else gcd b (snd (div_rem a b))

let shift_left a bits = make (is_negative a) (Eshkol_big.shift_left (magnitude a) bits)

(* Towards negative infinity. *)
let shift_right a bits =
  let shifted = make (is_negative a) (Eshkol_big.shift_right (magnitude a) bits) in
  if is_negative a && Eshkol_big.low_bits (magnitude a) bits then sub shifted one else shifted

let bit_length a = Eshkol_big.bit_length (magnitude a)

let to_text a =
  match a with
  | Small n -> string_of_int n
  | _ -> (if is_negative a then "-" else "") ^ Eshkol_big.to_text (magnitude a) 10
[@@known show_bigint]

(* Digits, with a sign before them perhaps; nothing else is there. *)
let of_text text =
  let size = String.length text in
  let negative = size > 0 && String.get text 0 = '-' in
  let digits = ref [||] in
  for at = 0 to size - 1 do
    match String.get text at with
    | '0' .. '9' as c -> digits := Eshkol_big.mul_add_small !digits 10 (Char.code c - 48)
    | _ -> ()
  done;
  make negative !digits

let to_float a =
  match a with
  | Small n -> float_of_int n
  | _ ->
      let size = Eshkol_big.to_float (magnitude a) in
      if is_negative a then -.size else size

(* Towards zero; the float is finite. *)
let of_float x =
  let mantissa, exponent = Float.frexp x in
  let whole = Small (int_of_float (Float.ldexp mantissa 53)) in
  let shift = exponent - 53 in
  if shift >= 0 then shift_left whole shift
  else make (is_negative whole) (Eshkol_big.shift_right (magnitude whole) (-shift))

(* The lowest 64 bits of its two's complement. *)
let to_int64 a =
  let bits = ref 0L in
  let digits = magnitude a in
  for i = min 2 (Array.length digits - 1) downto 0 do
    bits := Int64.logor (Int64.shift_left !bits 30) (Int64.of_int digits.(i))
  done;
  if is_negative a then Int64.neg !bits else !bits

let of_int64 n =
  let low = Int64.to_int n in
  if Int64.equal (Int64.of_int low) n then Small low
  else
    let high = Int64.to_int (Int64.shift_right n 32) in
    add (shift_left (Small high) 32) (Small (Int64.to_int (Int64.logand n 0xffffffffL)))

let of_uint64 n =
  let high = Int64.to_int (Int64.shift_right_logical n 32) in
  add (shift_left (Small high) 32) (Small (Int64.to_int (Int64.logand n 0xffffffffL)))
