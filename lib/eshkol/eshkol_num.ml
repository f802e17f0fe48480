(* The numeric tower: fixnums, integers of any size, fractions, floats. *)

open Eshkol_value

(* Integers as sign and magnitude *)

let small_mag n = if n = min_int then [| 0; 0; 4 |] else Eshkol_big.of_int (if n < 0 then -n else n)

(* The integer of a sign and a magnitude, as a fixnum if it is one. *)
let[@inline never] integer negative mag =
  let n = length_of mag in
  if n <= 2 then
    let v =
      if n = 0 then 0 else if n = 1 then get mag 0 else (get mag 1 lsl 30) lor get mag 0
    in
    of_int (if negative then -v else v)
  else if n = 3 && get mag 2 = 1 && get mag 1 = 0 && get mag 0 = 0 then
    (* 2^60 is a fixnum *)
    of_int (if negative then -1152921504606846976 else 1152921504606846976)
  else if n = 3 && get mag 2 < 2 then
    let v = (get mag 2 lsl 60) lor (get mag 1 lsl 30) lor get mag 0 in
    of_int (if negative then -v else v)
  else if n = 3 && negative && get mag 2 = 2 && get mag 1 = 0 && get mag 0 = 0 then
    of_int (-2305843009213693952)
  else Big (negative, mag)

let[@inline] of_wide n = if fits n then of_int n else Big (n < 0, small_mag n)

let is_negative_integer v = if is_int v then to_int v < 0 else match v with Big (s, _) -> s | _ -> false
let magnitude v = if is_int v then small_mag (to_int v) else match v with Big (_, m) -> m | _ -> Eshkol_big.zero

let[@inline never] big_add a b =
  let sa = is_negative_integer a and sb = is_negative_integer b in
  let ma = magnitude a and mb = magnitude b in
  if sa = sb then integer sa (Eshkol_big.add ma mb)
  else
    let c = Eshkol_big.compare_mag ma mb in
    if c = 0 then of_int 0
    else if c > 0 then integer sa (Eshkol_big.sub ma mb)
    else integer sb (Eshkol_big.sub mb ma)

let[@inline never] big_negate a =
  if is_int a then of_wide (-to_int a) else match a with Big (s, m) -> integer (not s) m | _ -> a

let[@inline never] big_mul a b =
  let s = is_negative_integer a <> is_negative_integer b in
  integer s (Eshkol_big.mul (magnitude a) (magnitude b))

(* The next of a small integer: for the library, which counts where it cannot come far. *)
let[@inline] next v = to_int v + 1

(* Integers *)

let[@inline never] int_add a b = if is_int a && is_int b && word_add_fits a b then word_add a b else big_add a b
let[@inline never] int_sub a b = if is_int a && is_int b && word_sub_fits a b then word_sub a b else big_add a (big_negate b)
let[@inline never] int_mul a b = if is_int a && is_int b && word_mul_fits a b then word_mul a b else big_mul a b

let int_sign a = if is_int a then (let n = to_int a in if n < 0 then -1 else if n = 0 then 0 else 1) else if is_negative_integer a then -1 else 1

let[@inline never] int_compare a b =
  if is_int a && is_int b then
    let x = to_int a and y = to_int b in
    if x < y then -1 else if x > y then 1 else 0
  else
    let sa = is_negative_integer a and sb = is_negative_integer b in
    if sa <> sb then if sa then -1 else 1
    else
      let c = Eshkol_big.compare_mag (magnitude a) (magnitude b) in
      if sa then -c else c

(* Truncating; [b] is not zero. *)
let[@inline never] int_divide a b =
  if is_int a && is_int b then
    let x = to_int a and y = to_int b in
    (of_wide (int_unsafe_div x y), of_int (int_unsafe_mod x y))
  else
    let q, r = Eshkol_big.div_mod (magnitude a) (magnitude b) in
    let sa = is_negative_integer a and sb = is_negative_integer b in
    (integer (sa <> sb) q, integer sa r)

let rec int_gcd a b =
  if is_int a && is_int b then
    let rec go x y = if y = 0 then x else go y (int_unsafe_mod x y) in
    let g = go (to_int a) (to_int b) in
    of_wide (if g < 0 then -g else g)
  else if int_sign b = 0 then if is_negative_integer a then big_negate a else a
  else int_gcd b (snd (int_divide a b))

let one = of_int 1
let zero = of_int 0

let[@inline never] make_fraction n d =
  let g = int_gcd n d in
  let n = fst (int_divide n g) and d = fst (int_divide d g) in
  let n, d = if is_negative_integer d then (big_negate n, big_negate d) else (n, d) in
  if is_int d && to_int d = 1 then n else Rat (n, d)

