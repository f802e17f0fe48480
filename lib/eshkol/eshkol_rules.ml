(* The operations on numbers inside of derivatives, by the numbers that [Eshkol_num] gives them, and their derivatives with
   respect to each operand. *)

open Eshkol_value

let one = of_int 1
let zero = of_int 0
let[@inline] ( +: ) a b = Eshkol_num.add "" a b
let[@inline] ( -: ) a b = Eshkol_num.sub "" a b
let[@inline] ( *: ) a b = Eshkol_num.mul "" a b
let half v = Eshkol_num.div "" v (of_int 2)
let minus v = Eshkol_num.negate "" v

(* Where a derivative does not exist it is infinite, also at exact numbers. *)
let over a b = Eshkol_num.div "" a (if Eshkol_num.is_exact_zero b then flo 0.0 else b)

let tag_of v =
  if is_int v then 0
  else match v with Dual d -> d.inside.tag | Traced t -> t.on.tag | Series s -> s.along.tag | _ -> 0

let primal v =
  match v with Dual d -> d.primal | Traced t -> t.value | Series s -> get s.terms 0 | _ -> v

(* The number as a derivative sees it: without what belongs to derivatives inside of it, which are over. *)
let rec seen_by level v = if tag_of v > level.tag then seen_by level (primal v) else v

(* Functions that are differentiated are functions of real numbers: elsewhere they have no value. *)
let real v = match v with Complex _ -> Eshkol_num.not_a_number | _ -> v

let real_root v = real (Eshkol_num.square_root "" v)

(* Operations and their derivatives with respect to each operand, by the numbers of [Eshkol_num] *)

let value2 op place p q =
  match op with
  | 0 -> Eshkol_num.add place p q
  | 1 -> Eshkol_num.sub place p q
  | 2 -> Eshkol_num.mul place p q
  | 3 -> Eshkol_num.div place p q
  | 4 -> real (Eshkol_num.expt place p q)
  | 5 -> Eshkol_num.atan_number place p q
  | 6 -> Eshkol_num.modulo place p q
  | _ -> Eshkol_num.remainder place p q

let is_ground_zero v = Eshkol_num.is_zero "" v

(* No number that is inside of a derivative, and zero. *)
let is_nothing v = (not (is_active v)) && is_ground_zero v

(* [a] over the sum of the squares of [p] and [q], which may be infinite or too small: they are divided by the larger
   one first. *)
let larger p q =
  let size v = abs_float (Eshkol_num.to_float "" "" (ground v)) in
  if size p > size q then p else q

let over_square a p q =
  let scale = larger p q in
  if is_ground_zero scale then over a zero
  else
    let p = over p scale and q = over q scale in
    over (over (over a scale) ((p *: p) +: (q *: q))) scale

let by_first op p q =
  match op with
  | 2 -> q
  | 3 -> over one q
  | 4 -> if is_ground_zero q then zero else q *: real (Eshkol_num.expt "" p (q -: one))
  | 5 -> over_square q p q
  | _ -> one

let by_second op p q v =
  match op with
  | 0 -> one
  | 1 -> of_int (-1)
  | 2 -> p
  | 3 -> minus (over v q)
  | 4 -> if is_ground_zero p then zero else v *: real (Eshkol_num.log_number "" p Absent)
  | 5 -> minus (over_square p p q)
  | 6 -> minus (Eshkol_num.floor_number "" (over p q))
  | _ -> minus (Eshkol_num.truncate_number "" (over p q))

let value1 op place p =
  match op with
  | 0 -> Eshkol_num.exp_number place p
  | 1 -> real (Eshkol_num.log_number place p Absent)
  | 2 -> Eshkol_num.sin_number place p
  | 3 -> Eshkol_num.cos_number place p
  | 4 -> Eshkol_num.tan_number place p
  | 5 -> real (Eshkol_num.asin_number place p)
  | 6 -> real (Eshkol_num.acos_number place p)
  | 7 -> Eshkol_num.atan_number place p Absent
  | 8 -> Eshkol_num.sinh_number place p
  | 9 -> Eshkol_num.cosh_number place p
  | 10 -> Eshkol_num.tanh_number place p
  | 11 -> real (Eshkol_num.square_root place p)
  | 12 -> Eshkol_num.abs place p
  | _ -> Eshkol_num.log1p_number place p

(* Of the value [v] at [p]. *)
let slope1 op p v =
  match op with
  | 0 -> v
  | 1 -> over one p
  | 2 -> Eshkol_num.cos_number "" p
  | 3 -> minus (Eshkol_num.sin_number "" p)
  | 4 -> one +: (v *: v)
  | 5 -> over one (real_root (one -: (p *: p)))
  | 6 -> minus (over one (real_root (one -: (p *: p))))
  | 7 -> over one (one +: (p *: p))
  | 8 -> Eshkol_num.cosh_number "" p
  | 9 -> Eshkol_num.sinh_number "" p
  | 10 -> one -: (v *: v)
  | 11 -> over one (v +: v)
  | 13 -> over one (one +: p)
  | _ -> of_int (let s = Eshkol_num.sign "" "abs" p in if s > 0 then 1 else if s < 0 then -1 else 0)
