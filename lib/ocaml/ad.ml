(* Exact derivatives of functions on floats.

   The primitives below mark where a derivative begins and ends; the compiler gives the numbers inside
   of it what they need (see the pass [differentiate] and docs/differentiation.md). A function with such
   primitives is an operator: everything that it calls is inside of the derivative. *)

[@@@hidden "reverse dual outer primal tangent variable index tape series coefficients attach"]
[@@@hidden "add_product"]
[@@@hidden "unit_vector jacobian_by_parts map_numbers numbers with_numbers keep within"]
[@@@hidden "stride newton constants change"]

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
    let first = Oxbow_ad.start tape 1 in
    let y = f (variable x first) in
    Oxbow_ad.clear tape 1;
    Oxbow_ad.seed tape (index y) 1.0;
    Oxbow_ad.sweep tape;
    let slope = Oxbow_ad.adjoint tape first in
    Oxbow_ad.finish tape;
    (primal y, slope)
  end
  else
    let y = f (dual x 1.0) in
    (primal y, tangent y)

let derivative f x = snd (value_and_derivative f x)

(* Many inputs, one output *)

let value_and_gradient f x =
  let tape = tape () in
  let n = Array.length x in
  let first = Oxbow_ad.start tape n in
  let y = f (Array.init n (fun i -> variable (Array.unsafe_get x i) (first + i))) in
  Oxbow_ad.clear tape n;
  Oxbow_ad.seed tape (index y) 1.0;
  Oxbow_ad.sweep tape;
  let found = Array.init n (fun i -> Oxbow_ad.adjoint tape (first + i)) in
  Oxbow_ad.finish tape;
  (primal y, found)
[@@known value_and_gradient]

let gradient f x = snd (value_and_gradient f x) [@@known gradient]

(* Many inputs, many outputs *)

(* The value of [f] at [x], and its derivative along [v]. *)
let jvp f x v =
  let n = Array.length x in
  if Array.length v <> n then invalid_arg "Ad.jvp: the direction has another length than the point";
  if reverse () then begin
    let tape = tape () in
    let first = Oxbow_ad.start tape n in
    let y = f (Array.init n (fun i -> variable (Array.unsafe_get x i) (first + i))) in
    Oxbow_ad.clear tape n;
    for i = 0 to n - 1 do
      Oxbow_ad.seed tape (first + i) (outer (Array.unsafe_get v i))
    done;
    Oxbow_ad.sweep_forward tape n;
    let along = Array.map (fun y -> Oxbow_ad.adjoint tape (index y)) y in
    Oxbow_ad.wipe tape;
    Oxbow_ad.finish tape;
    (Array.map (fun y -> primal y) y, along)
  end
  else
    let y = f (Array.init n (fun i -> dual (Array.unsafe_get x i) (Array.unsafe_get v i))) in
    (Array.map (fun y -> primal y) y, Array.map (fun y -> tangent y) y)

(* The value of [f] at [x], and the gradient of the sum of its results weighted by [w]. *)
let vjp f x w =
  let tape = tape () in
  let n = Array.length x in
  let first = Oxbow_ad.start tape n in
  let y = f (Array.init n (fun i -> variable (Array.unsafe_get x i) (first + i))) in
  if Array.length w <> Array.length y then
    invalid_arg "Ad.vjp: the weights have another length than the result";
  Oxbow_ad.clear tape n;
  for i = 0 to Array.length y - 1 do
    Oxbow_ad.seed tape (index (Array.unsafe_get y i)) (outer (Array.unsafe_get w i))
  done;
  Oxbow_ad.sweep tape;
  let found = Array.init n (fun i -> Oxbow_ad.adjoint tape (first + i)) in
  Oxbow_ad.finish tape;
  (Array.map (fun y -> primal y) y, found)
[@@known vjp]

(* Row [i] holds the derivatives of the result [i]. *)
let jacobian f x =
  let tape = tape () in
  let n = Array.length x in
  let first = Oxbow_ad.start tape n in
  let y = f (Array.init n (fun i -> variable (Array.unsafe_get x i) (first + i))) in
  let rows =
    Array.map
      (fun y ->
        Oxbow_ad.clear tape n;
        Oxbow_ad.seed tape (index y) 1.0;
        Oxbow_ad.sweep tape;
        Array.init n (fun i -> Oxbow_ad.adjoint tape (first + i)))
      y
  in
  Oxbow_ad.finish tape;
  rows
[@@known jacobian]

let unit_vector n i = Array.init n (fun j -> if i = j then 1.0 else 0.0)

(* The same for a function that can be called often: rows in reverse mode or columns in forward mode, what is
   fewer. The compiler puts it in the place of [jacobian] where the function is known. *)