(* Kinds: 0 no number, 1 integer, 2 fraction, 3 float, 4 inside of a derivative, 5 complex *)
let kind v =
  if is_int v then 1
  else if is_float_word v then 3
  else match v with Far _ | Zero | Minus_zero -> 3 | Big _ -> 1 | Rat _ -> 2 | Dual _ | Traced _ | Series _ -> 4 | Complex _ -> 5 | _ -> 0

let is_real a = let k = kind a in k <> 0 && k <> 5
let[@inline never] not_real place who v = wrong place who (if kind v = 5 then "a real number" else "a number") v

let numerator_of v = match v with Rat (n, _) -> n | _ -> v
let denominator_of v = match v with Rat (_, d) -> d | _ -> one

let int_to_float v =
  if is_int v then float_of_int (to_int v)
  else match v with Big (s, m) -> let x = Eshkol_big.to_float m in if s then -.x else x | _ -> nan

let[@inline never] fraction_to_float n d =
  let small v = is_int v && (let k = to_int v in k > -9007199254740992 && k < 9007199254740992) in
  if small n && small d then float_of_int (to_int n) /. float_of_int (to_int d)
  else begin
    let negative = is_negative_integer n in
    let n = magnitude n and d = magnitude d in
    let shift = Eshkol_big.bit_length d - Eshkol_big.bit_length n + 64 in
    let n, d = if shift >= 0 then (Eshkol_big.shift_left n shift, d) else (n, Eshkol_big.shift_left d (-shift)) in
    let q, r = Eshkol_big.div_mod n d in
    (* The quotient has 64 or 65 bits; a remainder must not be taken for a tie. *)
    let q = Eshkol_big.shift_left q 1 in
    let q = if Eshkol_big.is_zero r then q else Eshkol_big.add q (Eshkol_big.of_int 1) in
    let x = ldexp (Eshkol_big.to_float q) (-shift - 1) in
    if negative then -.x else x
  end

let rec to_float_slow place who v =
  if is_int v then float_of_int (to_int v)
  else if v == Zero then 0.0
  else if is_flo v then flo_of v
  else
    match v with
    | Big _ -> int_to_float v
    | Rat (n, d) -> fraction_to_float n d
    | Dual _ | Traced _ | Series _ -> to_float_slow place who (lost place who v)
    | Complex _ -> wrong place who "a real number" v
    | _ -> wrong place who "a number" v

let[@inline] to_float place who v = if is_float_word v then to_float_word v else to_float_slow place who v

let[@inline never] not_number place who a b =
  wrong place who "a number" (if kind a = 0 then a else b)

(* Operations on numbers inside of derivatives, by number. *)
let op_add = 0
let op_sub = 1
let op_mul = 2
let op_div = 3
let op_expt = 4
let op_atan = 5
let op_modulo = 6
let op_remainder = 7
let op_exp = 0
let op_log = 1
let op_sin = 2
let op_cos = 3
let op_tan = 4
let op_asin = 5
let op_acos = 6
let op_atan1 = 7
let op_sinh = 8
let op_cosh = 9
let op_tanh = 10
let op_sqrt = 11
let op_abs = 12
let op_log1p = 13

let[@inline never] active2 op place a b = !active_binary op place a b
let[@inline never] active1 op place a = !active_unary op place a

(* One operand at least is complex or inside of a derivative. *)
let[@inline never] beyond2 op place a b =
  if kind a = 5 || kind b = 5 then !complex_binary op place a b else active2 op place a b

(* Slow ways of the operations: one operand at least is no fixnum, or the result is none. Of these, a float beside a zero
   or beside a fixnum is usual: it is looked at first. *)

let[@inline] is_plain v = is_float_word v || is_int v || v == Zero
let[@inline] are_plain a b = is_plain a && is_plain b && not (is_int a && is_int b)

let[@inline] plain v = if is_float_word v then to_float_word v else if is_int v then float_of_int (to_int v) else 0.0

let[@inline never] [@cold] add_other place a b =
  let ka = kind a and kb = kind b in
  if ka = 0 || kb = 0 then not_number place "+" a b
  else if ka >= 4 || kb >= 4 then beyond2 op_add place a b
  else if ka = 3 || kb = 3 then flo (to_float place "+" a +. to_float place "+" b)
  else if ka = 1 && kb = 1 then int_add a b
  else
    let na = numerator_of a and da = denominator_of a and nb = numerator_of b and db = denominator_of b in
    make_fraction (int_add (int_mul na db) (int_mul nb da)) (int_mul da db)

let[@inline never] add_slow place a b = if are_plain a b then flo (plain a +. plain b) else add_other place a b

