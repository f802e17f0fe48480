(* Operations on tensors. Each takes numbers, vectors and lists of numbers for tensors as well. Numbers of which none is
   inside of a derivative are floats in one array. So are those on the tape of one gradient: an operation on them is one
   block of the tape, whatever their number. Others, as those inside of several derivatives, are computed one by one by
   [Eshkol_num]. *)

open Eshkol_value
open Eshkol_cells

(* Names that mean operations on tensors further down. *)
let exp_of x = exp x
let log_of x = log x
let sqrt_of x = sqrt x
let sin_of x = sin x
let cos_of x = cos x
let tanh_of x = tanh x

(* Operands *)

(* The tape of numbers that are floats on one tape, which is being written. *)
let[@inline never] tape_of items =
  let rec go i found =
    if i >= length_of items then found
    else
      let v = get items i in
      if is_plain_number v then go (i + 1) found
      else
        match v with
        | Traced t when t.on.flat && t.on.live && is_flo t.value -> (
            match found with
            | Level l -> if l == t.on then go (i + 1) found else Nil
            | _ -> go (i + 1) (Level t.on))
        | _ -> Nil
  in
  go 0 Nil

let node v = match v with Traced t -> t.node | _ -> -1
let value v = match v with Traced t -> float_of t.value | _ -> float_of v

(* Numbers on a tape get nodes that follow each other, unless they have such. *)
let on_tape shape items level =
  let n = length_of items in
  let cells = floats n (fun i -> value (get items i)) in
  let first = node (get items 0) in
  let rec in_order i = i >= n || (node (get items i) = first + i && in_order (i + 1)) in
  match level with
  | Level l ->
      let first =
        if first >= 0 && in_order 0 then first
        else begin
          let at = Eshkol_tape.begin_block l n in
          let opd = ints n (fun i -> node (get items i)) in
          Eshkol_tape.add_block l (Spread { at; from = 0; entries = n; res = [||]; opd; factors = [||] });
          at
        end
      in
      { shape; cells; parts = [||]; on = level; first }
  | _ -> plain_fields shape cells

let[@inline never] of_items shape items =
  match tape_of items with
  | Level _ as level -> on_tape shape items level
  | _ -> of_numbers_fields shape items

let[@inline never] operand place who v =
  match v with
  | Tensor t -> t
  | Vec _ | Pair _ | Nil ->
      let shape, items = from_nested place who v in
      of_items shape items
  | _ ->
      if Eshkol_num.is_real v then of_items [||] [| v |] else wrong place who "a tensor or a number" v

(* With its elements in an array of floats. *)
let is_flat t =
  length_of t.parts = 0 && match t.on with Level l -> l.flat && l.live | _ -> true

(* The tape of two operands; [False] if they are not on one. *)
let tape_of_both a b =
  if not (is_flat a && is_flat b) then False
  else
    match (a.on, b.on) with
    | Level l, Level m -> if l == m then a.on else False
    | Level _, _ -> a.on
    | _ -> b.on

let is_on t = match t.on with Level _ -> true | _ -> false
let result t = value_of_fields t

(* A tensor on a tape, from what its numbers owe to those of others. *)
let traced level shape cells owed =
  match level with
  | Level l ->
      let at = Eshkol_tape.begin_block l (length_of cells) in
      owed l at;
      { shape; cells; parts = [||]; on = level; first = at }
  | _ -> plain_fields shape cells

let spread l at t entries res opd factors =
  if is_on t then Eshkol_tape.add_block l (Spread { at; from = t.first; entries; res; opd; factors })

(* The same numbers in another shape, on the same nodes. *)
let reshaped t shape = { shape; cells = t.cells; parts = t.parts; on = t.on; first = t.first }

(* The elements that [from] chooses, in a shape. *)
let chosen t shape from =
  let n = elements_of shape in
  if not (is_flat t) then of_numbers_fields shape (numbers n (fun i -> number_at t (from i)))
  else
    let opd = ints n from in
    traced t.on shape (floats n (fun i -> get t.cells (get opd i))) (fun l at -> spread l at t n [||] opd [||])

(* Elementwise operations *)

let[@inline never] each t f slope any =
  let n = count t in
  if not (is_flat t) then of_numbers_fields t.shape (numbers n (fun i -> any (number_at t i)))
  else
    let x = t.cells in
    let y = floats n (fun i -> f (get x i)) in
    traced t.on t.shape y (fun l at -> spread l at t n [||] [||] (floats n (fun i -> slope (get x i) (get y i))))

