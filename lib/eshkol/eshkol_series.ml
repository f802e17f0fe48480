(* Power series, as arrays of terms; those that are missing are zero. *)

open Eshkol_value
open Eshkol_rules

let at a i = if i < length_of a then get a i else zero

let build n f =
  let made = make n zero in
  for i = 0 to n - 1 do
    set made i (f made i)
  done;
  made

(* The sum of [f j] for [j] from [first] to [last]. *)
let sum first last f =
  let rec go j total = if j > last then total else go (j + 1) (total +: f j) in
  go first zero

(* Terms that are missing are not multiplied with: the other factor may be infinite. *)
let last_of a k = if k < length_of a then k else length_of a - 1
let first_of b k = if k < length_of b then 0 else k - length_of b + 1

let product n a b = build n (fun _ k -> sum (first_of b k) (last_of a k) (fun j -> get a j *: get b (k - j)))
let quotient n a b = build n (fun c k -> over (at a k -: sum 1 (last_of b k) (fun j -> get b j *: get c (k - j))) (at b 0))

(* The series that starts with [first] and whose derivative is that of [a] times [slope]. *)
let integral n first a slope =
  build n (fun made k ->
      if k = 0 then first
      else over (sum 1 (last_of a k) (fun j -> of_int j *: get a j *: slope made (k - j))) (of_int k))

let exponential n place a = integral n (value1 0 place (at a 0)) a (fun made i -> get made i)

let logarithm n place a =
  build n (fun l k ->
      if k = 0 then value1 1 place (at a 0)
      else
        over
          (at a k -: over (sum 1 (k - 1) (fun j -> of_int j *: get l j *: at a (k - j))) (of_int k))
          (at a 0))

(* Sine and cosine, or with [sign] 1 the hyperbolic ones, need each other. *)
let waves n place a sign first second =
  let s = make n zero and c = make n zero in
  for k = 0 to n - 1 do
    let weighted other = over (sum 1 k (fun j -> of_int j *: at a j *: get other (k - j))) (of_int k) in
    if k = 0 then begin
      set s 0 (value1 first place (at a 0));
      set c 0 (value1 second place (at a 0))
    end
    else begin
      set s k (weighted c);
      set c k (of_int sign *: weighted s)
    end
  done;
  (s, c)

(* With the derivative 1 plus or minus the square of the result. *)
let riccati n first a sign =
  let square made k = sum 0 k (fun j -> get made j *: get made (k - j)) in
  integral n first a (fun made i ->
      let s = of_int sign *: square made i in
      if i = 0 then one +: s else s)

(* A zero that has powers with negative exponents: infinities. *)
let inexact_zero v exponent = if Eshkol_num.sign "" "" exponent < 0 then Eshkol_num.inexact "" v else v

(* At 0 a power is the binomial series in the rest of the series: the terms with a factor or a power of the rest that is
   zero are left out, since powers of 0 may be infinite. *)
let power_at_zero n first exponent a =
  let zeros = at a 0 in
  let nothing = if Eshkol_num.is_inexact "" first then flo 0.0 else zero in
  let made = build n (fun _ k -> if k = 0 then first else nothing) in
  let rest = build n (fun _ k -> if k = 0 then zero else at a k) in
  let rec add j factor power =
    if j < n && not (is_nothing factor) then begin
      let left = exponent -: of_int j in
      let by = factor *: real (Eshkol_num.expt "" (if is_ground_zero left then zeros else inexact_zero zeros left) left) in
      for k = j to n - 1 do
        let p = get power k in
        if not (is_nothing p) then set made k (get made k +: (by *: p))
      done;
      add (j + 1) (over (factor *: left) (of_int (j + 1))) (product n power rest)
    end
  in
  add 1 exponent rest;
  made

let root n place a =
  if is_ground_zero (at a 0) then power_at_zero n (value1 11 place (at a 0)) (flo 0.5) a
  else
  build n (fun r k ->
      if k = 0 then value1 11 place (at a 0)
      else over (half (at a k -: sum 1 (k - 1) (fun j -> get r j *: get r (k - j)))) (get r 0))

