(* Exact derivatives of functions on floats.

   The primitives below mark where a derivative begins and ends; the compiler gives the numbers inside
   of it what they need (see the pass [differentiate] and docs/differentiation.md). A function with such
   primitives is an operator: everything that it calls is inside of the derivative. *)

external reverse : unit -> bool = "%ad.reverse"
external dual : float -> float -> float = "%ad.dual"
external outer : float -> float = "%ad.outer"
external primal : float -> float = "%ad.primal"
external tangent : float -> float = "%ad.tangent"
external variable : float -> int -> float = "%ad.variable"
external index : float -> int = "%ad.index"
external tape : unit -> Oxbow_ad.tape = "%ad.tape"
external series : float array -> float = "%ad.series"
external coefficients : float -> float array = "%ad.coefficients"
external attach : float -> float -> float -> float = "%ad.attach"
external constant : float -> float = "%ad.constant"

(* One input, one output *)

let value_and_derivative f x =
  if reverse () then begin
    let tape = tape () in
    Oxbow_ad.start tape 1;
    let first = tape.base in
    let y = f (variable x first) in
    Oxbow_ad.clear tape 1;
    Oxbow_ad.seed tape (index y) 1.0;
    Oxbow_ad.sweep tape 1;
    (primal y, Oxbow_ad.adjoint tape first)
  end
  else
    let y = f (dual x 1.0) in
    (primal y, tangent y)

let derivative f x = snd (value_and_derivative f x)

(* Many inputs, one output *)

let value_and_gradient f x =
  let tape = tape () in
  let n = Array.length x in
  Oxbow_ad.start tape n;
  let first = tape.base in
  let y = f (Array.init n (fun i -> variable (Array.unsafe_get x i) (first + i))) in
  Oxbow_ad.clear tape n;
  Oxbow_ad.seed tape (index y) 1.0;
  Oxbow_ad.sweep tape n;
  (primal y, Array.init n (fun i -> Oxbow_ad.adjoint tape (first + i)))

let gradient f x = snd (value_and_gradient f x)

(* Many inputs, many outputs *)

(* The value of [f] at [x], and its derivative along [v]. *)
let jvp f x v =
  let n = Array.length x in
  if Array.length v <> n then invalid_arg "Ad.jvp: the direction has another length than the point";
  if reverse () then begin
    let tape = tape () in
    Oxbow_ad.start tape n;
    let first = tape.base in
    let y = f (Array.init n (fun i -> variable (Array.unsafe_get x i) (first + i))) in
    Oxbow_ad.clear tape n;
    for i = 0 to n - 1 do
      Oxbow_ad.seed tape (first + i) (outer (Array.unsafe_get v i))
    done;
    Oxbow_ad.sweep_forward tape n;
    let along = Array.map (fun y -> Oxbow_ad.adjoint tape (index y)) y in
    Oxbow_ad.wipe tape;
    (Array.map (fun y -> primal y) y, along)
  end
  else
    let y = f (Array.init n (fun i -> dual (Array.unsafe_get x i) (Array.unsafe_get v i))) in
    (Array.map (fun y -> primal y) y, Array.map (fun y -> tangent y) y)

(* The value of [f] at [x], and the gradient of the sum of its results weighted by [w]. *)
let vjp f x w =
  let tape = tape () in
  let n = Array.length x in
  Oxbow_ad.start tape n;
  let first = tape.base in
  let y = f (Array.init n (fun i -> variable (Array.unsafe_get x i) (first + i))) in
  if Array.length w <> Array.length y then
    invalid_arg "Ad.vjp: the weights have another length than the result";
  Oxbow_ad.clear tape n;
  for i = 0 to Array.length y - 1 do
    Oxbow_ad.seed tape (index (Array.unsafe_get y i)) (outer (Array.unsafe_get w i))
  done;
  Oxbow_ad.sweep tape n;
  ( Array.map (fun y -> primal y) y,
    Array.init n (fun i -> Oxbow_ad.adjoint tape (first + i)) )

(* Row [i] holds the derivatives of the result [i]. *)
let jacobian f x =
  let tape = tape () in
  let n = Array.length x in
  Oxbow_ad.start tape n;
  let first = tape.base in
  let y = f (Array.init n (fun i -> variable (Array.unsafe_get x i) (first + i))) in
  Array.map
    (fun y ->
      Oxbow_ad.clear tape n;
      Oxbow_ad.seed tape (index y) 1.0;
      Oxbow_ad.sweep tape n;
      Array.init n (fun i -> Oxbow_ad.adjoint tape (first + i)))
    y

(* Any order: the coefficients of the Taylor series of [f] at [x], up to that of order [n]. *)
let taylor n f x =
  if n < 0 then invalid_arg "Ad.taylor: negative order";
  let line = Array.make (n + 1) 0.0 in
  line.(0) <- x;
  if n > 0 then line.(1) <- 1.0;
  let found = coefficients (f (series line)) in
  Array.init (n + 1) (fun i -> if i < Array.length found then found.(i) else 0.0)

(* The derivative of order [n]. *)
let derivative_n n f x =
  if n < 0 then invalid_arg "Ad.derivative_n: negative order";
  let rec factorial n = if n = 0 then 1.0 else float n *. factorial (n - 1) in
  (taylor n f x).(n) *. factorial n

(* Built from the others *)

let unit_vector n i = Array.init n (fun j -> if i = j then 1.0 else 0.0)

let directional_derivative f x v =
  let n = Array.length x in
  if Array.length v <> n then
    invalid_arg "Ad.directional_derivative: the direction has another length than the point";
  let along t = f (Array.init n (fun i -> Array.unsafe_get x i +. (t *. Array.unsafe_get v i))) in
  derivative along 0.0

(* The product of the second derivatives with [v]: forward over reverse. *)
let hessian_vector f x v = snd (jvp (fun x -> gradient f x) x v)

let hessian f x =
  let n = Array.length x in
  Array.init n (fun i -> hessian_vector f x (unit_vector n i))

let divergence f x =
  let n = Array.length x in
  let rec sum i total =
    if i = n then total
    else begin
      let along = snd (jvp f x (unit_vector n i)) in
      if Array.length along <> n then
        invalid_arg "Ad.divergence: the field has another dimension than the point";
      sum (i + 1) (total +. along.(i))
    end
  in
  sum 0 0.0

let curl f x =
  if Array.length x <> 3 then invalid_arg "Ad.curl: the point has not three coordinates";
  let column i = snd (jvp f x (unit_vector 3 i)) in
  let dx = column 0 and dy = column 1 and dz = column 2 in
  if Array.length dx <> 3 then invalid_arg "Ad.curl: the field has not three components";
  [| dy.(2) -. dz.(1); dz.(0) -. dx.(2); dx.(1) -. dy.(0) |]

(* The sum of the second derivatives along the axes. *)
let laplacian f x =
  let n = Array.length x in
  let second i =
    let along t =
      f (Array.init n (fun j -> if i = j then Array.unsafe_get x j +. t else Array.unsafe_get x j))
    in
    derivative (fun s -> derivative (fun t -> along (s +. t)) 0.0) 0.0
  in
  let rec sum i total = if i = n then total else sum (i + 1) (total +. second i) in
  sum 0 0.0

(* [f] with [df] for its derivative, which is taken from there and not from the code of [f]. *)
let custom f df x = attach (f (constant x)) (df x) x