let unary place who v f slope any = result (each (operand place who v) f slope any)

(* Shapes fit if their dimensions are the same from the right, or 1. *)
let[@inline never] broadcast place who a b =
  let m = length_of a and n = length_of b in
  let rank = if m > n then m else n in
  let at shape count i = let j = i - (rank - count) in if j < 0 then 1 else get shape j in
  ints rank (fun i ->
      let x = at a m i and y = at b n i in
      if x = y || y = 1 then x
      else if x = 1 then y
      else fail (error_object place (who ^ ": the shapes do not fit:") (cons (list_of_shape a) (cons (list_of_shape b) Nil))))

(* For each element of the result the element of an operand; nothing if it is the same. *)
let[@inline never] index_map out shape =
  if same_shape out shape then [||]
  else begin
    let rank = length_of out and own = length_of shape in
    let steps = make rank 0 in
    let size = ref 1 in
    for i = own - 1 downto 0 do
      if get shape i <> 1 then set steps (rank - own + i) !size;
      size := !size * get shape i
    done;
    ints (elements_of out) (fun k ->
        let rec go i rest at = if i < 0 then at else go (i - 1) (rest / get out i) (at + (rest mod get out i * get steps i)) in
        go (rank - 1) k 0)
  end

let[@inline] mapped map i = if length_of map = 0 then i else get map i

let[@inline never] both place who a b f by_a by_b any =
  let shape = broadcast place who a.shape b.shape in
  let n = elements_of shape in
  let at_a = index_map shape a.shape and at_b = index_map shape b.shape in
  match tape_of_both a b with
  | False ->
      of_numbers_fields shape (numbers n (fun i -> any place (number_at a (mapped at_a i)) (number_at b (mapped at_b i))))
  | level ->
      let x i = get a.cells (mapped at_a i) and y i = get b.cells (mapped at_b i) in
      traced level shape
        (floats n (fun i -> f (x i) (y i)))
        (fun l at ->
          if is_on a then spread l at a n [||] at_a (floats n (fun i -> by_a (x i) (y i)));
          if is_on b then spread l at b n [||] at_b (floats n (fun i -> by_b (x i) (y i))))

let binary place who a b f by_a by_b any =
  let a = operand place who a in
  result (both place who a (operand place who b) f by_a by_b any)

let sum_of place who a b = both place who a b (fun x y -> x +. y) (fun _ _ -> 1.0) (fun _ _ -> 1.0) Eshkol_num.add
let difference place who a b = both place who a b (fun x y -> x -. y) (fun _ _ -> 1.0) (fun _ _ -> -1.0) Eshkol_num.sub
let product place who a b = both place who a b (fun x y -> x *. y) (fun _ y -> y) (fun x _ -> x) Eshkol_num.mul

let over place a b =
  Eshkol_num.div place a (if Eshkol_num.is_exact_zero b then flo 0.0 else b)

let quotient place who a b =
  both place who a b (fun x y -> x /. y) (fun _ y -> 1.0 /. y) (fun x y -> -.x /. (y *. y)) over

let power place who a b =
  both place who a b
    (fun x y -> x ** y)
    (fun x y -> if y = 0.0 then 0.0 else y *. (x ** (y -. 1.0)))
    (fun x y -> if x = 0.0 then 0.0 else (x ** y) *. log x)
    (fun place x y -> Eshkol_rules.real (Eshkol_num.expt place x y))

let binary_of operation place who a b =
  let a = operand place who a in
  result (operation place who a (operand place who b))

let add place a b = binary_of sum_of place "tensor-add" a b
let sub place a b = binary_of difference place "tensor-sub" a b
let mul place a b = binary_of product place "tensor-mul" a b
let div place a b = binary_of quotient place "tensor-div" a b
let pow place a b = binary_of power place "tensor-pow" a b
let scale place a b = binary_of product place "tensor-scale" a b

(* Of two equal numbers the first is taken. *)
let maximum place a b =
  binary place "tensor-maximum" a b
    (fun x y -> if x >= y || x <> x then x else y)
    (fun x y -> if x >= y then 1.0 else 0.0)
    (fun x y -> if x >= y then 0.0 else 1.0)
    (fun place x y -> Eshkol_num.max2 place x y)

let minimum place a b =
  binary place "tensor-minimum" a b
    (fun x y -> if x <= y || x <> x then x else y)
    (fun x y -> if x <= y then 1.0 else 0.0)
    (fun x y -> if x <= y then 0.0 else 1.0)
    (fun place x y -> Eshkol_num.min2 place x y)

