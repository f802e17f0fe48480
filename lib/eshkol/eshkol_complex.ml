(* Complex numbers. Programs that do not mention them hold none of this: the operations on real numbers find it by
   variables that [enable] fills. Both parts are exact, or both are floats; an exact imaginary part is not zero. *)

open Eshkol_value
open Eshkol_num

let make re im =
  if is_exact_zero im then re
  else
    match (is_flo re, is_flo im) with
    | true, false | false, true -> Complex (inexact "" re, inexact "" im)
    | _ -> Complex (re, im)

let[@inline never] real_part_of v = match v with Complex (re, _) -> re | _ -> v
let[@inline never] imag_part_of v = match v with Complex (_, im) -> im | _ -> zero

(* A number that can be part of a complex one. *)
let[@inline never] real place who v =
  if is_active v then domain place who "derivatives of complex numbers are not supported:" (ground v)
  else if is_real v then v
  else wrong place who "a real number" v

let[@inline never] no_derivative place who v =
  if is_active v then domain place who "derivatives of complex numbers are not supported:" (ground v)
  else if is_number v then v
  else wrong place who "a number" v

let make_rectangular place re im =
  let re = real place "make-rectangular" re in
  make re (real place "make-rectangular" im)

let float_of place v = to_float place "complex" v
let floats re im = Complex (flo re, flo im)

let[@inline never] polar m a = floats (m *. cos a) (m *. sin a)

let make_polar place m a =
  let m = real place "make-polar" m in
  let a = real place "make-polar" a in
  if is_exact_zero a || is_exact_zero m then m else polar (float_of place m) (float_of place a)

let real_part place v = real_part_of (no_derivative place "real-part" v)
let imag_part place v = imag_part_of (no_derivative place "imag-part" v)

let[@inline never] magnitude_of place v =
  match v with
  | Complex (a, b) when is_flo a -> flo (hypot (flo_of a) (flo_of b))
  | Complex (a, b) -> square_root place (add place (mul place a a) (mul place b b))
  | _ -> abs place v

let[@inline never] angle_of place v =
  match v with
  | Complex (a, b) -> flo (atan2 (float_of place b) (float_of place a))
  | _ when is_flo v ->
      let x = flo_of v in
      if x < 0.0 || 1.0 /. x < 0.0 then flo 3.141592653589793 else flo 0.0
  | _ -> if sign place "angle" v < 0 then flo 3.141592653589793 else zero

let magnitude place v = match v with Complex _ -> magnitude_of place v | _ -> abs place v
let angle place v = angle_of place (no_derivative place "angle" v)

(* Arithmetic *)

let[@inline never] product place a b =
  match (a, b) with
  | Complex (x, y), Complex (u, v) ->
      make (sub place (mul place x u) (mul place y v)) (add place (mul place x v) (mul place y u))
  | Complex (x, y), r | r, Complex (x, y) -> if is_exact_zero r then zero else make (mul place r x) (mul place r y)
  | _ -> mul place a b