let rec whole_power n a k =
  if k = 0 then [| one |]
  else
    let h = whole_power n a (k / 2) in
    let h = product n h h in
    if k land 1 = 1 then product n h a else h

let scaled n a factor = build n (fun _ k -> at a k *: factor)

let is_constant b =
  let rec go i = i >= length_of b || (is_nothing (get b i) && go (i + 1)) in
  go 1

(* At 0 a power is constant in its exponent. *)
let power n place a b =
  let c = at b 0 in
  let whole = Eshkol_num.is_integer c && not (is_active c) && Eshkol_num.sign "" "" c >= 0 in
  if is_constant b && whole && Eshkol_num.num_lt "" c (of_int 1000000) then begin
    let made = whole_power n a (to_int (Eshkol_num.exact "" c)) in
    build n (fun _ k -> if k = 0 then value2 4 place (at a 0) c else at made k)
  end
  else if is_ground_zero (at a 0) then power_at_zero n (value2 4 place (at a 0) c) c a
  else if is_constant b then
    build n (fun p k ->
        if k = 0 then value2 4 place (at a 0) c
        else
          over
            (sum 1 k (fun j -> ((c *: of_int j) -: of_int (k - j)) *: at a j *: get p (k - j)))
            (of_int k *: at a 0))
  else
    let exponent = product n b (logarithm n place a) in
    integral n (value2 4 place (at a 0) c) exponent (fun made i -> get made i)

let series2 op place n a b =
  match op with
  | 0 -> build n (fun _ k -> at a k +: at b k)
  | 1 -> build n (fun _ k -> at a k -: at b k)
  | 2 -> product n a b
  | 3 -> build n (let c = quotient n a b in fun _ k -> if k = 0 then value2 3 place (at a 0) (at b 0) else get c k)
  | 4 -> power n place a b
  | 5 ->
      (* The angle is that of both divided by the larger one, whose squares are neither infinite nor too small. *)
      let scale = larger (at a 0) (at b 0) in
      let scale = if is_ground_zero scale then one else scale in
      let value = value2 5 place (at a 0) (at b 0) in
      let a = build n (fun _ k -> over (at a k) scale) and b = build n (fun _ k -> over (at b k) scale) in
      let square = build n (let x = product n a a and y = product n b b in fun _ k -> get x k +: get y k) in
      let by_a = quotient n b square and by_b = quotient n a square in
      build n (fun _ k ->
          if k = 0 then value
          else
            over
              (sum 1 k (fun j -> of_int j *: ((at a j *: get by_a (k - j)) -: (at b j *: get by_b (k - j)))))
              (of_int k))
  | _ ->
      let p = at a 0 and q = at b 0 in
      let times = by_second op p q zero in
      build n (fun _ k -> if k = 0 then value2 op place p q else at a k +: (times *: at b k))

let series1 op place n a =
  let first = at a 0 in
  let start = [| one |] in
  let plus_square sign = build n (let s = product n a a in fun _ k -> at start k +: (of_int sign *: get s k)) in
  let through slope = integral n (value1 op place first) a (fun _ i -> get slope i) in
  match op with
  | 0 -> exponential n place a
  | 1 -> logarithm n place a
  | 2 -> fst (waves n place a (-1) 2 3)
  | 3 -> snd (waves n place a (-1) 2 3)
  | 4 -> riccati n (value1 4 place first) a 1
  | 5 -> through (quotient n start (root n place (plus_square (-1))))
  | 6 -> through (scaled n (quotient n start (root n place (plus_square (-1)))) (of_int (-1)))
  | 7 -> through (quotient n start (plus_square 1))
  | 8 -> fst (waves n place a 1 8 9)
  | 9 -> snd (waves n place a 1 8 9)
  | 10 -> riccati n (value1 10 place first) a (-1)
  | 11 -> root n place a
  | 13 -> through (quotient n start (build n (fun _ k -> if k = 0 then one +: first else at a k)))
  | _ -> scaled n a (slope1 12 first first)