let neg place a = unary place "tensor-neg" a (fun x -> -.x) (fun _ _ -> -1.0) (fun v -> Eshkol_num.negate place v)

let abs place a =
  unary place "tensor-abs" a (fun x -> abs_float x)
    (fun x _ -> if x > 0.0 then 1.0 else if x < 0.0 then -1.0 else 0.0)
    (fun v -> Eshkol_num.abs place v)

let exp place a = unary place "tensor-exp" a (fun x -> exp x) (fun _ y -> y) (fun v -> Eshkol_num.exp_number place v)

let log_any place v = if Eshkol_num.is_exact_zero v then flo neg_infinity else Eshkol_rules.real (Eshkol_num.log_number place v Absent)
let log place a = unary place "tensor-log" a (fun x -> log x) (fun x _ -> 1.0 /. x) (fun v -> log_any place v)

let sqrt place a =
  unary place "tensor-sqrt" a (fun x -> sqrt x) (fun _ y -> 0.5 /. y) (fun v -> Eshkol_rules.real (Eshkol_num.square_root place v))

let sin place a = unary place "tensor-sin" a (fun x -> sin x) (fun x _ -> cos x) (fun v -> Eshkol_num.sin_number place v)
let cos place a = unary place "tensor-cos" a (fun x -> cos x) (fun x _ -> -.sin_of x) (fun v -> Eshkol_num.cos_number place v)
let tan place a = unary place "tensor-tan" a (fun x -> tan x) (fun _ y -> 1.0 +. (y *. y)) (fun v -> Eshkol_num.tan_number place v)
let tanh_any place v = Eshkol_num.tanh_number place v
let tanh place a = unary place "tensor-tanh" a (fun x -> tanh x) (fun _ y -> 1.0 -. (y *. y)) (fun v -> tanh_any place v)

(* Activations *)

let any_zero = flo 0.0
let any_one = flo 1.0
let is_above place v = Eshkol_num.num_lt place any_zero v

let relu place a =
  unary place "relu" a (fun x -> if x > 0.0 then x else 0.0)
    (fun x _ -> if x > 0.0 then 1.0 else 0.0)
    (fun v -> if is_above place v then v else Eshkol_num.mul place any_zero v)

let leaky = 0.01

let leaky_relu place a =
  unary place "leaky-relu" a (fun x -> if x > 0.0 then x else leaky *. x)
    (fun x _ -> if x > 0.0 then 1.0 else leaky)
    (fun v -> if is_above place v then v else Eshkol_num.mul place (flo leaky) v)

(* Each half by the exponential that is small there: neither it nor its derivatives are infinite. *)
let logistic x = if x < 0.0 then (let e = exp_of x in e /. (1.0 +. e)) else 1.0 /. (1.0 +. exp_of (-.x))

let is_below place v = Eshkol_num.num_lt place v any_zero
let small_exp place v = Eshkol_num.exp_number place (if is_below place v then v else Eshkol_num.negate place v)

let logistic_any place v =
  let e = small_exp place v in
  Eshkol_num.div place (if is_below place v then e else any_one) (Eshkol_num.add place any_one e)

let logistic_slope x = let e = exp_of (-.abs_float x) in e /. ((1.0 +. e) *. (1.0 +. e))
let sigmoid place a = unary place "sigmoid" a logistic (fun x _ -> logistic_slope x) (fun v -> logistic_any place v)

let silu place a =
  unary place "silu" a (fun x -> x *. logistic x)
    (fun x _ -> logistic x +. (x *. logistic_slope x))
    (fun v -> Eshkol_num.mul place v (logistic_any place v))

(* The logarithm of 1 plus the exponential. *)
let soft x = if x > 0.0 then x +. log1p (exp_of (-.x)) else log1p (exp_of x)

let soft_any place v =
  let tail = Eshkol_num.log1p_number place (small_exp place v) in
  if is_below place v then tail else Eshkol_num.add place v tail

let softplus place a = unary place "softplus" a soft (fun x _ -> logistic x) (fun v -> soft_any place v)

let mish place a =
  unary place "mish" a (fun x -> x *. tanh_of (soft x))
    (fun x _ -> let t = tanh_of (soft x) in t +. (x *. (1.0 -. (t *. t)) *. logistic x))
    (fun v -> Eshkol_num.mul place v (tanh_any place (soft_any place v)))

(* With the hyperbolic tangent, as most do it. *)
let gelu_scale = 0.7978845608028654
let gelu_cube = 0.044715