let[@inline never] quotient_of place a b =
  match b with
  | Complex (u, v) when is_flo u ->
      let u = flo_of u and v = flo_of v in
      (* Smith's way keeps squares from overflowing. *)
      let x = float_of place (real_part_of a) and y = float_of place (imag_part_of a) in
      if abs_float u >= abs_float v then
        let t = v /. u in
        let d = u +. (v *. t) in
        floats ((x +. (y *. t)) /. d) ((y -. (x *. t)) /. d)
      else
        let t = u /. v in
        let d = (u *. t) +. v in
        floats (((x *. t) +. y) /. d) (((y *. t) -. x) /. d)
  | Complex (u, v) ->
      let size = add place (mul place u u) (mul place v v) in
      let over = product place a (Complex (u, negate place v)) in
      make (div place (real_part_of over) size) (div place (imag_part_of over) size)
  | _ -> make (div place (real_part_of a) b) (div place (imag_part_of a) b)

let[@inline never] exp_of place z =
  polar (exp (float_of place (real_part_of z))) (float_of place (imag_part_of z))

let[@inline never] log_of place z =
  let m = float_of place (magnitude_of place z) and a = float_of place (angle_of place z) in
  if a = 0.0 then flo (log m) else floats (log m) a

let[@inline never] float_root x y =
  let m = hypot x y in
  if m = 0.0 then floats 0.0 y
  else if x >= 0.0 then
    let t = sqrt ((m +. x) /. 2.0) in
    floats t (y /. (2.0 *. t))
  else
    let t = sqrt ((m -. x) /. 2.0) in
    floats (abs_float y /. (2.0 *. t)) (copysign t y)

let[@inline never] root_of place z =
  match z with
  | Complex (x, y) when is_flo x -> float_root (flo_of x) (flo_of y)
  | Complex (x, y) -> (
      let two = of_int 2 in
      let inexactly () = float_root (float_of place x) (float_of place y) in
      let m = magnitude_of place z in
      if is_flo m then inexactly ()
      else
        let re = square_root place (div place (add place m x) two) in
        let im = square_root place (div place (sub place m x) two) in
        if is_flo re || is_flo im then inexactly ()
        else make re (if sign place "sqrt" y < 0 then negate place im else im))
  | _ when is_flo z ->
      let x = flo_of z in
      if x < 0.0 then floats 0.0 (sqrt (-.x)) else flo (sqrt x)
  | _ ->
      let root = square_root place (negate place z) in
      if is_flo root then floats 0.0 (flo_of root) else make zero root

let[@inline never] rec power place z n =
  if n = 0 then one
  else
    let half = power place z (n / 2) in
    let square = product place half half in
    if n land 1 = 1 then product place square z else square

let[@inline never] expt_of place a b =
  if is_int b then
    let n = to_int b in
    if n >= 0 then power place a n else quotient_of place one (power place a (-n))
  else if is_zero place a then
    if sign place "expt" (real_part_of b) > 0 then if is_exact place a then zero else flo 0.0
    else domain place "expt" "zero to this power:" b
  else exp_of place (product place b (log_of place a))

(* Functions *)

let[@inline never] sum place a b =
  make (add place (real_part_of a) (real_part_of b)) (add place (imag_part_of a) (imag_part_of b))

let[@inline never] difference place a b =
  make (sub place (real_part_of a) (real_part_of b)) (sub place (imag_part_of a) (imag_part_of b))

let[@inline never] of_floats place z f = f (float_of place (real_part_of z)) (float_of place (imag_part_of z))
let[@inline never] sin_of place z = of_floats place z (fun x y -> floats (sin x *. cosh y) (cos x *. sinh y))
let[@inline never] cos_of place z = of_floats place z (fun x y -> floats (cos x *. cosh y) (-.(sin x *. sinh y)))
let[@inline never] sinh_of place z = of_floats place z (fun x y -> floats (sinh x *. cos y) (cosh x *. sin y))
let[@inline never] cosh_of place z = of_floats place z (fun x y -> floats (cosh x *. cos y) (sinh x *. sin y))

let inexact_any place v = match v with Complex (a, b) -> Complex (inexact place a, inexact place b) | _ -> inexact place v
let is_zero_any place v = match v with Complex (a, b) -> is_zero place a && is_zero place b | _ -> is_zero place v

let[@inline never] tan_of place z =
  of_floats place z (fun x y ->
      if abs_float y > 20.0 then quotient_of place (sin_of place z) (cos_of place z)
      else
        let d = cos (2.0 *. x) +. cosh (2.0 *. y) in
        floats (sin (2.0 *. x) /. d) (sinh (2.0 *. y) /. d))

(* The roots of 1 - z and 1 + z, after Kahan. *)
let[@inline never] roots place z =
  let root v = match root_of place v with Complex (re, im) -> (float_of place re, float_of place im) | v -> (float_of place v, 0.0) in
  (root (inexact_any place (difference place one z)), root (inexact_any place (sum place one z)))

let[@inline never] asin_of place z =
  let (a, b), (c, d) = roots place z in
  floats (atan2 (float_of place (real_part_of z)) ((a *. c) -. (b *. d))) (asinh ((a *. d) -. (b *. c)))

let[@inline never] acos_of place z =
  let (a, b), (c, d) = roots place z in
  floats (2.0 *. atan2 a c) (asinh ((c *. b) -. (d *. a)))

(* (log (1 + iz) - log (1 - iz)) / 2i *)
let[@inline never] atan_of place z =
  let turned = make (negate place (imag_part_of z)) (real_part_of z) in
  let up = sum place one turned and down = difference place one turned in
  if is_zero_any place up || is_zero_any place down then domain place "atan" "no arc tangent of" z
  else quotient_of place (difference place (log_of place up) (log_of place down)) (floats 0.0 2.0)

let binary op place a b =
  let who = if op = op_add then "+" else if op = op_sub then "-" else if op = op_mul then "*" else if op = op_div then "/" else if op = op_expt then "expt" else "atan" in
  let a = no_derivative place who a in
  let b = no_derivative place who b in
  if op = op_add then sum place a b
  else if op = op_sub then difference place a b
  else if op = op_mul then product place a b
  else if op = op_div then quotient_of place a b
  else if op = op_expt then expt_of place a b
  else wrong place who "a real number" (match a with Complex _ -> a | _ -> b)

let unary op place a =
  if op = op_exp then exp_of place a
  else if op = op_log then log_of place a
  else if op = op_sin then sin_of place a
  else if op = op_cos then cos_of place a
  else if op = op_tan then tan_of place a
  else if op = op_asin then asin_of place a
  else if op = op_acos then acos_of place a
  else if op = op_atan1 then atan_of place a
  else if op = op_sinh then sinh_of place a
  else if op = op_cosh then cosh_of place a
  else if op = op_tanh then quotient_of place (sinh_of place a) (cosh_of place a)
  else root_of place a

(* Text: [a+bi] and [m@a]. The sign of the imaginary part is the last one that no exponent has before it. *)

let text place v radix =
  match v with
  | Complex (re, im) ->
      let im_text = Eshkol_number_text.text_of place im radix in
      let first = string_unsafe_get im_text 0 in
      let signed = if first = '+' || first = '-' then im_text else "+" ^ im_text in
      let signed = if is_int im && (to_int im = 1 || to_int im = -1) then if to_int im < 0 then "-" else "+" else signed in
      (if is_exact_zero re then "" else Eshkol_number_text.text_of place re radix) ^ signed ^ "i"
  | _ -> ""

let[@inline never] parse s radix exactness =
  let n = string_length s in
  let part from count = Eshkol_number_text.parse (Eshkol_number_text.slice s from count) radix exactness in
  let at = Eshkol_number_text.index_of s '@' in
  if at > 0 then
    match (part 0 at, part (at + 1) (n - at - 1)) with
    | False, _ | _, False -> False
    | m, a -> if is_real m && is_real a then make_polar "" m a else False
  else if n >= 2 && (string_unsafe_get s (n - 1) = 'i' || string_unsafe_get s (n - 1) = 'I') then
    let is_sign i = let c = string_unsafe_get s i in c = '+' || c = '-' in
    let is_exponent i = radix = 10 && i > 0 && (let c = string_unsafe_get s (i - 1) in c = 'e' || c = 'E') && i > 1 && Eshkol_number_text.digit_of (string_unsafe_get s (i - 2)) 10 >= 0 in
    let rec find i = if i < 0 then -1 else if is_sign i && not (is_exponent i) then i else find (i - 1) in
    let k = find (n - 2) in
    if k < 0 then False
    else
      let im = if k = n - 2 then (if string_unsafe_get s k = '-' then of_int (-1) else one) else part k (n - 1 - k) in
      let re = if k = 0 then zero else part 0 k in
      match (re, im) with
      | False, _ | _, False -> False
      | re, im ->
          let im = if exactness = 'i' then inexact "" im else im in
          if is_real re && is_real im then make re im else False
  else False

(* From the start of programs that mention complex numbers. *)
let enable () =
  has_complex := true;
  complex_binary := binary;
  complex_unary := unary;
  complex_text := text;
  complex_reader := parse
