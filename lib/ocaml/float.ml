(* Floating-point numbers *)

[@@@hidden "hash_param"]

[@@@hidden "before"]

type t = float

external neg : float -> float = "%float.neg"
external add : float -> float -> float = "%float.add"
external sub : float -> float -> float = "%float.sub"
external mul : float -> float -> float = "%float.mul"
external div : float -> float -> float = "%float.div"
external fma : float -> float -> float -> float = "%float.fma"
external rem : float -> float -> float = "%float.rem"
external abs : float -> float = "%float.abs"
external of_int : int -> float = "%int.to_float"
external to_int : float -> int = "%float.to_int"
external pow : float -> float -> float = "%float.pow"
external sqrt : float -> float = "%float.sqrt"
external cbrt : float -> float = "%float.cbrt"
external exp : float -> float = "%float.exp"
external exp2 : float -> float = "%float.exp2"
external log : float -> float = "%float.log"
external log10 : float -> float = "%float.log10"
external log2 : float -> float = "%float.log2"
external expm1 : float -> float = "%float.expm1"
external log1p : float -> float = "%float.log1p"
external cos : float -> float = "%float.cos"
external sin : float -> float = "%float.sin"
external tan : float -> float = "%float.tan"
external acos : float -> float = "%float.acos"
external asin : float -> float = "%float.asin"
external atan : float -> float = "%float.atan"
external atan2 : float -> float -> float = "%float.atan2"
external hypot : float -> float -> float = "%float.hypot"
external cosh : float -> float = "%float.cosh"
external sinh : float -> float = "%float.sinh"
external tanh : float -> float = "%float.tanh"
external acosh : float -> float = "%float.acosh"
external asinh : float -> float = "%float.asinh"
external atanh : float -> float = "%float.atanh"
external erf : float -> float = "%float.erf"
external erfc : float -> float = "%float.erfc"
external trunc : float -> float = "%float.trunc"
external round : float -> float = "%float.round"
external ceil : float -> float = "%float.ceil"
external floor : float -> float = "%float.floor"
external next_after : float -> float -> float = "%float.nextafter"
external copy_sign : float -> float -> float = "%float.copysign"
external ldexp : float -> int -> float = "%float.ldexp"
external hash : float -> int = "%hash"

type fpclass = Stdlib.fpclass =
  | FP_normal
  | FP_subnormal
  | FP_zero
  | FP_infinite
  | FP_nan

let zero = 0.0
let one = 1.0
let minus_one = -1.0
let infinity = infinity
let neg_infinity = neg_infinity
let nan = nan
let pi = 3.14159265358979312
let max_float = max_float
let min_float = min_float
let epsilon = epsilon_float
let is_finite (x : t) = x -. x = 0.0
let is_infinite (x : t) = 1.0 /. x = 0.0
let is_nan (x : t) = x <> x
let is_integer (x : t) = x = trunc x && is_finite x
let of_string = float_of_string
let of_string_opt = float_of_string_opt
let to_string = string_of_float
let classify_float = classify_float
let frexp = frexp
let modf = modf
let succ x = next_after x infinity
let pred x = next_after x neg_infinity
let sign_bit x = float_bits x < 0L
let compare (x : t) (y : t) = compare x y
let equal x y = compare x y = 0

(* Whether [x] comes before [y], where -0 comes before 0. *)
let[@inline] before (x : t) (y : t) = y > x || ((not (sign_bit y)) && sign_bit x)

let min x y =
  if before x y then if is_nan y then y else x else if is_nan x then x else y

let max x y =
  if before x y then if is_nan x then x else y else if is_nan y then y else x

let min_max x y =
  if is_nan x || is_nan y then (nan, nan) else if before x y then (x, y) else (y, x)

let min_num x y =
  if before x y then if is_nan x then y else x else if is_nan y then x else y

let max_num x y =
  if before x y then if is_nan y then x else y else if is_nan x then y else x

let min_max_num x y =
  if is_nan x then (y, y)
  else if is_nan y then (x, x)
  else if before x y then (x, y)
  else (y, x)

external hash_param : int -> int -> int -> float -> int = "%hash.param"

let seeded_hash seed x = hash_param 10 100 seed x

let quiet_nan = nan
let signaling_nan = float_of_bits 0x7FF0_0000_0000_0001L