(* Beyond this the hyperbolic tangent is 1, and the cube may be infinite. *)
let gelu_most = 10.0

let gelu place a =
  let inner x = gelu_scale *. (x +. (gelu_cube *. x *. x *. x)) in
  let value x = if x > gelu_most then x else if x < -.gelu_most then 0.0 *. x else 0.5 *. x *. (1.0 +. tanh_of (inner x)) in
  let any v =
    let times a b = Eshkol_num.mul place a b in
    if Eshkol_num.num_lt place (flo gelu_most) v then times any_one v
    else if Eshkol_num.num_lt place v (flo (-.gelu_most)) then times any_zero v
    else
      let cube = times (flo gelu_cube) (times v (times v v)) in
      let inner = times (flo gelu_scale) (Eshkol_num.add place v cube) in
      times (times (flo 0.5) v) (Eshkol_num.add place any_one (tanh_any place inner))
  in
  let slope x _ =
    if x > gelu_most then 1.0
    else if x < -.gelu_most then 0.0
    else
      let t = tanh_of (inner x) in
      (0.5 *. (1.0 +. t)) +. (0.5 *. x *. (1.0 -. (t *. t)) *. gelu_scale *. (1.0 +. (3.0 *. gelu_cube *. x *. x)))
  in
  unary place "gelu" a value slope any

(* Reductions *)

let[@inline never] axis_of place who t axis =
  let rank = length_of t.shape in
  if not (is_int axis) then wrong place who "an axis" axis
  else
    let k = to_int axis in
    let k = if k < 0 then k + rank else k in
    if k < 0 || k >= rank then domain place who "the tensor has no such axis:" axis else k

(* The shape without an axis, or with 1 there, and for each element its place in it. *)
let without shape axis = ints (length_of shape - 1) (fun i -> get shape (if i < axis then i else i + 1))

let places_without shape axis =
  let rec inner i size = if i >= length_of shape then size else inner (i + 1) (size * get shape i) in
  let inner = inner (axis + 1) 1 in
  let n = get shape axis in
  ints (elements_of shape) (fun k -> (k / (inner * n) * inner) + (k mod inner))

(* Sums of elements with the same place among [m]. *)
let[@inline never] sums t shape m places factor =
  let n = count t in
  if not (is_flat t) then begin
    let made = make m any_zero in
    for i = 0 to n - 1 do
      let at = if length_of places = 1 then get places 0 else get places i in
      set made at (Eshkol_num.add "" (get made at) (Eshkol_num.mul "" (flo factor) (number_at t i)))
    done;
    of_numbers_fields shape made
  end
  else begin
    let made = make m 0.0 in
    for i = 0 to n - 1 do
      let at = if length_of places = 1 then get places 0 else get places i in
      set made at (get made at +. get t.cells i)
    done;
    for i = 0 to m - 1 do
      set made i (get made i *. factor)
    done;
    traced t.on shape made (fun l at -> spread l at t n places [||] [| factor |])
  end

let total t factor = sums t [||] 1 [| 0 |] factor

let along_axis t axis factor =
  let shape = without t.shape axis in
  let places = places_without t.shape axis in
  (* One number stands for all. *)
  let places = if length_of places = 1 then [| 0 |] else places in
  sums t shape (elements_of shape) places factor

let sum place v axis =
  let t = operand place "tensor-sum" v in
  match axis with Absent -> result (total t 1.0) | _ -> result (along_axis t (axis_of place "tensor-sum" t axis) 1.0)

let[@inline never] mean_of place who t axis =
  let part n = if n = 0 then domain place who "no mean of nothing:" (tensor t.shape t.cells t.parts t.on t.first) else 1.0 /. float_of_int n in
  match axis with
  | Absent -> total t (part (count t))
  | _ ->
      let k = axis_of place who t axis in
      along_axis t k (part (get t.shape k))

let mean place v axis = result (mean_of place "tensor-mean" (operand place "tensor-mean" v) axis)

(* Of the whole, divided by its size. *)
let[@inline never] variance place who v =
  let t = operand place who v in
  let d = difference place who t (mean_of place who t Absent) in
  mean_of place who (product place who d d) Absent

let var place v = result (variance place "tensor-var" v)
let root place v = Eshkol_rules.real (Eshkol_num.square_root place v)
let std place v = root place (result (variance place "tensor-std" v))