let[@inline never] [@cold] sub_other place a b =
  let ka = kind a and kb = kind b in
  if ka = 0 || kb = 0 then not_number place "-" a b
  else if ka >= 4 || kb >= 4 then beyond2 op_sub place a b
  else if ka = 3 || kb = 3 then flo (to_float place "-" a -. to_float place "-" b)
  else if ka = 1 && kb = 1 then int_sub a b
  else
    let na = numerator_of a and da = denominator_of a and nb = numerator_of b and db = denominator_of b in
    make_fraction (int_sub (int_mul na db) (int_mul nb da)) (int_mul da db)

let[@inline never] sub_slow place a b = if are_plain a b then flo (plain a -. plain b) else sub_other place a b

let[@inline never] [@cold] mul_other place a b =
  let ka = kind a and kb = kind b in
  if ka = 0 || kb = 0 then not_number place "*" a b
  else if ka >= 4 || kb >= 4 then beyond2 op_mul place a b
  else if ka = 3 || kb = 3 then flo (to_float place "*" a *. to_float place "*" b)
  else if ka = 1 && kb = 1 then int_mul a b
  else
    make_fraction
      (int_mul (numerator_of a) (numerator_of b))
      (int_mul (denominator_of a) (denominator_of b))

let[@inline never] mul_slow place a b = if are_plain a b then flo (plain a *. plain b) else mul_other place a b

(* Integers come first, then floats. *)
let[@inline] add place a b =
  if is_int a && is_int b && word_add_fits a b then word_add a b
  else if is_float_word a && is_float_word b then flo (to_float_word a +. to_float_word b)
  else add_slow place a b

let[@inline] sub place a b =
  if is_int a && is_int b && word_sub_fits a b then word_sub a b
  else if is_float_word a && is_float_word b then flo (to_float_word a -. to_float_word b)
  else sub_slow place a b

let[@inline] mul place a b =
  if is_int a && is_int b && word_mul_fits a b then word_mul a b
  else if is_float_word a && is_float_word b then flo (to_float_word a *. to_float_word b)
  else mul_slow place a b

(* Where a float is wanted: the product of floats needs no object. *)
let[@inline] add_float place a b =
  if is_float_word a && is_float_word b then to_float_word a +. to_float_word b
  else to_float place "+" (add_slow place a b)

let[@inline] sub_float place a b =
  if is_float_word a && is_float_word b then to_float_word a -. to_float_word b
  else to_float place "-" (sub_slow place a b)

let[@inline] mul_float place a b =
  if is_float_word a && is_float_word b then to_float_word a *. to_float_word b
  else to_float place "*" (mul_slow place a b)

let is_exact_zero v = is_int v && to_int v = 0

let[@inline never] [@cold] div_other place a b =
  let ka = kind a and kb = kind b in
  if ka = 0 || kb = 0 then not_number place "/" a b
  else if is_exact_zero b then domain place "/" "division by zero:" (ground a)
  else if ka >= 4 || kb >= 4 then beyond2 op_div place a b
  else if ka = 3 || kb = 3 then flo (to_float place "/" a /. to_float place "/" b)
  else
    make_fraction
      (int_mul (numerator_of a) (denominator_of b))
      (int_mul (denominator_of a) (numerator_of b))

let[@inline never] div_slow place a b = if are_plain a b && not (is_exact_zero b) then flo (plain a /. plain b) else div_other place a b

let[@inline] div place a b =
  if is_float_word a && is_float_word b then flo (to_float_word a /. to_float_word b) else div_slow place a b

let neg place a = sub place zero a

let negate place a = if is_flo a then flo (-.(flo_of a)) else neg place a

(* A float as the number that it is *)

let float_is_integer x = x -. x = 0.0 && float_trunc x = x

let shift_exact v bits = integer (is_negative_integer v) (Eshkol_big.shift_left (magnitude v) bits)

let[@inline never] exact_of_float place x =
  if x -. x <> 0.0 then domain place "exact" "no exact number is" (flo x)
  else if float_is_integer x && abs_float x < 1e18 then of_wide (int_of_float x)
  else begin
    let mantissa = float_frexp_mantissa x and exponent = float_frexp_exponent x in
    let whole = of_wide (int_of_float (ldexp mantissa 53)) in
    let exponent = exponent - 53 in
    if exponent >= 0 then shift_exact whole exponent
    else make_fraction whole (shift_exact one (-exponent))
  end

(* Rounding keeps the order of numbers: only where an exact one rounds to the float itself are
   their exact values compared. The exact one comes first. *)
let compare_rounded place who a y =
  let x = to_float place who a in
  if x < y then -1
  else if x > y then 1
  else if y <> y then 2
  else if is_int a && abs_float x < 9007199254740992.0 then 0
  else if y -. y <> 0.0 then if y > 0.0 then -1 else 1
  else
    let b = exact_of_float place y in
    int_compare
      (int_mul (numerator_of a) (denominator_of b))
      (int_mul (numerator_of b) (denominator_of a))