let jacobian_by_parts f x =
  let n = Array.length x and m = Array.length (f (Array.copy x)) in
  if m < n then Array.init m (fun i -> snd (vjp f x (unit_vector m i)))
  else begin
    let rows = Array.init m (fun _ -> Array.make n 0.0) in
    for j = 0 to n - 1 do
      let column = snd (jvp f x (unit_vector n j)) in
      for i = 0 to m - 1 do
        rows.(i).(j) <- column.(i)
      done
    done;
    rows
  end
[@@known jacobian_by_parts]

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

(* The other mode than the usual one: forward for many inputs, reverse for one. *)

let forward_gradient f x =
  let n = Array.length x in
  Array.init n (fun i -> directional_derivative f x (unit_vector n i))

let forward_jacobian f x =
  let n = Array.length x in
  let columns = Array.init n (fun i -> snd (jvp f x (unit_vector n i))) in
  let rows = if n = 0 then 0 else Array.length columns.(0) in
  Array.init rows (fun i -> Array.init n (fun j -> columns.(j).(i)))

let reverse_derivative f x = (gradient (fun a -> f a.(0)) [| x |]).(0)

(* Inputs of other types. [pack] and [unpack] of [gradient_with] convert a value, a record for example, to the
   array of its numbers and back. *)

let gradient_with pack unpack f x = unpack (gradient (fun a -> f (unpack a)) (pack x))

(* Any type with numbers in it: a record, a tuple, a list, data of these. The compiler makes [map_numbers] for the
   type; what is no number stays as it is. *)

external map_numbers : (float -> float) -> 'a -> 'a = "%ad.map_numbers"

let numbers x =
  let count = ref 0 in
  ignore (map_numbers (fun v -> incr count; v) x);
  let found = Array.make !count 0.0 and i = ref 0 in
  ignore (map_numbers (fun v -> found.(!i) <- v; incr i; v) x);
  found

let with_numbers x found =
  let i = ref 0 in
  map_numbers (fun _ -> let v = found.(!i) in incr i; v) x

let value_and_gradient_of f x =
  let value, g = value_and_gradient (fun a -> f (with_numbers x a)) (numbers x) in
  (value, with_numbers x g)

let gradient_of f x = snd (value_and_gradient_of f x)

let gradient_list f x =
  Array.to_list (gradient (fun a -> f (Array.to_list a)) (Array.of_list x))

let gradient2 f x y =
  let g = gradient (fun a -> f a.(0) a.(1)) [| x; y |] in
  (g.(0), g.(1))

let gradient3 f x y z =
  let g = gradient (fun a -> f a.(0) a.(1) a.(2)) [| x; y; z |] in
  (g.(0), g.(1), g.(2))

let gradient_pair f (x, y) = gradient2 (fun x y -> f (x, y)) x y
let gradient_triple f (x, y, z) = gradient3 (fun x y z -> f (x, y, z)) x y z

(* Vectors: flat arrays, and matrices as arrays of rows laid end to end. *)

(* Sums of products are added in any order, several terms at once where the machine can. *)
external any_order : float -> float -> float = "%float.sum"