(* The first of the best elements; one that is no number is better than all that are. *)
let[@inline never] best place who v better =
  let t = operand place who v in
  let n = count t in
  if n = 0 then domain place who "no element of" v
  else begin
    let at = ref 0 in
    let is_nan v = Eshkol_num.is_nan_number place v in
    for i = 1 to n - 1 do
      let it = number_at t i and found = number_at t !at in
      if (not (is_nan found)) && (is_nan it || better place it found) then at := i
    done;
    (t, !at)
  end

let above place a b = Eshkol_num.num_lt place b a
let below place a b = Eshkol_num.num_lt place a b
let element (t, i) = number_at t i
let max place v = element (best place "tensor-max" v above)
let min place v = element (best place "tensor-min" v below)
let argmax place v = snd (best place "tensor-argmax" v above)
let argmin place v = snd (best place "tensor-argmin" v below)

let softmax_of place t axis =
  let n = get t.shape axis in
  let shape = ints (length_of t.shape) (fun i -> if i = axis then 1 else get t.shape i) in
  let places = places_without t.shape axis in
  let tops = make (elements_of shape) neg_infinity in
  if n > 0 then
    for i = 0 to count t - 1 do
      let x = float_of (ground (number_at t i)) in
      if x > get tops (get places i) then set tops (get places i) x
    done;
  let powers = each (difference place "softmax" t (plain_fields shape tops)) (fun x -> exp_of x) (fun _ y -> y) (fun v -> Eshkol_num.exp_number place v) in
  quotient place "softmax" powers (reshaped (along_axis powers axis 1.0) shape)

let softmax place v axis =
  let t = operand place "softmax" v in
  if length_of t.shape = 0 then wrong place "softmax" "a tensor" v
  else
    let axis = match axis with Absent -> length_of t.shape - 1 | _ -> axis_of place "softmax" t axis in
    result (softmax_of place t axis)

(* Products *)

let[@inline never] unfit place who a b =
  fail (error_object place (who ^ ": the shapes do not fit:") (cons (list_of_shape a.shape) (cons (list_of_shape b.shape) Nil)))

(* Of a matrix of [rows] and [inner] with one of [inner] and [columns]. *)
let[@inline never] matrix_product place a b rows inner columns shape =
  match tape_of_both a b with
  | False ->
      let item k =
        let i = k / columns and j = k mod columns in
        let rec go p total =
          if p >= inner then total
          else go (p + 1) (Eshkol_num.add place total (Eshkol_num.mul place (number_at a ((i * inner) + p)) (number_at b ((p * columns) + j))))
        in
        go 0 any_zero
      in
      of_numbers_fields shape (numbers (rows * columns) item)
  | level ->
      let made = make (rows * columns) 0.0 in
      Eshkol_blocks.add_product made a.cells b.cells rows inner columns columns 1 inner 1 columns 1;
      traced level shape made (fun l at ->
          if is_on a then Eshkol_tape.add_block l (Left_factor { at; from = a.first; rows; inner; columns; other = b.cells });
          if is_on b then Eshkol_tape.add_block l (Right_factor { at; from = b.first; rows; inner; columns; other = a.cells }))

let[@inline never] multiply place who a b =
  match (length_of a.shape, length_of b.shape) with
  | 1, 1 when get a.shape 0 = get b.shape 0 -> matrix_product place a b 1 (get a.shape 0) 1 [||]
  | 2, 1 when get a.shape 1 = get b.shape 0 -> matrix_product place a b (get a.shape 0) (get b.shape 0) 1 [| get a.shape 0 |]
  | 1, 2 when get a.shape 0 = get b.shape 0 -> matrix_product place a b 1 (get a.shape 0) (get b.shape 1) [| get b.shape 1 |]
  | 2, 2 when get a.shape 1 = get b.shape 0 ->
      let rows = get a.shape 0 and columns = get b.shape 1 in
      matrix_product place a b rows (get a.shape 1) columns [| rows; columns |]
  | _ -> unfit place who a b

let matmul place a b = binary_of multiply place "matmul" a b
let tensor_dot place a b = binary_of multiply place "tensor-dot" a b

let dot place a b =
  let a = operand place "dot" a and b = operand place "dot" b in
  if length_of a.shape = 1 && length_of b.shape = 1 then result (multiply place "dot" a b) else unfit place "dot" a b

let outer place a b =
  let a = operand place "outer" a and b = operand place "outer" b in
  if length_of a.shape <> 1 || length_of b.shape <> 1 then unfit place "outer" a b
  else
    let m = get a.shape 0 and n = get b.shape 0 in
    result (matrix_product place a b m 1 n [| m; n |])