(* Comparison: -1, 0, 1, or 2 with a nan. *)
let rec compare_slow place who a b =
  let ka = kind a and kb = kind b in
  if ka = 0 || kb = 0 then not_number place who a b
  else if ka = 5 || kb = 5 then compare_complex place who a b
  else if ka = 4 || kb = 4 then compare_slow place who (ground a) (ground b)
  else if ka = 3 && kb = 3 then
    let x = to_float place who a and y = to_float place who b in
    if x < y then -1 else if x > y then 1 else if x = y then 0 else 2
  else if kb = 3 then compare_rounded place who a (to_float place who b)
  else if ka = 3 then
    let c = compare_rounded place who b (to_float place who a) in
    if c = 2 then 2 else -c
  else if ka = 1 && kb = 1 then int_compare a b
  else
    int_compare
      (int_mul (numerator_of a) (denominator_of b))
      (int_mul (numerator_of b) (denominator_of a))

(* Complex numbers are equal or not, and have no order. *)
and[@inline never] compare_complex place who a b =
  if who <> "=" then wrong place who "a real number" (if kind a = 5 then a else b)
  else
    let part first v = match v with Complex (re, im) -> if first then re else im | _ -> if first then v else zero in
    if compare_slow place who (part true a) (part true b) = 0 && compare_slow place who (part false a) (part false b) = 0 then 0
    else 1

(* Floats, zeros, and fixnums that are the same number as a float. *)
let[@inline] is_near v =
  is_float_word v || v == Zero || (is_int v && to_int v > -9007199254740992 && to_int v < 9007199254740992)

let[@inline never] [@cold] other_eq place a b = compare_slow place "=" a b = 0
let[@inline never] [@cold] other_lt place a b = compare_slow place "<" a b = -1
let[@inline never] [@cold] other_le place a b = let c = compare_slow place "<=" a b in c = -1 || c = 0
let[@inline never] [@cold] other_gt place a b = compare_slow place ">" a b = 1
let[@inline never] [@cold] other_ge place a b = let c = compare_slow place ">=" a b in c = 1 || c = 0
let[@inline never] slow_eq place a b = if is_near a && is_near b then plain a = plain b else other_eq place a b
let[@inline never] slow_lt place a b = if is_near a && is_near b then plain a < plain b else other_lt place a b
let[@inline never] slow_le place a b = if is_near a && is_near b then plain a <= plain b else other_le place a b
let[@inline never] slow_gt place a b = if is_near a && is_near b then plain a > plain b else other_gt place a b
let[@inline never] slow_ge place a b = if is_near a && is_near b then plain a >= plain b else other_ge place a b

let[@inline] num_eq place a b =
  if is_int a && is_int b then a == b
  else if is_float_word a && is_float_word b then to_float_word a = to_float_word b
  else slow_eq place a b

let[@inline] num_lt place a b =
  if is_int a && is_int b then word_less a b
  else if is_float_word a && is_float_word b then to_float_word a < to_float_word b
  else slow_lt place a b

let[@inline] num_gt place a b =
  if is_int a && is_int b then word_less b a
  else if is_float_word a && is_float_word b then to_float_word a > to_float_word b
  else slow_gt place a b

let[@inline] num_le place a b =
  if is_int a && is_int b then not (word_less b a)
  else if is_float_word a && is_float_word b then to_float_word a <= to_float_word b
  else slow_le place a b

let[@inline] num_ge place a b =
  if is_int a && is_int b then not (word_less a b)
  else if is_float_word a && is_float_word b then to_float_word a >= to_float_word b
  else slow_ge place a b


(* Where at least one is a float, as far as is known; an exact number is compared as it is. *)
let[@inline] eq_floats place a b =
  if is_float_word a && is_float_word b then to_float_word a = to_float_word b else slow_eq place a b

let[@inline] lt_floats place a b =
  if is_float_word a && is_float_word b then to_float_word a < to_float_word b else slow_lt place a b

let[@inline] gt_floats place a b =
  if is_float_word a && is_float_word b then to_float_word a > to_float_word b else slow_gt place a b

let[@inline] le_floats place a b =
  if is_float_word a && is_float_word b then to_float_word a <= to_float_word b else slow_le place a b

let[@inline] ge_floats place a b =
  if is_float_word a && is_float_word b then to_float_word a >= to_float_word b else slow_ge place a b

let is_zero_slow place a =
  match ground a with
  | Zero | Minus_zero -> true
  | Complex (re, im) -> slow_eq place re zero && slow_eq place im zero
  | v -> if kind v = 0 then wrong place "zero?" "a number" v else is_exact_zero v

(* A float that has a word is not zero. *)
let[@inline] is_zero place a =
  if is_int a then to_int a = 0 else (not (is_float_word a)) && is_zero_slow place a

