(* Integers of any size, with the interface of Zarith 1.14 (decision 149).

   An integer that is an [int] is one; another has digits of 64 bits, the least first, in a string that may have room
   for more, and how many they are, negative for a negative number. The last of them is not zero. Functions of the
   runtime do the work on digits ([Oxbow_digits]); they write to strings that are made here. What is made of the
   arithmetic is in [Oxbow_theory]. *)

[@@@hidden "digit room significant made one_digit"]
[@@@hidden "gcd_factor pow_mod digits bits_of compare_sizes hash_into compare_magnitudes add_magnitudes"]
[@@@hidden "sub_magnitudes abs_of"]
[@@@hidden "add_long mul_long is_short div_rem_long most_bits shift_magnitude bits_long of_unsigned"]
[@@@hidden "round_to_bits leading text_of value_of_digit of_digits low_bits two_over small_primes passes"]
[@@@hidden "proven product positive fibonacci root_of named_root fits_between padded random_words random_below"]
[@@@abstract "t"]

open Oxbow_digits

type t = Small of int | Big of int * string [@@compared integers]

exception Overflow
;;

(* No module of OCaml's own library, whose exceptions are named after it. *)
exn_printers := (function Overflow -> Some "Z.Overflow" | _ -> None) :: !exn_printers

let zero = Small 0
let one = Small 1
let minus_one = Small (-1)

(* ---- digits *)

let digit digits i = String.get_int64_le digits (i * 8)
let room count = Bytes.create (count * 8)

let rec significant digits count =
  if count > 0 && digit digits (count - 1) = 0L then significant digits (count - 1) else count

(* What the runtime has written. *)
let made negative count room =
  let digits = Bytes.unsafe_to_string room in
  let count = significant digits count in
  if count > 1 then Big ((if negative then -count else count), digits)
  else if count = 0 then Small 0
  else
    let it = digit digits 0 in
    if Int64.shift_right_logical it 62 = 0L then
      Small (if negative then -Int64.to_int it else Int64.to_int it)
    else if negative && it = 0x4000_0000_0000_0000L then Small min_int
    else Big ((if negative then -1 else 1), digits)

let one_digit it =
  let digits = room 1 in
  Bytes.set_int64_le digits 0 it;
  digits

(* How many digits, negative for a negative number. *)
let[@inline] size = function
  | Small n -> if n > 0 then 1 else if n < 0 then -1 else 0
  | Big (size, _) -> size

let[@inline] digits = function
  | Small n -> Bytes.unsafe_to_string (one_digit (Int64.abs (Int64.of_int n)))
  | Big (_, digits) -> digits

let sign = function
  | Small n -> if n > 0 then 1 else if n < 0 then -1 else 0
  | Big (size, _) -> if size > 0 then 1 else -1

(* The bits of a number without sign. *)
let bits_of it =
  let rec go it count = if it = 0L then count else go (Int64.shift_right_logical it 1) (count + 1) in
  let high = Int64.shift_right_logical it 32 in
  if high <> 0L then go high 32 else go it 0

let numbits x =
  match x with
  | Small n -> bits_of (Int64.abs (Int64.of_int n))
  | Big (size, digits) ->
      let count = abs size in
      ((count - 1) * 64) + bits_of (digit digits (count - 1))

(* ---- order *)

let compare_sizes x y =
  let a = size x and b = size y in
  if a <> b then if a < b then -1 else 1
  else
    let order = c_compare (digits x) (digits y) (abs a) in
    if a < 0 then -order else order

(* An [int] lies between all negative and all positive numbers with digits. *)
let compare x y =
  match (x, y) with
  | Small a, Small b -> if a < b then -1 else if a > b then 1 else 0
  | Small _, Big (size, _) -> if size > 0 then -1 else 1
  | Big (size, _), Small _ -> if size > 0 then 1 else -1
  | Big _, Big _ -> compare_sizes x y
[@@known integers_compare]

let equal x y =
  match (x, y) with
  | Small a, Small b -> a = b
  | Big (a, _), Big (b, _) -> a = b && compare_sizes x y = 0
  | Small _, Big _ | Big _, Small _ -> false
[@@known integers_equal]

let hash_into state x =
  match x with
  | Small n -> Oxbow_hash.mix_int state n
  | Big (size, digits) ->
      let content = ref 0 in
      for i = 0 to abs size - 1 do
        let it = digit digits i in
        content := mix_uint32 !content (Int64.to_int it land 0xFFFF_FFFF);
        content := mix_uint32 !content (Int64.to_int (Int64.shift_right_logical it 32))
      done;
      let content = if size < 0 then !content + 1 else !content in
      Oxbow_hash.mix_int64 state (Int64.of_int (content land 0xFFFF_FFFF))
[@@known integers_hash]

(* Of the absolute values. *)
let compare_magnitudes x y =
  let a = abs (size x) and b = abs (size y) in
  if a <> b then if a < b then -1 else 1 else c_compare (digits x) (digits y) a

(* ---- sums *)

let add_magnitudes negative x y =
  let a = abs (size x) and b = abs (size y) in
  if a >= b then begin
    let out = room (a + 1) in
    c_add out (digits x) a (digits y) b;
    made negative (a + 1) out
  end
  else begin
    let out = room (b + 1) in
    c_add out (digits y) b (digits x) a;
    made negative (b + 1) out
  end

(* The absolute value of [x] is greater. *)
let sub_magnitudes negative x y =
  let a = abs (size x) in
  let out = room a in
  c_sub out (digits x) a (digits y) (abs (size y));
  made negative a out

let neg = function
  | Small n when n <> min_int -> Small (-n)
  | Small _ -> Big (1, Bytes.unsafe_to_string (one_digit 0x4000_0000_0000_0000L))
  (* The one number whose negative is an [int]. *)
  | Big (1, digits) when digit digits 0 = 0x4000_0000_0000_0000L -> Small min_int
  | Big (size, digits) -> Big (-size, digits)

let abs_of x = if sign x < 0 then neg x else x

(* The sum, or with [flip] the difference. *)
let[@inline never] add_long x y flip =
  let a = size x and b = if flip then -size y else size y in
  if b = 0 then x
  else if a = 0 then if flip then neg y else y
  else if a > 0 = (b > 0) then add_magnitudes (a < 0) x y
  else
    let order = compare_magnitudes x y in
    if order = 0 then Small 0
    else if order > 0 then sub_magnitudes (a < 0) x y
    else sub_magnitudes (b < 0) y x

let[@inline] add x y =
  match (x, y) with
  | Small a, Small b when ((a + b) lxor a) land ((a + b) lxor b) >= 0 -> Small (a + b)
  | _ -> add_long x y false

let[@inline] sub x y =
  match (x, y) with
  | Small a, Small b when (a lxor b) land (a lxor (a - b)) >= 0 -> Small (a - b)
  | _ -> add_long x y true

(* ---- products *)

let[@inline never] mul_long x y =
  let a = size x and b = size y in
  if a = 0 || b = 0 then Small 0
  else begin
    let m = abs a and n = abs b in
    let out = room (m + n) in
    c_mul out (digits x) m (digits y) n;
    made (a > 0 <> (b > 0)) (m + n) out
  end

(* Is the product of two such numbers an [int] for certain? *)
let[@inline] is_short n = n >= -0x4000_0000 && n < 0x4000_0000

let[@inline] mul x y =
  match (x, y) with
  | Small a, Small b when is_short a && is_short b -> Small (a * b)
  | Small a, Small b when c_mul_fits a b <> 0 -> Small (a * b)
  | _ -> mul_long x y

(* Both are rounded towards zero. *)
let[@inline never] div_rem_long x y =
  let a = size x and b = size y in
  if b = 0 then raise Division_by_zero
  else if abs a < abs b || compare_magnitudes x y < 0 then (Small 0, x)
  else begin
    let m = abs a and n = abs b in
    let quotient = room (m - n + 1) and remainder = room n in
    c_divide quotient remainder (digits x) m (digits y) n;
    (made (a > 0 <> (b > 0)) (m - n + 1) quotient, made (a < 0) n remainder)
  end

let div_rem x y =
  match (x, y) with
  | Small a, Small b when b <> -1 -> (Small (a / b), Small (a mod b))
  | _ -> div_rem_long x y

let div x y =
  match (x, y) with
  | Small a, Small b when b <> -1 -> Small (a / b)
  | _ -> fst (div_rem_long x y)

let rem x y =
  match (x, y) with
  | Small a, Small b when b <> -1 -> Small (a mod b)
  | _ -> snd (div_rem_long x y)

(* ---- bits *)

(* More are no number that memory holds. *)
let most_bits = 1 lsl 37

let shift_left x count =
  if count < 0 then invalid_arg "Z.shift_left: count argument must be positive";
  match x with
  | Small 0 -> x
  | Small n when count < 62 && (n lsl count) asr count = n -> Small (n lsl count)
  | _ ->
      if count > most_bits then raise Out_of_memory;
      let a = abs (size x) in
      let total = a + (count / 64) + 1 in
      let out = room total in
      c_shift_left out (digits x) a count;
      made (sign x < 0) total out

(* Rounds towards zero; the second is whether something was lost. *)
let shift_magnitude x count =
  let a = abs (size x) in
  let left = a - (count / 64) in
  if left <= 0 then (Small 0, a > 0)
  else begin
    let out = room left in
    let lost = c_shift_right out (digits x) a count <> 0 in
    (made (sign x < 0) left out, lost)
  end

let shift_right x count =
  if count < 0 then invalid_arg "Z.shift_right: count argument must be positive";
  match x with
  | Small n -> Small (n asr if count > 62 then 62 else count)
  | Big (size, _) ->
      let it, lost = shift_magnitude x count in
      if lost && size < 0 then sub it one else it

let shift_right_trunc x count =
  if count < 0 then invalid_arg "Z.shift_right_trunc: count argument must be positive";
  fst (shift_magnitude x count)

let[@inline never] bits_long operation x y =
  let a = size x and b = size y in
  let count = 1 + if abs a > abs b then abs a else abs b in
  let out = room count in
  let negative = c_bits operation out (digits x) a (digits y) b <> 0 in
  made negative count out

let logand x y = match (x, y) with Small a, Small b -> Small (a land b) | _ -> bits_long 0 x y
let logor x y = match (x, y) with Small a, Small b -> Small (a lor b) | _ -> bits_long 1 x y
let logxor x y = match (x, y) with Small a, Small b -> Small (a lxor b) | _ -> bits_long 2 x y
let lognot x = match x with Small n -> Small (lnot n) | Big _ -> sub (neg x) one

let popcount x =
  if sign x < 0 then raise Overflow;
  c_count (digits x) (size x)

let trailing_zeros x =
  let rec zeros it count =
    if Int64.logand it 1L = 1L then count else zeros (Int64.shift_right_logical it 1) (count + 1)
  in
  let rec go digits i = if digit digits i = 0L then go digits (i + 1) else zeros (digit digits i) (i * 64) in
  if sign x = 0 then max_int else go (digits x) 0

let rec testbit x i =
  if i < 0 then invalid_arg "Z.testbit";
  match x with
  | Small n -> (n asr if i > 62 then 62 else i) land 1 = 1
  | Big (size, _) when size < 0 -> not (testbit (lognot x) i)
  | Big (size, digits) ->
      i / 64 < size
      && Int64.logand (Int64.shift_right_logical (digit digits (i / 64)) (i mod 64)) 1L = 1L

(* ---- machine numbers *)

let of_unsigned it = made false 1 (one_digit it)

let of_int64 it =
  if it >= -0x4000_0000_0000_0000L && it < 0x4000_0000_0000_0000L then Small (Int64.to_int it)
  else if it < 0L then made true 1 (one_digit (Int64.neg it))
  else of_unsigned it

let to_int = function Small n -> n | Big _ -> raise Overflow

let to_int64 x =
  match x with
  | Small n -> Int64.of_int n
  | Big (1, digits) when digit digits 0 >= 0L -> digit digits 0
  | Big (-1, digits) when digit digits 0 >= 0L || digit digits 0 = Int64.min_int ->
      Int64.neg (digit digits 0)
  | Big _ -> raise Overflow

let to_int64_unsigned x =
  match x with
  | Small n when n >= 0 -> Int64.of_int n
  | Big (1, digits) -> digit digits 0
  | Small _ | Big _ -> raise Overflow

let of_float x =
  if x -. x <> 0. then raise Overflow;
  if Float.abs x < 0x1p62 then Small (int_of_float x)
  else
    let fraction, exponent = Float.frexp x in
    shift_left (Small (int_of_float (Float.ldexp fraction 53))) (exponent - 53)

(* The float nearest to [m * 2^exponent], which is even if there are two; [m] has 55 bits at least, or all that the
   number has, and its last bit is set if anything was cut off. *)
let round_to_bits m exponent bits =
  let drop = bits_of (Int64.of_int m) - bits in
  if drop <= 0 then Float.ldexp (float_of_int m) exponent
  else begin
    let half = 1 lsl (drop - 1) in
    let kept = m asr drop and rest = m land ((1 lsl drop) - 1) in
    let kept = if rest > half || (rest = half && kept land 1 = 1) then kept + 1 else kept in
    Float.ldexp (float_of_int kept) (exponent + drop)
  end

(* As many bits as an [int] has, the last of which stands for those that are lost. *)
let leading x =
  let count = numbits x - 61 in
  if count <= 0 then (to_int x, 0)
  else
    let it, lost = shift_magnitude x count in
    let it = to_int it in
    ((if lost then it lor 1 else it), count)

let to_float x =
  match x with
  | Small n -> float_of_int n
  | Big (size, _) ->
      let m, exponent = leading (abs_of x) in
      let it = if exponent > 1100 then infinity else round_to_bits m exponent 53 in
      if size < 0 then -.it else it

(* ---- what the runtime does with long numbers *)

let gcd x y =
  let rec small a b = if b = 0 then a else small b (a mod b) in
  match (x, y) with
  | Small a, Small b when a <> min_int && b <> min_int -> Small (small (abs a) (abs b))
  | _ ->
      if sign x = 0 then abs_of y
      else if sign y = 0 then abs_of x
      else begin
        let a = abs (size x) and b = abs (size y) in
        let count = if a < b then a else b in
        let out = room count in
        c_gcd out (digits x) a (digits y) b;
        made false count out
      end

(* The divisor of two positive numbers, and a factor of the first that makes it. *)
let gcd_factor x y =
  let m = size x and n = size y in
  let count = if m < n then m else n in
  let divisor = room count and factor = room n in
  let negative = c_gcd_ext divisor factor (digits x) m (digits y) n <> 0 in
  (made false count divisor, made negative n factor)

(* No operand is negative. *)
let pow_mod base exponent modulus =
  let count = size modulus in
  let out = room count in
  c_pow_mod out (digits base) (size base) (digits exponent) (size exponent) (digits modulus) count;
  made false count out

let pow x exponent =
  if exponent < 0 then invalid_arg "Z.pow: exponent must be nonnegative";
  if exponent = 0 then one
  else if sign x = 0 then zero
  else begin
    let bits = numbits x in
    if exponent > most_bits / (bits + 1) then invalid_arg "Z.pow: risk of overflow in mpz type";
    let negative = sign x < 0 && exponent land 1 = 1 in
    if bits = 1 then if negative then minus_one else one
    else begin
      let count = (bits * exponent / 64) + 1 in
      let out = room count in
      c_pow out count (digits x) (abs (size x)) exponent;
      made negative count out
    end
  end

(* The whole part of the root of the absolute value. *)
let root_of x degree =
  if sign x = 0 then zero
  else if degree = 1 then abs_of x
  else if degree >= numbits x then one
  else begin
    let a = abs (size x) in
    let count = (a / degree) + 1 in
    let out = room count in
    c_root out count (digits x) a degree;
    made false count out
  end

(* ---- number theory *)

let[@inline] of_int n = Small n

include Oxbow_theory.Make (struct
  type nonrec t = t

  let zero = zero and one = one
  let of_int = of_int
  let to_int = to_int
  let fits_int = function Small _ -> true | Big _ -> false
  let sign = sign
  let compare = compare
  let equal = equal
  let neg = neg
  let abs = abs_of
  let add = add
  let sub = sub
  let mul = mul
  let div_rem = div_rem
  let div = div
  let rem = rem
  let gcd = gcd
  let gcd_factor = gcd_factor
  let pow_mod = pow_mod
  let pow = pow
  let root_of = root_of
  let numbits = numbits
  let testbit = testbit
  let trailing_zeros = trailing_zeros
  let logand = logand
  let shift_left = shift_left
  let shift_right = shift_right
  let shift_right_trunc = shift_right_trunc
end)

(* ---- text *)

let text_of radix x =
  let count = abs (size x) in
  let most = 1 + (count * if radix = 10 then 20 else if radix = 16 then 16 else if radix = 8 then 22 else 64) in
  let out = Bytes.create most in
  Bytes.sub_string out 0 (c_text out most (digits x) count radix)

let to_string x =
  match x with
  | Small n -> string_of_int n
  | Big (size, _) -> if size < 0 then "-" ^ text_of 10 x else text_of 10 x

let value_of_digit c =
  match c with
  | '0' .. '9' -> Char.code c - 48
  | 'a' .. 'f' -> Char.code c - 87
  | 'A' .. 'F' -> Char.code c - 55
  | _ -> 16

(* Digits from [first] up to [stop], among which, but not first, there may be underscores. *)
let of_digits radix text first stop =
  let bad () = invalid_arg "Z.of_substring_base: invalid digit" in
  let underscores = ref 0 in
  for i = first to stop - 1 do
    let c = text.[i] in
    if c = '_' && i > first then incr underscores else if value_of_digit c >= radix then bad ()
  done;
  let text, first, stop =
    if !underscores = 0 then (text, first, stop)
    else
      let kept = String.concat "" (String.split_on_char '_' (String.sub text first (stop - first))) in
      (kept, 0, String.length kept)
  in
  let length = stop - first in
  if length <= 15 then begin
    let it = ref 0 in
    for i = first to stop - 1 do
      it := (!it * radix) + value_of_digit text.[i]
    done;
    Small !it
  end
  else begin
    let count = (length * 4 / 64) + 1 in
    let out = room count in
    c_of_text out count text first length radix;
    made false count out
  end

(* With a sign; [radix] is 0 if the text says it, and 10 is meant otherwise. *)
let of_substring_base radix text ~pos ~len =
  if radix <> 0 && (radix < 2 || radix > 16) then
    invalid_arg "Z.of_substring_base: base must be between 2 and 16";
  if pos < 0 || len < 0 || pos > String.length text - len then
    invalid_arg "Z.of_substring_base: invalid offset or length";
  let stop = pos + len in
  let is_signed = pos < stop && (text.[pos] = '-' || text.[pos] = '+') in
  let first = if is_signed then pos + 1 else pos in
  let radix, first =
    if radix <> 0 then (radix, first)
    else if first + 1 < stop && text.[first] = '0' then
      match text.[first + 1] with
      | 'x' | 'X' -> (16, first + 2)
      | 'o' | 'O' -> (8, first + 2)
      | 'b' | 'B' -> (2, first + 2)
      | _ -> (10, first)
    else (10, first)
  in
  let it = of_digits radix text first stop in
  if is_signed && text.[pos] = '-' then neg it else it

let version = "1.14"

(* ---- machine numbers *)

let of_int32 n = Small (Int32.to_int n)
let of_nativeint n = of_int64 (Int64.of_nativeint n)
let of_int32_unsigned n = Small (Int32.to_int n land 0xFFFF_FFFF)
let of_int64_unsigned n = of_unsigned n
let of_nativeint_unsigned n = of_unsigned (Int64.of_nativeint n)
let fits_between low high x = match x with Small n -> n >= low && n <= high | Big _ -> false
let fits_int x = match x with Small _ -> true | Big _ -> false
let fits_int32 x = fits_between (-0x8000_0000) 0x7FFF_FFFF x
let fits_int32_unsigned x = fits_between 0 0xFFFF_FFFF x
let fits_int64 x = match to_int64 x with _ -> true | exception Overflow -> false
let fits_int64_unsigned x = match to_int64_unsigned x with _ -> true | exception Overflow -> false
let fits_nativeint x = fits_int64 x
let fits_nativeint_unsigned x = fits_int64_unsigned x
let to_int32 x = if fits_int32 x then Int32.of_int (to_int x) else raise Overflow
let to_int32_unsigned x = if fits_int32_unsigned x then Int32.of_int (to_int x) else raise Overflow
let to_nativeint x = Int64.to_nativeint (to_int64 x)
let to_nativeint_unsigned x = Int64.to_nativeint (to_int64_unsigned x)

(* For numbers between integers the last bit stands for what was lost. *)
let round_to_float x exact =
  let it = to_int64 x in
  Int64.to_float (if exact then it else Int64.logor it 1L)

(* ---- arithmetic *)

let[@inline] succ x = add x one
let[@inline] pred x = sub x one
let abs = abs_of
let ediv x y = fst (ediv_rem x y)
let divexact = div
let congruent x y modulus = divisible (sub x y) modulus
let jacobi = kronecker
let legendre = kronecker
let is_even x = not (is_odd x)
let hamdist x y = if sign x < 0 <> (sign y < 0) then raise Overflow else popcount (logxor x y)

let log2 x =
  if sign x <= 0 then invalid_arg "Z.log2";
  numbits x - 1

let log2up x =
  if sign x <= 0 then invalid_arg "Z.log2up";
  numbits (pred x)

(* ---- order *)

let leq x y = compare x y <= 0
let geq x y = compare x y >= 0
let lt x y = compare x y < 0
let gt x y = compare x y > 0
let min x y = if compare x y <= 0 then x else y
let max x y = if compare x y >= 0 then x else y
let hash (x : t) = Hashtbl.hash x
let seeded_hash seed (x : t) = Hashtbl.seeded_hash seed x

(* ---- parts *)

let size x = match x with Small _ -> 1 | Big (size, _) -> Stdlib.abs size

let extract x offset length =
  if offset < 0 then invalid_arg "Z.extract: negative bit offset";
  if length <= 0 then invalid_arg "Z.extract: nonpositive bit length";
  logand (shift_right x offset) (pred (shift_left one length))

let signed_extract x offset length =
  if offset < 0 then invalid_arg "Z.signed_extract: negative bit offset";
  if length <= 0 then invalid_arg "Z.signed_extract: nonpositive bit length";
  let it = extract x offset length in
  if testbit it (length - 1) then sub it (shift_left one length) else it

let to_bits x = if sign x = 0 then "" else String.sub (digits x) 0 (size x * 8)

let of_bits text =
  let length = String.length text in
  let count = (length + 7) / 8 in
  let out = Bytes.make (count * 8) '\000' in
  Bytes.blit_string text 0 out 0 length;
  made false count out

let of_substring text ~pos ~len = of_substring_base 0 text ~pos ~len
let of_string text = of_substring text ~pos:0 ~len:(String.length text)

let of_string_base base text =
  of_substring_base (if base = 0 then 1 else base) text ~pos:0 ~len:(String.length text)

let of_substring_base base text ~pos ~len =
  of_substring_base (if base = 0 then 1 else base) text ~pos ~len

let padded ~sign ~prefix ~digits ~width ~zeros ~left =
  let missing = width - String.length sign - String.length prefix - String.length digits in
  let pad c = if missing > 0 then String.make missing c else "" in
  if left then sign ^ prefix ^ digits ^ pad ' '
  else if zeros then sign ^ prefix ^ pad '0' ^ digits
  else pad ' ' ^ sign ^ prefix ^ digits

let format text x =
  let length = String.length text in
  let bad () = invalid_arg "Z.format: invalid format" in
  let plus = ref "" and left = ref false and zeros = ref false and alternate = ref false in
  let rec flags i =
    if i >= length then i
    else
      match text.[i] with
      | '+' -> plus := "+"; flags (i + 1)
      | ' ' -> plus := " "; flags (i + 1)
      | '-' -> left := true; flags (i + 1)
      | '0' -> zeros := true; flags (i + 1)
      | '#' -> alternate := true; flags (i + 1)
      | _ -> i
  in
  let rec number i so_far =
    if i < length && text.[i] >= '0' && text.[i] <= '9' then
      number (i + 1) ((so_far * 10) + Char.code text.[i] - 48)
    else (i, so_far)
  in
  let i = flags (if length > 0 && text.[0] = '%' then 1 else 0) in
  let i, width = number i 0 in
  if i >= length then bad ();
  let radix, prefix =
    match text.[i] with
    | 'i' | 'd' | 'u' -> (10, "")
    | 'b' -> (2, "0b")
    | 'o' -> (8, "0o")
    | 'x' -> (16, "0x")
    | 'X' -> (16, "0X")
    | _ -> bad ()
  in
  let digits = if Stdlib.( = ) (sign x) 0 then "0" else text_of radix x in
  let digits = if text.[i] = 'X' then String.uppercase_ascii digits else digits in
  padded
    ~sign:(if sign x < 0 then "-" else !plus)
    ~prefix:(if !alternate then prefix else "")
    ~digits ~width ~zeros:!zeros ~left:!left

let print x = print_string (to_string x)
let output channel x = output_string channel (to_string x)
let sprint () x = to_string x
let bprint buffer x = Buffer.add_string buffer (to_string x)
let pp_print formatter x = Format.pp_print_string formatter (to_string x)

(* ---- random numbers *)

(* Numbers below a bound: such that those above its last multiple are drawn again. *)
let rec random_below draw bits bound =
  let it = draw () in
  let rest = rem it bound in
  if gt (sub it rest) (sub (shift_left one bits) bound) then random_below draw bits bound else rest

let random_words rng count =
  let bits () = match rng with Some state -> Random.State.bits state | None -> Random.bits () in
  let rec go it left = if left = 0 then it else go (logor (shift_left it 30) (Small (bits ()))) (left - 1) in
  go zero count

let random_bits ?rng count =
  if count < 0 then invalid_arg "random_bits: number of bits must be >= 0";
  extract (random_words rng ((count + 29) / 30)) 0 count

let random_int ?rng bound =
  if sign bound <= 0 then invalid_arg "random_int: bound must be > 0";
  let words = (numbits bound + 4 + 29) / 30 in
  random_below (fun () -> random_words rng words) (words * 30) bound

let random_bits_gen ~fill count =
  if count < 0 then invalid_arg "random_bits: number of bits must be >= 0";
  let bytes = Bytes.create ((count + 7) / 8) in
  fill bytes 0 (Bytes.length bytes);
  extract (of_bits (Bytes.to_string bytes)) 0 count

let random_int_gen ~fill bound =
  if sign bound <= 0 then invalid_arg "random_int: bound must be > 0";
  let count = (numbits bound + 4 + 7) / 8 in
  let draw () =
    let bytes = Bytes.create count in
    fill bytes 0 count;
    of_bits (Bytes.to_string bytes)
  in
  random_below draw (count * 8) bound

(* ---- operators *)

let ( ~- ) = neg
let ( ~+ ) (x : t) = x
let[@inline] ( + ) x y = add x y
let[@inline] ( - ) x y = sub x y
let[@inline] ( * ) x y = mul x y
let ( / ) = div
let ( /> ) = cdiv
let ( /< ) = fdiv
let ( /| ) = divexact
let ( mod ) = rem
let ( land ) = logand
let ( lor ) = logor
let ( lxor ) = logxor
let ( ~! ) = lognot
let ( lsl ) = shift_left
let ( asr ) = shift_right
let ( ~$ ) = of_int
let ( ** ) = pow

module Compare = struct
  let ( = ) = equal
  let ( < ) = lt
  let ( > ) = gt
  let ( <= ) = leq
  let ( >= ) = geq
  let ( <> ) x y = not (equal x y)
end