(* Where squares overflow or vanish the norm is that of the vector times a power of two. *)
let norm place v =
  let of_squares v = let t = operand place "norm" v in root place (result (total (product place "norm" t t) 1.0)) in
  let scaled factor inverse = Eshkol_num.mul place (of_squares (scale place v (flo factor))) (flo inverse)
  and size = of_squares v in
  if Eshkol_num.num_lt place size (flo 1e-140) then scaled 0x1p600 0x1p-600
  else if Eshkol_num.num_lt place (flo 0x1.fffffffffffffp1023) size then scaled 0x1p-540 0x1p540
  else size

let[@inline never] matrix place who v =
  let t = operand place who v in
  if length_of t.shape <> 2 then wrong place who "a matrix" v else t

let trace place v =
  let t = matrix place "trace" v in
  let rows = get t.shape 0 and columns = get t.shape 1 in
  let n = if rows < columns then rows else columns in
  result (total (chosen t [| n |] (fun i -> i * (columns + 1))) 1.0)

(* Shapes *)

let dimensions place who dims =
  match dims with Pair { car = (Pair _ | Nil | Vec _) as list; cdr = Nil } -> shape_of place who list | _ -> shape_of place who dims

let reshape place v dims =
  let t = operand place "reshape" v in
  let shape = dimensions place "reshape" dims in
  if elements_of shape <> count t then
    fail
      (error_object place "reshape: the tensor has another number of elements:"
         (cons (list_of_shape t.shape) (cons (list_of_shape shape) Nil)))
  else result (reshaped t shape)

let flatten place v =
  let t = operand place "flatten" v in
  result (reshaped t [| count t |])

(* The axes in reverse. *)
let transpose place v =
  let t = operand place "transpose" v in
  let rank = length_of t.shape in
  if rank < 2 then result t
  else begin
    let shape = ints rank (fun i -> get t.shape (rank - 1 - i)) in
    let steps = make rank 1 in
    for i = rank - 2 downto 0 do
      set steps i (get steps (i + 1) * get t.shape (i + 1))
    done;
    let from k =
      let rec go i rest at = if i < 0 then at else go (i - 1) (rest / get shape i) (at + (rest mod get shape i * get steps (rank - 1 - i))) in
      go (rank - 1) k 0
    in
    result (chosen t shape from)
  end

let shape place v = list_of_shape (operand place "tensor-shape" v).shape
let length place v = count (operand place "tensor-length" v)
let rank place v = length_of (operand place "tensor-rank" v).shape
let is_tensor v = match v with Tensor _ -> true | _ -> false

(* Making *)

let filled place who dims x =
  let shape = dimensions place who dims in
  plain shape (make (elements_of shape) x)

let zeros place dims = filled place "zeros" dims 0.0
let ones place dims = filled place "ones" dims 1.0

let make_tensor place dims fill =
  let shape = shape_of place "make-tensor" dims in
  if Eshkol_num.is_real fill then result (of_items shape (make (elements_of shape) fill))
  else wrong place "make-tensor" "a number" fill

let eye place rows columns =
  let columns = match columns with Absent -> rows | _ -> columns in
  let shape = shape_of place "eye" (cons rows (cons columns Nil)) in
  let n = get shape 1 in
  plain shape (floats (elements_of shape) (fun i -> if i / n = i mod n then 1.0 else 0.0))

let real_number place who v = if Eshkol_num.is_real v then Eshkol_num.to_float place who v else wrong place who "a real number" v

let arange place first last step =
  let from = match last with Absent -> 0.0 | _ -> real_number place "arange" first in
  let until = real_number place "arange" (match last with Absent -> first | _ -> last) in
  let step = match step with Absent -> 1.0 | _ -> real_number place "arange" step in
  let steps = ceil ((until -. from) /. step) in
  if not (steps < float_of_int most) then domain place "arange" "the step does not lead there:" (flo step)
  else
    let n = if steps > 0.0 then int_of_float steps else 0 in
    plain [| n |] (floats n (fun i -> from +. (float_of_int i *. step)))

let linspace place first last n =
  let from = real_number place "linspace" first in
  let until = real_number place "linspace" last in
  let shape = shape_of place "linspace" n in
  let n = elements_of shape in
  let at i = if i = 0 then from else if i = n - 1 then until else from +. ((until -. from) *. float_of_int i /. float_of_int (n - 1)) in
  plain [| n |] (floats n at)

let random_of place who dims f =
  let shape = dimensions place who dims in
  plain shape (floats (elements_of shape) (fun _ -> f ()))