let rec sign place who a =
  if is_int a then to_int a
  else if is_flo a then
    let x = flo_of a in
    if x > 0.0 then 1 else if x < 0.0 then -1 else 0
  else
    match a with
    | Big (s, _) -> if s then -1 else 1
    | Rat (n, _) -> int_sign n
    | Dual _ | Traced _ | Series _ -> sign place who (ground a)
    | _ -> not_real place who a

let is_positive place a = sign place "positive?" a > 0
let is_negative place a = sign place "negative?" a < 0
let is_number a = kind a <> 0
let has_floats v = match v with Complex (re, _) -> is_flo re | _ -> false
let is_exact place a = match kind (ground a) with 0 -> wrong place "exact?" "a number" a | 3 -> false | 5 -> not (has_floats a) | _ -> true
let is_inexact place a = match kind (ground a) with 0 -> wrong place "inexact?" "a number" a | 3 -> true | 5 -> has_floats a | _ -> false

let is_integer a = is_int a || match ground a with Big _ -> true | v -> if is_flo v then float_is_integer (flo_of v) else is_int v
let is_rational a = is_int a || match ground a with Big _ | Rat _ -> true | v -> if is_flo v then flo_of v -. flo_of v = 0.0 else is_int v
let is_exact_integer a = is_int a || match a with Big _ -> true | _ -> false
let is_exact_rational a = is_exact_integer a || match a with Rat _ -> true | _ -> false
let rec is_nan_number place a = match ground a with Far x -> x <> x | Complex (re, im) -> is_nan_number place re || is_nan_number place im | _ -> if kind a = 0 then wrong place "nan?" "a number" a else false
let rec is_finite place a = match ground a with Far x -> x -. x = 0.0 | Complex (re, im) -> is_finite place re && is_finite place im | _ -> if kind a = 0 then wrong place "finite?" "a number" a else true
let rec is_infinite place a = match ground a with Far x -> x = infinity || x = neg_infinity | Complex (re, im) -> is_infinite place re || is_infinite place im | _ -> if kind a = 0 then wrong place "infinite?" "a number" a else false

(* Division of integers: also of floats that are integers. *)

let rec float_integer place who v =
  match v with
  | Dual _ | Traced _ | Series _ -> float_integer place who (lost place who v)
  | _ when is_flo v && float_is_integer (flo_of v) -> flo_of v
  | _ -> if is_exact_integer v then int_to_float v else wrong place who "an integer" v

let zero_divisor place who a = domain place who "division by zero:" a

let rec quotient place a b =
  if is_active a || is_active b then quotient place (ground a) (ground b)
  else if is_int a && is_int b && to_int b <> 0 then of_wide (int_unsafe_div (to_int a) (to_int b))
  else if is_exact_integer a && is_exact_integer b then
    if is_exact_zero b then zero_divisor place "quotient" a else fst (int_divide a b)
  else
    let x = float_integer place "quotient" a and y = float_integer place "quotient" b in
    if y = 0.0 then zero_divisor place "quotient" a else flo (float_trunc (x /. y))

let remainder place a b =
  if is_active a || is_active b then active2 op_remainder place a b
  else if is_int a && is_int b && to_int b <> 0 then of_int (int_unsafe_mod (to_int a) (to_int b))
  else if is_exact_integer a && is_exact_integer b then
    if is_exact_zero b then zero_divisor place "remainder" a else snd (int_divide a b)
  else
    let x = float_integer place "remainder" a and y = float_integer place "remainder" b in
    if y = 0.0 then zero_divisor place "remainder" a else flo (mod_float x y)

let modulo_slow place who a b =
  if is_active a || is_active b then active2 op_modulo place a b
  else if is_exact_integer a && is_exact_integer b then
    if is_exact_zero b then zero_divisor place who a
    else
      let r = snd (int_divide a b) in
      if int_sign r <> 0 && int_sign r < 0 <> (int_sign b < 0) then int_add r b else r
  else
    let x = float_integer place who a and y = float_integer place who b in
    if y = 0.0 then zero_divisor place who a
    else
      let r = mod_float x y in
      if r <> 0.0 && r < 0.0 <> (y < 0.0) then flo (r +. y) else flo r

let modulo place a b =
  if is_int a && is_int b && to_int b <> 0 then
    let y = to_int b in
    let r = int_unsafe_mod (to_int a) y in
    of_int (if r <> 0 && r < 0 <> (y < 0) then r + y else r)
  else modulo_slow place "modulo" a b

let rec floor_quotient place a b =
  if is_active a || is_active b then floor_quotient place (ground a) (ground b)
  else if is_exact_integer a && is_exact_integer b then
    if is_exact_zero b then zero_divisor place "floor-quotient" a
    else
      let q, r = int_divide a b in
      if int_sign r <> 0 && int_sign r < 0 <> (int_sign b < 0) then int_sub q one else q
  else
    let x = float_integer place "floor-quotient" a and y = float_integer place "floor-quotient" b in
    if y = 0.0 then zero_divisor place "floor-quotient" a else flo (floor (x /. y))