(* Arrays of floats; those of [Array] are the same here. *)
module Array = struct
  module A = Array

  type t = float array

  let length (a : t) = A.length a
  let get (a : t) i = A.get a i
  let set (a : t) i x = A.set a i x
  let unsafe_get (a : t) i = A.unsafe_get a i
  let unsafe_set (a : t) i x = A.unsafe_set a i x
  let make n (x : float) : t = A.make n x

  let create n : t =
    if n < 0 || n > Sys.max_floatarray_length then invalid_arg "Float.Array.create"
    else A.create_float n

  let init n (f : int -> float) : t = if n < 0 then invalid_arg "Float.Array.init" else A.init n f

  let make_matrix rows columns (x : float) : t array =
    if rows >= 0 && columns < 0 then invalid_arg "Float.Array.make_matrix"
    else A.make_matrix rows columns x

  let init_matrix rows columns (f : int -> int -> float) : t array =
    if columns < 0 then invalid_arg "Float.Array.init_matrix" else A.init_matrix rows columns f

  let append (a : t) (b : t) : t = A.append a b
  let concat (parts : t list) : t = A.concat parts
  let outside a start count = start < 0 || count < 0 || start > length a - count

  let sub a start count : t =
    if outside a start count then invalid_arg "Float.Array.sub" else A.sub a start count

  let copy (a : t) : t = A.copy a

  let fill (a : t) start count x =
    if outside a start count then invalid_arg "Float.Array.fill" else A.fill a start count x

  let blit (a : t) from (b : t) into count =
    if outside a from count || outside b into count then invalid_arg "Float.array.blit"
    else A.blit a from b into count

  let to_list (a : t) = A.to_list a
  let of_list (items : float list) : t = A.of_list items
  let equal eq (a : t) (b : t) = A.equal eq a b
  let compare cmp (a : t) (b : t) = A.compare cmp a b
  let iter (f : float -> unit) (a : t) = A.iter f a
  let iteri (f : int -> float -> unit) (a : t) = A.iteri f a
  let map (f : float -> float) (a : t) : t = A.map f a
  let mapi (f : int -> float -> float) (a : t) : t = A.mapi f a
  let map_inplace (f : float -> float) (a : t) = A.map_inplace f a
  let mapi_inplace (f : int -> float -> float) (a : t) = A.mapi_inplace f a
  let fold_left f start (a : t) = A.fold_left f start a
  let fold_right f (a : t) start = A.fold_right f a start

  let iter2 f (a : t) (b : t) =
    if length a <> length b then
      invalid_arg "Float.Array.iter2: arrays must have the same length"
    else A.iter2 f a b

  let map2 (f : float -> float -> float) (a : t) (b : t) : t =
    if length a <> length b then invalid_arg "Float.Array.map2: arrays must have the same length"
    else A.map2 f a b

  let for_all p (a : t) = A.for_all p a
  let exists p (a : t) = A.exists p a
  let mem (x : float) (a : t) = A.exists (fun y -> Stdlib.compare x y = 0) a
  let mem_ieee (x : float) (a : t) = A.exists (fun y -> x = y) a
  let find_opt p (a : t) = A.find_opt p a
  let find_index p (a : t) = A.find_index p a
  let find_map f (a : t) = A.find_map f a
  let find_mapi f (a : t) = A.find_mapi f a
  let sort cmp (a : t) = A.sort cmp a
  let stable_sort cmp (a : t) = A.stable_sort cmp a
  let fast_sort cmp (a : t) = A.fast_sort cmp a
  let shuffle ~rand (a : t) = A.shuffle ~rand a
  let to_seq (a : t) = A.to_seq a
  let to_seqi (a : t) = A.to_seqi a
  let of_seq (seq : float Seq.t) : t = A.of_seq seq
  let map_to_array f (a : t) = A.map f a
  let map_from_array (f : 'a -> float) a : t = A.map f a
end

module ArrayLabels = struct
  include Array

  let init n ~f = Array.init n f
  let make_matrix ~dimx ~dimy x = Array.make_matrix dimx dimy x
  let init_matrix ~dimx ~dimy ~f = Array.init_matrix dimx dimy f
  let sub a ~pos ~len = Array.sub a pos len
  let fill a ~pos ~len x = Array.fill a pos len x
  let blit ~src ~src_pos ~dst ~dst_pos ~len = Array.blit src src_pos dst dst_pos len
  let equal ~eq a b = Array.equal eq a b
  let compare ~cmp a b = Array.compare cmp a b
  let iter ~f a = Array.iter f a
  let iteri ~f a = Array.iteri f a
  let map ~f a = Array.map f a
  let mapi ~f a = Array.mapi f a
  let map_inplace ~f a = Array.map_inplace f a
  let mapi_inplace ~f a = Array.mapi_inplace f a
  let fold_left ~f ~init a = Array.fold_left f init a
  let fold_right ~f a ~init = Array.fold_right f a init
  let iter2 ~f a b = Array.iter2 f a b
  let map2 ~f a b = Array.map2 f a b
  let for_all ~f a = Array.for_all f a
  let exists ~f a = Array.exists f a
  let mem x ~set = Array.mem x set
  let mem_ieee x ~set = Array.mem_ieee x set
  let find_opt ~f a = Array.find_opt f a
  let find_index ~f a = Array.find_index f a
  let find_map ~f a = Array.find_map f a
  let find_mapi ~f a = Array.find_mapi f a
  let sort ~cmp a = Array.sort cmp a
  let stable_sort ~cmp a = Array.stable_sort cmp a
  let fast_sort ~cmp a = Array.fast_sort cmp a
  let map_to_array ~f a = Array.map_to_array f a
  let map_from_array ~f a = Array.map_from_array f a
end