let rand place dims = random_of place "rand" dims Eshkol_table.random_float

let normal () =
  let u = Eshkol_table.random_float () in
  sqrt_of (-2.0 *. log_of u) *. cos_of (6.283185307179586 *. Eshkol_table.random_float ())

let randn place dims = random_of place "randn" dims normal

(* From a vector or list of parts; or of numbers, of which whole ones before floats are a shape if that has room for all
   that follow. *)
let tensor_of place args =
  match args with
  | Pair { car = (Vec _ | Pair _ | Nil | Tensor _) as nested; cdr = Nil } ->
      let shape, items = from_nested place "tensor" nested in
      result (of_items shape items)
  | _ ->
      let all = list_length_from args 0 in
      let rec inexact l = match l with Pair p -> (not (Eshkol_num.is_number p.car)) || Eshkol_num.is_inexact place p.car || inexact p.cdr | _ -> false in
      let rec dims l n size =
        match l with
        | Pair p when is_int p.car && to_int p.car > 0 ->
            let size = size * to_int p.car in
            if size = all - n - 1 then n + 1 else if size > all then 0 else dims p.cdr (n + 1) size
        | _ -> 0
      in
      let rank = if inexact args then dims args 0 1 else 0 in
      if rank = 0 then
        let shape, items = from_nested place "tensor" args in
        result (of_items shape items)
      else
        let rec split l n front = if n = 0 then (front, l) else split (rest l) (n - 1) (cons (first l) front) in
        let front, elements = split args rank Nil in
        let shape = shape_of place "tensor" (Eshkol_data.reverse place front) in
        let _, items = from_nested place "tensor" elements in
        result (of_items shape items)

(* Elements *)

let[@inline never] index_error place who index = domain place who "index out of range:" index

let offset place who t indices =
  let rec go i l at =
    match l with
    | Pair { car = k; cdr } ->
        if not (is_int k) then wrong place who "an index" k
        else if i >= length_of t.shape || to_int k < 0 || to_int k >= get t.shape i then index_error place who indices
        else go (i + 1) cdr ((at * get t.shape i) + to_int k)
    | _ -> (i, at)
  in
  go 0 indices 0

(* With one index it counts all elements. *)
let at place who t indices =
  match indices with
  | Pair { car = k; cdr = Nil } when length_of t.shape <> 1 ->
      if is_int k && to_int k >= 0 && to_int k < count t then to_int k else index_error place who indices
  | _ ->
      let i, at = offset place who t indices in
      if i <> length_of t.shape then domain place who "an element has as many indices as the tensor dimensions:" indices else at

let reference place v indices =
  let t = operand place "tensor-ref" v in
  number_at t (at place "tensor-ref" t indices)

let get_part place v indices =
  let t = operand place "tensor-get" v in
  let used, from = offset place "tensor-get" t indices in
  let left = length_of t.shape - used in
  let shape = ints left (fun i -> get t.shape (used + i)) in
  let n = elements_of shape in
  if length_of t.parts > 0 then of_numbers shape (numbers n (fun i -> get t.parts ((from * n) + i)))
  else result { shape; cells = part t.cells (from * n) n; parts = [||]; on = t.on; first = t.first + (from * n) }

let assign place v indices =
  match v with
  | Tensor t ->
      let n = list_length_from indices 0 in
      let rec split l n front = if n <= 1 then (front, first l) else split (rest l) (n - 1) (cons (first l) front) in
      let front, x = split indices n Nil in
      let at = at place "tensor-set!" t (Eshkol_data.reverse place front) in
      if not (Eshkol_num.is_real x) then wrong place "tensor-set!" "a number" x
      else if is_plain_number x && length_of t.parts = 0 && not (is_on t) then set t.cells at (float_of x)
      else begin
        let items = items_of t in
        set items at x;
        t.cells <- [||];
        t.on <- Nil;
        t.parts <- items
      end
  | _ -> wrong place "tensor-set!" "a tensor" v

let copy place v =
  let t = operand place "tensor-copy" v in
  if length_of t.parts > 0 then of_numbers t.shape (items_of t)
  else tensor t.shape (part t.cells 0 (count t)) [||] t.on t.first

let to_list place v = match view (result (operand place "tensor->list" v)) with Vec _ as it -> Eshkol_data.vector_to_list place it Absent Absent | it -> it
let elements place v = Vec (items_of (operand place "tensor->vector" v))

(* For procedures that are called with each element. *)
let like place v items =
  let t = operand place "tensor-apply" v in
  match items with Vec a -> result (of_items t.shape a) | _ -> items

