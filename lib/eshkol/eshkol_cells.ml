(* Tensors as values: their shapes, their elements, and how they are made and taken apart. What is computed with them is
   in [Eshkol_tensor]. *)

open Eshkol_value

(* The float that a number is. *)
let[@inline] float_of v = Eshkol_num.to_float "" "" v

(* Shapes *)

let[@inline] filled n nothing f =
  let made = make n nothing in
  for i = 0 to n - 1 do
    set made i (f i)
  done;
  made

let ints n f = filled n 0 f
let floats n f = filled n 0.0 f
let numbers n f = filled n (of_int 0) f

(* More elements than this do not fit into memory. *)
let most = 1099511627776

let elements_of shape =
  let rec go i total = if i >= length_of shape then total else go (i + 1) (total * get shape i) in
  go 0 1

let list_of_shape shape =
  let rec go i list = if i < 0 then list else go (i - 1) (cons (of_int (get shape i)) list) in
  go (length_of shape - 1) Nil

let same_shape a b =
  let n = length_of a in
  let rec go i = i >= n || (get a i = get b i && go (i + 1)) in
  n = length_of b && go 0

let[@inline never] shape_error place who shape = domain place who "no shape of a tensor:" shape

(* A natural number, or a list or vector of them. *)
let[@inline never] shape_of place who v =
  let dimension d = if is_int d && to_int d >= 0 then to_int d else shape_error place who v in
  let rec count l n = match l with Pair p -> count p.cdr (n + 1) | Nil -> n | _ -> shape_error place who v in
  let shape =
    match v with
    | Vec a -> ints (length_of a) (fun i -> dimension (get a i))
    | Nil | Pair _ ->
        let made = make (count v 0) 0 in
        let rec fill l i = match l with Pair p -> set made i (dimension p.car); fill p.cdr (i + 1) | _ -> () in
        fill v 0;
        made
    | _ -> [| dimension v |]
  in
  let rec check i total =
    if i < length_of shape then
      let d = get shape i in
      if d > 0 && total > most / d then domain place who "a tensor of this shape is too large:" v
      else check (i + 1) (total * d)
  in
  check 0 1;
  shape

(* Elements *)

let count t = if length_of t.parts > 0 then length_of t.parts else length_of t.cells

let number_at t i =
  if length_of t.parts > 0 then get t.parts i
  else
    match t.on with
    | Level l -> Traced { on = l; value = flo (get t.cells i); node = t.first + i }
    | _ -> flo (get t.cells i)

(* The numbers from [from] on, as lists in lists. *)
let rec rows t axis from =
  let n = get t.shape axis in
  let last = length_of t.shape - 1 in
  let rec step i size = if i > last then size else step (i + 1) (size * get t.shape i) in
  let size = step (axis + 1) 1 in
  let item i = if axis = last then number_at t (from + i) else rows t (axis + 1) (from + (i * size)) in
  let rec go i list = if i < 0 then list else go (i - 1) (cons (item i) list) in
  go (n - 1) Nil

let vector_of list =
  let made = make (list_length_from list 0) Nil in
  let rec fill l i = match l with Pair p -> set made i p.car; fill p.cdr (i + 1) | _ -> () in
  fill list 0;
  Vec made

(* What is written of a tensor: a vector, of lists if it has more than one dimension. *)
let view v = match v with Tensor t -> if length_of t.shape = 0 then number_at t 0 else vector_of (rows t 0 0) | _ -> v

let part a from n = floats n (fun i -> get a (from + i))

(* The part with this index on the first axis: a number, or a tensor of one dimension less. *)
let rec item place who v k =
  match v with
  | Tensor t ->
      let rank = length_of t.shape in
      if rank = 0 || not (is_int k) then wrong place who "an index" k
      else if to_int k < 0 || to_int k >= get t.shape 0 then domain place who "index out of range:" k
      else if rank = 1 then number_at t (to_int k)
      else
        let shape = ints (rank - 1) (fun i -> get t.shape (i + 1)) in
        let n = elements_of shape in
        let from = to_int k * n in
        if length_of t.parts > 0 then tensor shape [||] (numbers n (fun i -> get t.parts (from + i))) Nil 0
        else tensor shape (part t.cells from n) [||] t.on (t.first + from)
  | _ -> wrong place who "a tensor" v

(* Every tensor is made here. *)
and tensor shape cells parts on first =
  tensor_view := view;
  tensor_item := item;
  Tensor { shape; cells; parts; on; first }

let plain shape cells = tensor shape cells [||] Nil 0
let plain_fields shape cells = { shape; cells; parts = [||]; on = Nil; first = 0 }
let value_of_fields t = if length_of t.shape = 0 then number_at t 0 else tensor t.shape t.cells t.parts t.on t.first

(* Neither inside of a derivative nor complex. *)
let is_plain_number v = is_int v || is_flo v || match v with Big _ | Rat _ -> true | _ -> false

let all_plain items =
  let rec go i = i >= length_of items || (is_plain_number (get items i) && go (i + 1)) in
  go 0

(* Numbers of any kind in a shape. *)
let of_numbers_fields shape items =
  if all_plain items then plain_fields shape (floats (length_of items) (fun i -> float_of (get items i)))
  else { shape; cells = [||]; parts = items; on = Nil; first = 0 }

let of_numbers shape items = value_of_fields (of_numbers_fields shape items)

(* All elements as numbers. *)
let items_of t = numbers (count t) (fun i -> number_at t i)

(* The shape of numbers in vectors or lists, which must be that of all parts. *)
let rec nested_shape v =
  let inner first = let rest = nested_shape first in fun n -> ints (length_of rest + 1) (fun i -> if i = 0 then n else get rest (i - 1)) in
  match v with
  | Vec a -> if length_of a = 0 then [| 0 |] else inner (get a 0) (length_of a)
  | Nil -> [| 0 |]
  | Pair p -> inner p.car (list_length_from v 0)
  | Tensor t -> t.shape
  | _ -> [||]

let[@inline never] from_nested place who v =
  let shape = nested_shape v in
  let items = make (elements_of shape) (of_int 0) in
  let next = ref 0 in
  let ragged part = domain place who "the parts of a tensor must have the same shape:" part in
  let rec add v axis =
    let expected n = if axis >= length_of shape || n <> get shape axis then ragged v in
    match v with
    | Vec a ->
        expected (length_of a);
        for i = 0 to length_of a - 1 do
          add (get a i) (axis + 1)
        done
    | Nil | Pair _ ->
        expected (list_length_from v 0);
        let rec go l = match l with Pair p -> add p.car (axis + 1); go p.cdr | Nil -> () | _ -> wrong place who "a proper list" v in
        go v
    | Tensor t ->
        let rank = length_of t.shape in
        let rec fits i = i >= rank || (get t.shape i = get shape (axis + i) && fits (i + 1)) in
        if axis + rank <> length_of shape || not (fits 0) then ragged v
        else
          for i = 0 to count t - 1 do
            set items !next (number_at t i);
            next := !next + 1
          done
    | _ ->
        if not (Eshkol_num.is_number v) then wrong place who "numbers" v
        else if axis <> length_of shape then ragged v
        else begin
          (match v with Complex _ -> wrong place who "real numbers" v | _ -> ());
          set items !next v;
          next := !next + 1
        end
  in
  add v 0;
  (shape, items)