(* [exp] and [tanh] by formulas without branches, several numbers at once where the machine can. Within one and four
   units in the last place of the C library's. *)
external fast_exp : float -> float = "%float.fast_exp"
external fast_tanh : float -> float = "%float.fast_tanh"

let[@inline] fast_sigmoid x = 1.0 /. (1.0 +. fast_exp (-.x))

let dot a b =
  if Array.length a <> Array.length b then invalid_arg "Ad.dot: the vectors have other lengths";
  let sum = ref 0.0 in
  for i = 0 to Array.length a - 1 do
    sum := any_order !sum (Array.unsafe_get a i *. Array.unsafe_get b i)
  done;
  !sum

(* The product of a matrix of [rows] rows with a vector. *)
let matvec rows m v =
  let n = Array.length v in
  if Array.length m <> rows * n then invalid_arg "Ad.matvec: the matrix has another size";
  Array.init rows (fun i ->
      let sum = ref 0.0 in
      for j = 0 to n - 1 do
        sum := any_order !sum (Array.unsafe_get m ((i * n) + j) *. Array.unsafe_get v j)
      done;
      !sum)

(* Adds the product of [a], with [rows] rows and [inner] columns, and [b], with [columns] columns, to [c]: each number is a
   chain of fused products and sums, in the order of the columns of [a]. [a_row] and [a_column] are the distances of rows
   and of columns in [a], and so on. [c] is another array than [a] and [b]. *)
let add_product c a b rows inner columns c_row c_column a_row a_column b_row b_column =
  for i = 0 to rows - 1 do
    for j = 0 to columns - 1 do
      let at = (i * c_row) + (j * c_column) in
      let sum = ref (Array.unsafe_get c at) in
      for k = 0 to inner - 1 do
        let left = Array.unsafe_get a ((i * a_row) + (k * a_column)) in
        sum := Float.fma left (Array.unsafe_get b ((k * b_row) + (j * b_column))) !sum
      done;
      Array.unsafe_set c at !sum
    done
  done
[@@known add_product]

(* The product of a matrix of [rows] rows and [inner] columns with one of [inner] rows. *)
let matmul rows inner a b =
  if rows < 1 || inner < 1 then invalid_arg "Ad.matmul: a matrix without rows or columns";
  let columns = Array.length b / inner in
  (* By divisions, which do not overflow. *)
  if Array.length a mod rows <> 0 || Array.length a / rows <> inner || Array.length b mod inner <> 0 then
    invalid_arg "Ad.matmul: a matrix has another size";
  let c = Array.make (rows * columns) 0.0 in
  add_product c a b rows inner columns columns 1 inner 1 columns 1;
  c

(* The solution [x] of [a x = b], where [a] has [n] rows and columns: elimination, with the largest number of a column
   as its pivot. *)
let solve n a b =
  if n < 0 || Array.length b <> n then invalid_arg "Ad.solve: the right side has another size";
  if n > 0 && (Array.length a mod n <> 0 || Array.length a / n <> n) then
    invalid_arg "Ad.solve: the matrix has another size";
  let a = Array.copy a and x = Array.copy b in
  for k = 0 to n - 1 do
    let best = ref k in
    for i = k + 1 to n - 1 do
      if abs_float a.((i * n) + k) > abs_float a.((!best * n) + k) then best := i
    done;
    if not (abs_float a.((!best * n) + k) > 0.0) then failwith "Ad.solve: the matrix is singular";
    if !best <> k then begin
      let other = !best in
      for j = k to n - 1 do
        let kept = a.((k * n) + j) in
        a.((k * n) + j) <- a.((other * n) + j);
        a.((other * n) + j) <- kept
      done;
      let kept = x.(k) in
      x.(k) <- x.(other);
      x.(other) <- kept
    end;
    for i = k + 1 to n - 1 do
      let by = a.((i * n) + k) /. a.((k * n) + k) in
      for j = k + 1 to n - 1 do
        a.((i * n) + j) <- a.((i * n) + j) -. (by *. a.((k * n) + j))
      done;
      x.(i) <- x.(i) -. (by *. x.(k))
    done
  done;
  for i = n - 1 downto 0 do
    let sum = ref x.(i) in
    for j = i + 1 to n - 1 do
      sum := !sum -. (a.((i * n) + j) *. x.(j))
    done;
    x.(i) <- !sum /. a.((i * n) + i)
  done;
  x

(* Functions that equations define. *)

let newton f p x =
  let n = Array.length x in
  let y = f p x in
  if Array.length y <> n then invalid_arg "Ad.root: as many equations as unknowns are needed";
  let step = solve n (Array.concat (Array.to_list (jacobian (fun x -> f p x) x))) y in
  Array.map2 (fun x d -> x -. d) x step

let constants a = Array.map constant a

(* How far [b] is from [a], by the size of its numbers. *)
let change a b =
  let most = ref 0.0 in
  for i = 0 to Array.length a - 1 do
    let by = abs_float (b.(i) -. a.(i)) /. (1.0 +. abs_float b.(i)) in
    if not (by <= !most) then most := by
  done;
  !most

(* The [x] near [start] with [f p x = 0], as a function of [p]. It is found without derivatives. Steps of Newton's
   method from there have them: each doubles the order up to which they are exact. *)
let root f p start =
  let known = constants p in
  let rec find left x =
    let next = constants (newton f known x) in
    let by = change x next in
    if by <= 1e-13 then next
    else if left = 0 || not (by < infinity) then failwith "Ad.root: no root is found"
    else find (left - 1) next
  in
  let x = find 100 (constants start) in
  newton f p (newton f p (newton f p x))

(* The [x] with [f p x = x] to which repeated [f p] leads from [start]. *)
let fixpoint f p start =
  let known = constants p in
  let rec find left x =
    let next = constants (f known x) in
    if Array.length next <> Array.length x then invalid_arg "Ad.fixpoint: a step changes the size of the state";
    let by = change x next in
    if by <= 1e-13 then next
    else if left = 0 || not (by < infinity) then failwith "Ad.fixpoint: the steps lead nowhere"
    else find (left - 1) next
  in
  let x = find 100_000 (constants start) in
  let rest p x = Array.map2 (fun x y -> x -. y) x (f p x) in
  newton rest p (newton rest p (newton rest p x))

(* Long loops. The state after [steps] rounds of [step i parameters state], judged by [loss]: its value and its
   gradients with respect to the parameters and the start. Only some states are kept, those that
   the schedule says; the others are computed again from them. *)

type schedule =
  (* As many states as the square root of the steps, twice; each step is done three times. *)
  | Sqrt
  (* This many states at most; steps are done again as rarely as that allows. *)
  | Binomial of int

type checkpoints = {
  mutable kept : int;
  mutable most_kept : int;
  mutable steps_done : int;
}

let last_checkpoints = { kept = 0; most_kept = 0; steps_done = 0 }

let keep by =
  let it = last_checkpoints in
  it.kept <- it.kept + by;
  if it.kept > it.most_kept then it.most_kept <- it.kept

(* The largest number of steps that [kept] states serve if no step is done more than [times] times. *)
let rec within kept times =
  let rec product i total =
    if i > kept then total
    else if total > 1073741824 then total
    else product (i + 1) (total * (times + i) / i)
  in
  product 1 1

(* How far to go before the next state is kept. *)
let stride kept steps =
  let rec times t = if within kept t >= steps then t else times (t + 1) in
  let t = times 1 in
  let far = if t = 1 then 1 else within kept (t - 1) in
  let least = steps - within (kept - 1) t in
  let far = if far < least then least else far in
  if far < 1 then 1 else if far > steps - 1 then steps - 1 else far

let checkpointed schedule steps step loss parameters start =
  if steps < 0 then invalid_arg "Ad.checkpointed: a negative number of steps";
  let count = Array.length parameters and size = Array.length start in
  let statistics = last_checkpoints in
  statistics.kept <- 0;
  statistics.most_kept <- 0;
  statistics.steps_done <- 0;
  let split f z = f (Array.sub z 0 count) (Array.sub z count size) in
  let advance i state =
    statistics.steps_done <- statistics.steps_done + 1;
    let next = step i parameters state in
    if Array.length next <> size then invalid_arg "Ad.checkpointed: a step changes the size of the state";
    next
  in
  let rec run from until state = if from = until then state else run (from + 1) until (advance from state) in
  let total = Array.make count 0.0 in
  (* The adjoint of the state before step [i]. *)
  let back i state adjoint =
    statistics.steps_done <- statistics.steps_done + 1;
    let _, found = vjp (fun z -> split (fun p s -> step i p s) z) (Array.append parameters state) adjoint in
    for j = 0 to count - 1 do
      total.(j) <- total.(j) +. found.(j)
    done;
    Array.sub found count size
  in
  let judge state =
    let value, found = value_and_gradient (fun z -> split loss z) (Array.append parameters state) in
    for j = 0 to count - 1 do
      total.(j) <- total.(j) +. found.(j)
    done;
    (value, Array.sub found count size)
  in
  (* Steps [from] to [until - 1], whose states are all kept. *)
  let segment from until state adjoint =
    let states = Array.make (until - from) [||] in
    let state = ref state in
    for i = from to until - 1 do
      states.(i - from) <- !state;
      keep 1;
      if i < until - 1 then state := advance i !state
    done;
    let adjoint = ref adjoint in
    for i = until - 1 downto from do
      adjoint := back i states.(i - from) !adjoint;
      keep (-1)
    done;
    !adjoint
  in
  match schedule with
  | Sqrt ->
      let length = max 1 (int_of_float (sqrt (float steps))) in
      let segments = (steps + length - 1) / length in
      let states = Array.make segments [||] in
      let state = ref start in
      for k = 0 to segments - 1 do
        states.(k) <- !state;
        keep 1;
        state := run (k * length) (min steps ((k + 1) * length)) !state
      done;
      let value, adjoint = judge !state in
      let adjoint = ref adjoint in
      for k = segments - 1 downto 0 do
        adjoint := segment (k * length) (min steps ((k + 1) * length)) states.(k) !adjoint;
        keep (-1)
      done;
      (value, total, !adjoint)
  | Binomial most ->
      if most < 1 then invalid_arg "Ad.checkpointed: a schedule without states";
      let value, adjoint = judge (run 0 steps start) in
      let rec reverse from until state free adjoint =
        let steps = until - from in
        if steps = 0 then adjoint
        else if steps = 1 then back from state adjoint
        else if free = 0 then
          reverse from (until - 1) state 0 (back (until - 1) (run from (until - 1) state) adjoint)
        else begin
          let middle = from + stride free steps in
          let between = run from middle state in
          keep 1;
          let adjoint = reverse middle until between (free - 1) adjoint in
          keep (-1);
          reverse from middle state free adjoint
        end
      in
      keep 1;
      let adjoint = reverse 0 steps start (most - 1) adjoint in
      keep (-1);
      (value, total, adjoint)