let rec gcd place a b =
  if is_exact_integer a && is_exact_integer b then int_gcd a b
  else
    let x = float_integer place "gcd" a and y = float_integer place "gcd" b in
    let rec go x y = if y = 0.0 then abs_float x else go y (mod_float x y) in
    flo (go x y)

let[@inline never] abs_slow place a =
  if is_int a then of_wide (if to_int a < 0 then -to_int a else to_int a)
  else if is_flo a then flo (abs_float (flo_of a))
  else match a with
    | Dual _ | Traced _ | Series _ -> active1 op_abs place a
    | _ -> if sign place "abs" a < 0 then negate place a else a

let[@inline] abs place a =
  if is_int a && to_int a >= 0 then a
  else if is_int a && word_sub_fits zero a then word_sub zero a
  else abs_slow place a

let lcm place a b =
  if is_zero place a || is_zero place b then mul place a b
  else abs place (mul place a (quotient place b (gcd place a b)))

let rec is_even place a =
  if is_active a then is_even place (ground a)
  else if is_int a then to_int a land 1 = 0
  else is_zero place (match a with Big _ -> remainder place a (of_int 2) | _ -> flo (mod_float (float_integer place "even?" a) 2.0))

let rec is_odd place a =
  if is_active a then is_odd place (ground a)
  else if is_int a then to_int a land 1 = 1
  else not (is_zero place (match a with Big _ -> remainder place a (of_int 2) | _ -> flo (mod_float (float_integer place "odd?" a) 2.0)))

let[@inline never] min2 place a b =
  let c = compare_slow place "min" a b in
  let inexact = kind a = 3 || kind b = 3 in
  let v = if c = 2 then flo nan else if c <= 0 then a else b in
  if is_active v then v
  else if inexact || kind (ground a) = 3 || kind (ground b) = 3 then flo (to_float place "min" v)
  else v

let[@inline never] max2 place a b =
  let c = compare_slow place "max" a b in
  let inexact = kind a = 3 || kind b = 3 in
  let v = if c = 2 then flo nan else if c >= 0 then a else b in
  if is_active v then v
  else if inexact || kind (ground a) = 3 || kind (ground b) = 3 then flo (to_float place "max" v)
  else v

(* Exactness *)

let rec exact place a =
  if is_flo a then exact_of_float place (flo_of a)
  else
  match a with
  | Dual _ | Traced _ | Series _ -> if is_exact place a then a else exact place (lost place "exact" a)
  | Complex (re, im) -> let im = exact place im in if is_exact_zero im then exact place re else Complex (exact place re, im)
  | _ -> if kind a = 0 then wrong place "exact" "a number" a else a
let rec inexact place a =
  if is_flo a then a
  else
  match a with
  | Complex (re, im) -> Complex (inexact place re, inexact place im)
  | Dual _ | Traced _ | Series _ -> active2 op_mul place (flo 1.0) a
  | _ -> flo (to_float place "inexact" a)
let rec numerator place a = match a with Dual _ | Traced _ | Series _ -> numerator place (lost place "numerator" a) | _ when is_flo a -> flo (int_to_float (numerator_of (exact_of_float place (flo_of a)))) | _ -> if not (is_real a) then wrong place "numerator" "a rational number" a else numerator_of a
let rec denominator place a = match a with Dual _ | Traced _ | Series _ -> denominator place (lost place "denominator" a) | _ when is_flo a -> flo (int_to_float (denominator_of (exact_of_float place (flo_of a)))) | _ -> if not (is_real a) then wrong place "denominator" "a rational number" a else denominator_of a

(* Rounding *)

let int_floor n d =
  let q, r = int_divide n d in
  if int_sign r < 0 then int_sub q one else q

let round_half_even x =
  let low = floor x in
  let d = x -. low in
  if d < 0.5 then low else if d > 0.5 then low +. 1.0
  else if mod_float low 2.0 = 0.0 then low else low +. 1.0

let floor_number place a = let a = ground a in if is_flo a then flo (floor (flo_of a)) else match a with Rat (n, d) -> int_floor n d | _ -> if is_real a then a else not_real place "floor" a
let ceiling place a = let a = ground a in if is_flo a then flo (ceil (flo_of a)) else match a with Rat (n, d) -> int_add (int_floor n d) one | _ -> if is_real a then a else not_real place "ceiling" a
let truncate_number place a = let a = ground a in if is_flo a then flo (float_trunc (flo_of a)) else match a with Rat (n, d) -> fst (int_divide n d) | _ -> if is_real a then a else not_real place "truncate" a

