(* Bigarrays of characters as strings of bytes: the primitives that OCaml has for them, and the functions of C that the
   library `bigstringaf` comes with. `crates/elab/src/externals.txt` names them. Numbers of several bytes
   are in the machine's order. Where the originals check nothing, neither do these. *)

type t = (char, Bigarray.int8_unsigned_elt, Bigarray.c_layout) Bigarray.Array1.t

let[@inline] get (b : t) i = Char.code (Bigarray.Array1.unsafe_get b i)
let[@inline] set (b : t) i n = Bigarray.Array1.unsafe_set b i (Char.unsafe_chr (n land 255))

let[@inline] unsafe_get16 b i = get b i lor (get b (i + 1) lsl 8)
let[@inline] unsafe_get32 b i = Int32.of_int (unsafe_get16 b i lor (unsafe_get16 b (i + 2) lsl 16))

let[@inline] unsafe_get64 b i =
  let low = unsafe_get16 b i lor (unsafe_get16 b (i + 2) lsl 16) in
  let high = unsafe_get16 b (i + 4) lor (unsafe_get16 b (i + 6) lsl 16) in
  Int64.logor (Int64.of_int low) (Int64.shift_left (Int64.of_int high) 32)

let[@inline] unsafe_set16 b i n =
  set b i n;
  set b (i + 1) (n lsr 8)

let[@inline] unsafe_set32 b i n =
  let n = Int32.to_int n in
  unsafe_set16 b i n;
  unsafe_set16 b (i + 2) (n lsr 16)

let[@inline] unsafe_set64 b i n =
  unsafe_set32 b i (Int64.to_int32 n);
  unsafe_set32 b (i + 4) (Int64.to_int32 (Int64.shift_right_logical n 32))

let[@inline] check (b : t) i size =
  if i < 0 || i > Bigarray.Array1.dim b - size then invalid_arg "index out of bounds"

let get16 b i = check b i 2; unsafe_get16 b i
let get32 b i = check b i 4; unsafe_get32 b i
let get64 b i = check b i 8; unsafe_get64 b i
let set16 b i n = check b i 2; unsafe_set16 b i n
let set32 b i n = check b i 4; unsafe_set32 b i n
let set64 b i n = check b i 8; unsafe_set64 b i n

(* The two may be parts of one array that overlap. *)
let blit (a : t) from (b : t) at length =
  if length > 0 then
    Bigarray.Array1.blit (Bigarray.Array1.sub a from length) (Bigarray.Array1.sub b at length)

let blit_to_bytes a from b at length =
  for i = 0 to length - 1 do
    Bytes.unsafe_set b (at + i) (Bigarray.Array1.unsafe_get (a : t) (from + i))
  done

let blit_from_bytes a from b at length =
  for i = 0 to length - 1 do
    Bigarray.Array1.unsafe_set (b : t) (at + i) (Bytes.unsafe_get a (from + i))
  done

(* C takes a string where it takes bytes. *)
let blit_from_string a from b at length = blit_from_bytes (Bytes.unsafe_of_string a) from b at length

let compare_bytes byte a from at length =
  let rec go i =
    if i = length then 0
    else
      let order = Int.compare (get a (from + i)) (byte (at + i)) in
      if order = 0 then go (i + 1) else order
  in
  go 0

let compare_with a from b at length = compare_bytes (get b) a from at length

let compare_with_string a from s at length =
  compare_bytes (fun i -> Char.code (String.unsafe_get s i)) a from at length

(* Where the first such character is from a place on, or -1. *)
let index (b : t) from c length =
  let rec go i =
    if i = length then -1
    else if Bigarray.Array1.unsafe_get b (from + i) = c then from + i
    else go (i + 1)
  in
  go 0
