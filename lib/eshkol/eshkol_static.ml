(* What versions of procedures on floats alone call (see the front end's [typed]): the way in from dynamic values, the
   way back, and the way out where such a version does not cover what the run finds. *)

open Eshkol_value

exception Not_static

type floats = float array

let leave () = raise Not_static

(* The way in *)

let float v = if is_flo v then Some (flo_of v) else None
let int v = if is_int v then Some (to_int v) else None

let floats v =
  match v with
  | Vec items ->
      let n = Array.length items in
      let found = Array.make n 0.0 in
      let rec fill i =
        if i = n then Some found
        else
          let item = Array.unsafe_get items i in
          if is_flo item then begin
            Array.unsafe_set found i (flo_of item);
            fill (i + 1)
          end
          else None
      in
      if n = 0 then None else fill 0
  | _ -> None

(* The way back *)

let of_float x = flo x
let of_floats a = Vec (Array.map (fun x -> flo x) a)
let of_list a =
  let rec go i list = if i < 0 then list else go (i - 1) (cons (of_float a.(i)) list) in
  go (Array.length a - 1) Nil

let of_rows rows = Vec (Array.map of_floats rows)
let of_value_and_floats (value, a) = Values [| flo value; of_floats a |]

(* Exact numbers are small, vectors are read inside. *)

let[@inline] get (v : float array) i =
  if i >= 0 && i < Array.length v then Array.unsafe_get v i else raise Not_static

let[@inline] set (v : float array) i x =
  if i >= 0 && i < Array.length v then Array.unsafe_set v i x else raise Not_static

let make n (x : float) = if n >= 0 then Array.make n x else raise Not_static

let[@inline] add a b =
  let sum = a + b in
  if (a lxor sum) land (b lxor sum) < 0 then raise Not_static else sum

let[@inline] sub a b =
  let difference = a - b in
  if (a lxor b) land (a lxor difference) < 0 then raise Not_static else difference

let[@inline] is_small a = a < 0x40000000 && a > -0x40000000
let[@inline] mul a b = if is_small a && is_small b then a * b else raise Not_static
let[@inline] divisor a = if a = 0 then raise Not_static else float_of_int a
let[@inline] max2 (a : float) b = if a >= b then a else if a < b then b else nan
let[@inline] min2 (a : float) b = if a <= b then a else if a > b then b else nan