let round_number place a =
  let a = ground a in
  if is_flo a then
    let x = flo_of a in
    flo (if abs_float x < 4503599627370496.0 then copysign (round_half_even x) x else x)
  else
  match a with
  | Rat (n, d) ->
      let two = of_int 2 in
      let low = int_floor n d in
      let twice = int_sub (int_mul two n) (int_mul (int_mul two d) low) in
      let c = int_compare twice d in
      if c < 0 then low
      else if c > 0 then int_add low one
      else if int_sign (snd (int_divide low two)) = 0 then low
      else int_add low one
  | _ -> if is_real a then a else not_real place "round" a

(* Powers and roots *)

let rec power_by place base n =
  if n = 0 then one
  else
    let half = power_by place base (n / 2) in
    let square = mul place half half in
    if n land 1 = 1 then mul place square base else square

(* The integer square root of a natural number, by Newton's way. *)
let int_sqrt v =
  if is_int v && to_int v < 4503599627370496 then of_int (int_of_float (sqrt (float_of_int (to_int v))))
  else begin
    let bits = Eshkol_big.bit_length (magnitude v) in
    let rec refine x =
      let y = fst (int_divide (int_add x (fst (int_divide v x))) (of_int 2)) in
      if int_compare y x >= 0 then x else refine y
    in
    refine (shift_exact one ((bits / 2) + 1))
  end

let not_a_number = flo nan

let exact_root v =
  let r = int_sqrt v in
  if int_compare (int_mul r r) v = 0 then Some r else None

let[@inline never] square_root place a =
  if is_flo a then
    let x = flo_of a in
    if x < 0.0 && !has_complex then !complex_unary op_sqrt place a else flo (sqrt x)
  else
  match a with
  | Dual _ | Traced _ | Series _ -> active1 op_sqrt place a
  | Complex _ -> !complex_unary op_sqrt place a
  | _ ->
      if kind a = 0 then wrong place "sqrt" "a number" a
      else if sign place "sqrt" a < 0 then if !has_complex then !complex_unary op_sqrt place a else flo (sqrt (to_float place "sqrt" a))
      else (
        match (exact_root (numerator_of a), exact_root (denominator_of a)) with
        | Some n, Some d -> make_fraction n d
        | _ -> flo (sqrt (to_float place "sqrt" a)))

let exact_integer_sqrt place a =
  if not (is_exact_integer a) || int_sign a < 0 then wrong place "exact-integer-sqrt" "a natural number" a
  else
    let r = int_sqrt a in
    Values [| r; int_sub a (int_mul r r) |]

(* A power of more bits than this is refused: it would not fit into memory. *)
let most_bits = 4294967296.0

let[@inline never] exact_power place a b =
  let bits v = float_of_int (Eshkol_big.bit_length (magnitude v)) in
  let size = bits (numerator_of a) +. bits (denominator_of a) in
  if (not (is_int b)) || size *. abs_float (float_of_int (to_int b)) > most_bits then domain place "expt" "the result is too large:" b
  else
    let n = to_int b in
    if n >= 0 then power_by place a n else div place one (power_by place a (-n))

(* The exponent is an exact integer of any size: whether it is odd decides the sign, whatever a float would make of it. *)
let[@inline never] integer_power place a b =
  if is_flo a then
    if is_exact_zero b then one
    else
      let x = flo_of a in
      let power = abs_float x ** to_float place "expt" b in
      flo (if (x < 0.0 || 1.0 /. x < 0.0) && is_odd place b then -.power else power)
  else if kind a = 0 then wrong place "expt" "a number" a
  else if kind a = 5 then !complex_binary op_expt place a b
  else if is_exact_zero b then one
  else if is_exact_zero a then if int_sign b < 0 then domain place "expt" "zero to a negative power:" b else a
  else if is_int a && to_int a = 1 then a
  else if is_int a && to_int a = -1 then if is_odd place b then a else one
  else exact_power place a b

let[@inline never] expt place a b =
  if is_active a || is_active b then beyond2 op_expt place a b
  else if is_exact_integer b then integer_power place a b
  else if !has_complex && (kind a = 5 || kind b = 5 || (is_number b && not (is_integer b) && sign place "expt" a < 0)) then !complex_binary op_expt place a b
  else
    match b with
    | Rat (n, _) when is_exact_zero a -> if int_sign n < 0 then domain place "expt" "zero to a negative power:" b else a
    | _ -> flo (to_float place "expt" a ** to_float place "expt" b)

let[@inline] float_function op place who a f =
  if is_float_word a then flo (f (to_float_word a))
  else
  match a with
  | Dual _ | Traced _ | Series _ -> active1 op place a
  | Complex _ -> !complex_unary op place a
  | _ -> flo (f (to_float place who a))

(* Whether the result for a number is complex where there are such: [a] is not within the bounds. *)
let[@inline never] leaves_reals place a low high =
  !has_complex && (not (is_active a)) && kind a <> 5 && kind a <> 0 && (let x = to_float place "" a in x < low || x > high)

let exp_number place a = if is_exact_zero a then one else float_function op_exp place "exp" a (fun x -> exp x)
let sin_number place a = if is_exact_zero a then zero else float_function op_sin place "sin" a (fun x -> sin x)
let cos_number place a = if is_exact_zero a then one else float_function op_cos place "cos" a (fun x -> cos x)
let tan_number place a = if is_exact_zero a then zero else float_function op_tan place "tan" a (fun x -> tan x)
let asin_number place a = if is_exact_zero a then zero else if leaves_reals place a (-1.0) 1.0 then !complex_unary op_asin place a else float_function op_asin place "asin" a (fun x -> asin x)
let acos_number place a = if is_int a && to_int a = 1 then zero else if leaves_reals place a (-1.0) 1.0 then !complex_unary op_acos place a else float_function op_acos place "acos" a (fun x -> acos x)
let sinh_number place a = float_function op_sinh place "sinh" a (fun x -> sinh x)
let cosh_number place a = float_function op_cosh place "cosh" a (fun x -> cosh x)
let tanh_number place a = float_function op_tanh place "tanh" a (fun x -> tanh x)

(* The logarithm of 1 + [a]. *)
let log1p_number place a = float_function op_log1p place "log" a (fun x -> log1p x)

let log_number place a b =
  match b with
  | Absent ->
      if is_int a && to_int a = 1 then zero
      else if is_exact_zero a then domain place "log" "no logarithm of" a
      else if leaves_reals place a 0.0 infinity then !complex_unary op_log place a
      else float_function op_log place "log" a (fun x -> log x)
  | _ ->
      if is_active a || is_active b then
        let log_of v = if is_active v then active1 op_log place v else flo (log (to_float place "log" v)) in
        div place (log_of a) (log_of b)
      else if !has_complex then
        let log_of v = if kind v = 5 || leaves_reals place v 0.0 infinity then !complex_unary op_log place v else flo (log (to_float place "log" v)) in
        div place (log_of a) (log_of b)
      else flo (log (to_float place "log" a) /. log (to_float place "log" b))

let atan_number place a b =
  match b with
  | Absent -> if is_exact_zero a then zero else float_function op_atan1 place "atan" a (fun x -> atan x)
  | _ ->
      if is_active a || is_active b then active2 op_atan place a b
      else if is_exact_zero a && not (is_inexact place b) && sign place "atan" b > 0 then zero
      else flo (atan2 (to_float place "atan" a) (to_float place "atan" b))

(* Bits of integers, as in two's complement of any length *)

let rec big_bits place who f a b =
  (* In base 2^30 from the least digit, with the sign as an infinite digit. *)
  let digits v = length_of (magnitude v) in
  let n = (if digits a > digits b then digits a else digits b) + 1 in
  let complement v =
    let m = magnitude v in
    let made = make n 0 in
    blit m 0 made 0 (length_of m);
    if is_negative_integer v then begin
      let carry = ref 1 in
      for i = 0 to n - 1 do
        let d = (get made i lxor Eshkol_big.mask) + !carry in
        set made i (d land Eshkol_big.mask);
        carry := d lsr 30
      done
    end;
    made
  in
  let x = complement a and y = complement b in
  let made = make n 0 in
  for i = 0 to n - 1 do
    set made i (f (get x i) (get y i) land Eshkol_big.mask)
  done;
  if get made (n - 1) lsr 29 = 1 then begin
    let carry = ref 1 in
    for i = 0 to n - 1 do
      let d = (get made i lxor Eshkol_big.mask) + !carry in
      set made i (d land Eshkol_big.mask);
      carry := d lsr 30
    done;
    integer true (Eshkol_big.trim made)
  end
  else integer false (Eshkol_big.trim made)

let bits place who f a b =
  if is_int a && is_int b then of_int (f (to_int a) (to_int b))
  else if not (is_exact_integer a) then wrong place who "an exact integer" a
  else if not (is_exact_integer b) then wrong place who "an exact integer" b
  else big_bits place who f a b

let bit_and place a b = bits place "bitwise-and" (fun x y -> x land y) a b
let bit_or place a b = bits place "bitwise-or" (fun x y -> x lor y) a b
let bit_xor place a b = bits place "bitwise-xor" (fun x y -> x lxor y) a b
let bit_not place a = sub place (negate place a) one

let shift place a b =
  if not (is_exact_integer a) then wrong place "arithmetic-shift" "an exact integer" a
  else if not (is_int b) then wrong place "arithmetic-shift" "a small integer" b
  else
    let n = to_int b in
    if n >= 0 then shift_exact a n
    else if is_int a then of_int (to_int a asr (if -n > 62 then 62 else -n))
    else int_floor a (shift_exact one (-n))