(* The elements with these numbers, which the library has checked, in a shape. *)
let take place v shape numbers =
  let t = operand place "tensor-ref" v in
  match numbers with
  | Vec a -> result (chosen t (shape_of place "tensor-ref" shape) (fun i -> to_int (get a i)))
  | _ -> numbers

let dtype place v =
  ignore (operand place "tensor-dtype" v);
  intern "f64"

(* Systems of equations: Gauss's way on numbers of any kind, with the largest pivot. *)

let[@inline never] square_matrix place who v =
  let t = matrix place who v in
  if get t.shape 0 <> get t.shape 1 then wrong place who "a square matrix" v else t

let size_of v = abs_float (float_of (ground v))

(* The determinant; [right] has [columns] numbers beside each row, and becomes the solution. *)
let[@inline never] eliminate place who t right columns =
  let n = get t.shape 0 in
  let a = items_of t in
  let less x factor y = Eshkol_num.sub place x (Eshkol_num.mul place factor y) in
  let swap m width i j =
    for k = 0 to width - 1 do
      let x = get m ((i * width) + k) in
      set m ((i * width) + k) (get m ((j * width) + k));
      set m ((j * width) + k) x
    done
  in
  let at i k = (i * n) + k in
  let beside i k = (i * columns) + k in
  let determinant = ref any_one in
  for c = 0 to n - 1 do
    let best = ref c in
    for i = c to n - 1 do
      if size_of (get a (at i c)) > size_of (get a (at !best c)) then best := i
    done;
    if !best <> c then begin
      swap a n !best c;
      swap right columns !best c;
      determinant := Eshkol_num.negate place !determinant
    end;
    let pivot = get a (at c c) in
    determinant := Eshkol_num.mul place !determinant pivot;
    if size_of pivot = 0.0 then begin
      if columns > 0 then domain place who "the matrix is singular:" (tensor t.shape t.cells t.parts t.on t.first)
    end
    else
      for i = 0 to n - 1 do
        if i <> c && (columns > 0 || i > c) then begin
          let factor = Eshkol_num.div place (get a (at i c)) pivot in
          for k = c to n - 1 do
            set a (at i k) (less (get a (at i k)) factor (get a (at c k)))
          done;
          for k = 0 to columns - 1 do
            set right (beside i k) (less (get right (beside i k)) factor (get right (beside c k)))
          done
        end
      done
  done;
  if columns > 0 then
    for i = 0 to n - 1 do
      for k = 0 to columns - 1 do
        set right (beside i k) (Eshkol_num.div place (get right (beside i k)) (get a (at i i)))
      done
    done;
  !determinant

let det place v = eliminate place "tensor-det" (square_matrix place "tensor-det" v) [||] 0

let inverse place v =
  let t = square_matrix place "tensor-inverse" v in
  let n = get t.shape 0 in
  let right = numbers (n * n) (fun i -> flo (if i / n = i mod n then 1.0 else 0.0)) in
  if n > 0 then ignore (eliminate place "tensor-inverse" t right n);
  result (of_items t.shape right)

let solve place a b =
  let t = square_matrix place "tensor-solve" a in
  let b = operand place "tensor-solve" b in
  let n = get t.shape 0 in
  let rank = length_of b.shape in
  if rank < 1 || rank > 2 || get b.shape 0 <> n then unfit place "tensor-solve" t b
  else begin
    let right = items_of b in
    let columns = if rank = 1 then 1 else get b.shape 1 in
    if n > 0 && columns > 0 then ignore (eliminate place "tensor-solve" t right columns);
    result (of_items b.shape right)
  end

(* The lower factor of a symmetric matrix. *)
let cholesky place v =
  let t = square_matrix place "tensor-cholesky" v in
  let n = get t.shape 0 in
  let made = make (n * n) any_zero in
  for i = 0 to n - 1 do
    for j = 0 to i do
      let rec products k total =
        if k >= j then total
        else products (k + 1) (Eshkol_num.sub place total (Eshkol_num.mul place (get made ((i * n) + k)) (get made ((j * n) + k))))
      in
      let rest = products 0 (number_at t ((i * n) + j)) in
      if i <> j then set made ((i * n) + j) (Eshkol_num.div place rest (get made ((j * n) + j)))
      else if float_of (ground rest) > 0.0 then set made ((i * n) + j) (Eshkol_num.square_root place rest)
      else domain place "tensor-cholesky" "the matrix is not positive definite:" v
    done
  done;
  result (of_items t.shape made)
