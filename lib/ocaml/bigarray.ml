(* Arrays of numbers in one piece of memory. The elements of an array, of its parts and of its
   slices lie side by side, so a part is another view of the same bytes. *)

[@@@hidden "view read write scale place_of total outside_fault fill_view blit_view sub_view"]
[@@@hidden "slice_view read_any write_any"]
[@@@hidden "half_of_float float_of_half make_view with_dims reshaped check_index"]
[@@@hidden "get_1 get_2 get_3 get_n set_1 set_2 set_3 set_n relayout part_dims offset_1"]
[@@@hidden "offset_2 offset_3 first_index is_c"]
[@@@hidden "compare_ints compare_longs compare_floats compare_elements compare_numbers"]
[@@@hidden "numbers_compare"]
[@@@hidden "numbers_compare_total numbers_hash bits_of_single one_half hash_bytes hash_items"]
[@@@hidden "double single half bytes_for"]
[@@@hidden "dim_1 dim_2 dim_3"]
[@@@abstract "view"]

type float16_elt = Float16_elt
type float32_elt = Float32_elt
type float64_elt = Float64_elt
type int8_signed_elt = Int8_signed_elt
type int8_unsigned_elt = Int8_unsigned_elt
type int16_signed_elt = Int16_signed_elt
type int16_unsigned_elt = Int16_unsigned_elt
type int32_elt = Int32_elt
type int64_elt = Int64_elt
type int_elt = Int_elt
type nativeint_elt = Nativeint_elt
type complex32_elt = Complex32_elt
type complex64_elt = Complex64_elt

type ('a, 'b) kind =
  | Float32 : (float, float32_elt) kind
  | Float64 : (float, float64_elt) kind
  | Int8_signed : (int, int8_signed_elt) kind
  | Int8_unsigned : (int, int8_unsigned_elt) kind
  | Int16_signed : (int, int16_signed_elt) kind
  | Int16_unsigned : (int, int16_unsigned_elt) kind
  | Int32 : (int32, int32_elt) kind
  | Int64 : (int64, int64_elt) kind
  | Int : (int, int_elt) kind
  | Nativeint : (nativeint, nativeint_elt) kind
  | Complex32 : (Complex.t, complex32_elt) kind
  | Complex64 : (Complex.t, complex64_elt) kind
  | Char : (char, int8_unsigned_elt) kind
  | Float16 : (float, float16_elt) kind

let float16 = Float16
let float32 = Float32
let float64 = Float64
let complex32 = Complex32
let complex64 = Complex64
let int8_signed = Int8_signed
let int8_unsigned = Int8_unsigned
let int16_signed = Int16_signed
let int16_unsigned = Int16_unsigned
let int = Int
let int32 = Int32
let int64 = Int64
let nativeint = Nativeint
let char = Char

let kind_size_in_bytes : type a b. (a, b) kind -> int = function
  | Int8_signed | Int8_unsigned | Char -> 1
  | Int16_signed | Int16_unsigned | Float16 -> 2
  | Float32 | Int32 -> 4
  | Float64 | Int64 | Int | Nativeint | Complex32 -> 8
  | Complex64 -> 16

type c_layout = C_layout_typ
type fortran_layout = Fortran_layout_typ

type 'a layout =
  | C_layout : c_layout layout
  | Fortran_layout : fortran_layout layout

let c_layout = C_layout
let fortran_layout = Fortran_layout

(* Where the type of a layout is known, so is the layout: [here] has that type in one of the branches, and the other one
   is never come to. The same is done for kinds. *)
let[@inline] is_c : type c. c layout -> bool = function
  | C_layout -> let here : c = C_layout_typ in ignore here; true
  | Fortran_layout -> let here : c = Fortran_layout_typ in ignore here; false

(* Numbers of 16 bits: a sign, 5 bits of exponent, 10 of mantissa; rounded to the nearest. *)

let float_of_half bits =
  let sign = if bits land 0x8000 <> 0 then -1.0 else 1.0 in
  let exponent = (bits lsr 10) land 31 and mantissa = float_of_int (bits land 1023) in
  if exponent = 31 then if mantissa = 0.0 then sign *. infinity else nan
  else if exponent = 0 then sign *. ldexp mantissa (-24)
  else sign *. ldexp (mantissa +. 1024.0) (exponent - 25)

let half_of_float x =
  let sign = if Float.sign_bit x then 0x8000 else 0 in
  let size = abs_float x in
  if x <> x then sign lor 0x7E00
  else if size >= 65520.0 then sign lor 0x7C00
  else if size = 0.0 then sign
  else begin
    (* The weight of the last bit; the smallest numbers share one. *)
    let _, exponent = frexp size in
    let weight = max (exponent - 11) (-24) in
    let scaled = ldexp size (-weight) in
    let low = Float.to_int scaled in
    let rest = scaled -. float_of_int low in
    let up = rest > 0.5 || (rest = 0.5 && low land 1 = 1) in
    let mantissa = if up then low + 1 else low in
    (* A mantissa of 1024 and more carries its first bit into the exponent. *)
    sign lor (((weight + 24) lsl 10) + mantissa)
  end

(* Comparison and hashing, for code that the compiler generates: the kind by its place among the
   constructors, the sizes, the start and the bytes. *)

let rec compare_ints (get : bytes -> int -> int) a i b j count =
  if count = 0 then 0
  else
    let x = get a i and y = get b j in
    if x < y then -1 else if x > y then 1 else compare_ints get a (i + 1) b (j + 1) (count - 1)

let rec compare_longs a i b j count =
  if count = 0 then 0
  else
    let x = Bytes.unsafe_get64 a (8 * i) and y = Bytes.unsafe_get64 b (8 * j) in
    if x < y then -1 else if x > y then 1 else compare_longs a (i + 1) b (j + 1) (count - 1)

(* 2 if a [nan] is met, unless the order is total: then it is less than all others. *)
let rec compare_floats total (get : bytes -> int -> float) a i b j count =
  if count = 0 then 0
  else
    let x = get a i and y = get b j in
    if x < y then -1
    else if x > y then 1
    else if x = y || (total && x <> x && y <> y) then
      compare_floats total get a (i + 1) b (j + 1) (count - 1)
    else if not total then 2
    else if x = x then 1
    else -1

let double data i = Int64.float_of_bits (Bytes.unsafe_get64 data (8 * i))
let single data i = Int32.float_of_bits (Bytes.unsafe_get32 data (4 * i))
let half data i = float_of_half (Bytes.unsafe_get16 data (2 * i))

let compare_elements total kind a i b j count =
  match kind with
  | 0 -> compare_floats total single a i b j count
  | 1 -> compare_floats total double a i b j count
  | 2 -> compare_ints Bytes.get_int8 a i b j count
  | 3 | 12 -> compare_ints Bytes.get_uint8 a i b j count
  | 4 -> compare_ints (fun data i -> Bytes.get_int16_le data (2 * i)) a i b j count
  | 5 -> compare_ints (fun data i -> Bytes.unsafe_get16 data (2 * i)) a i b j count
  | 6 -> compare_ints (fun data i -> Int32.to_int (Bytes.unsafe_get32 data (4 * i))) a i b j count
  | 10 -> compare_floats total single a (2 * i) b (2 * j) (2 * count)
  | 11 -> compare_floats total double a (2 * i) b (2 * j) (2 * count)
  | 13 -> compare_floats total half a i b j count
  | _ -> compare_longs a i b j count

(* One with more dimensions is less. *)
let compare_numbers total kind a_sizes i a b_sizes j b =
  let dimensions = Array.length a_sizes in
  let rec sizes at count =
    if at = dimensions then compare_elements total kind a i b j count
    else
      let n = Array.unsafe_get a_sizes at and m = Array.unsafe_get b_sizes at in
      if n < m then -1 else if n > m then 1 else sizes (at + 1) (count * n)
  in
  let others = Array.length b_sizes in
  if dimensions > others then -1 else if dimensions < others then 1 else sizes 0 1

let numbers_compare kind a_sizes i a b_sizes j b =
  compare_numbers false kind a_sizes i a b_sizes j b
[@@known numbers_compare]

let numbers_compare_total kind a_sizes i a b_sizes j b =
  compare_numbers true kind a_sizes i a b_sizes j b
[@@known numbers_compare_total]

let bits_of_single x =
  if x <> x then 0x7F80_0001
  else if x = 0.0 then 0
  else Int32.to_int (Int32.bits_of_float x) land 0xFFFF_FFFF

let one_half bits =
  if bits land 0x7FFF > 0x7C00 then 0x7C01 else if bits = 0x8000 then 0 else bits

(* Four bytes at a time; at the end there may be fewer. *)
let hash_bytes data start count =
  let stop = start + min count 256 in
  let rec go at hash =
    if at >= stop then hash
    else begin
      let word = ref 0 in
      for i = min 3 (stop - at - 1) downto 0 do
        word := (!word lsl 8) lor Bytes.get_uint8 data (at + i)
      done;
      go (at + 4) (Oxbow_hash.prim_mix_uint32 hash !word)
    end
  in
  go start 0

let hash_items most count mix =
  let rec go i hash = if i >= min most count then hash else go (i + 1) (mix hash i) in
  go 0 0

let numbers_hash kind sizes start data =
  let count = Array.fold_left (fun product n -> product * n) 1 sizes in
  let word hash n = Oxbow_hash.prim_mix_uint32 hash (n land 0xFFFF_FFFF) in
  let long i = Bytes.unsafe_get64 data (8 * (start + i)) in
  match kind with
  | 2 | 3 | 12 -> hash_bytes data start count
  | 4 | 5 -> hash_bytes data (2 * start) (2 * count)
  | 6 -> hash_bytes data (4 * start) (4 * count)
  | 7 ->
      hash_items 32 count (fun hash i ->
          let n = long i in
          word (word hash (Int64.to_int n)) (Int64.to_int (Int64.shift_right n 32)))
  | 13 ->
      hash_items 128 count (fun hash i ->
          word hash (one_half (Bytes.unsafe_get16 data (2 * (start + i)))))
  | 0 -> hash_items 64 count (fun hash i -> word hash (bits_of_single (single data (start + i))))
  | 10 ->
      hash_items 64 (2 * count) (fun hash i ->
          word hash (bits_of_single (single data ((2 * start) + i))))
  | 1 -> hash_items 32 count (fun hash i -> Oxbow_hash.prim_mix_float hash (double data (start + i)))
  | 11 ->
      hash_items 32 (2 * count) (fun hash i ->
          Oxbow_hash.prim_mix_float hash (double data ((2 * start) + i)))
  | _ ->
      hash_items 64 count (fun hash i ->
          let n = long i in
          let folded =
            Int64.logxor n (Int64.logxor (Int64.shift_right n 32) (Int64.shift_right n 63))
          in
          word hash (Int64.to_int folded))
[@@known numbers_hash]

(* Elements *)

(* The usual kinds stand first, so that loops test for one: at the type of the elements few of them are possible. *)

let read_any : type a b. (a, b) kind -> bytes -> int -> a =
 fun kind data i ->
  match kind with
  | Float64 -> let here : b = Float64_elt in ignore here; Int64.float_of_bits (Bytes.unsafe_get64 data (8 * i))
  | Float32 -> let here : b = Float32_elt in ignore here; Int32.float_of_bits (Bytes.unsafe_get32 data (4 * i))
  | Float16 -> let here : b = Float16_elt in ignore here; float_of_half (Bytes.unsafe_get16 data (2 * i))
  | Int8_signed -> let here : b = Int8_signed_elt in ignore here; Bytes.get_int8 data i
  | Int8_unsigned -> let here : b = Int8_unsigned_elt in ignore here; Bytes.get_uint8 data i
  | Char -> Bytes.unsafe_get data i
  | Int16_signed -> let here : b = Int16_signed_elt in ignore here; Bytes.get_int16_le data (2 * i)
  | Int16_unsigned -> let here : b = Int16_unsigned_elt in ignore here; Bytes.unsafe_get16 data (2 * i)
  | Int32 -> Bytes.unsafe_get32 data (4 * i)
  | Int64 -> Bytes.unsafe_get64 data (8 * i)
  | Int -> let here : b = Int_elt in ignore here; Int64.to_int (Bytes.unsafe_get64 data (8 * i))
  | Nativeint -> Int64.to_nativeint (Bytes.unsafe_get64 data (8 * i))
  | Complex64 ->
      let here : b = Complex64_elt in ignore here;
      let part at = Int64.float_of_bits (Bytes.unsafe_get64 data at) in
      { Complex.re = part (16 * i); im = part ((16 * i) + 8) }
  | Complex32 ->
      let here : b = Complex32_elt in ignore here;
      let part at = Int32.float_of_bits (Bytes.unsafe_get32 data at) in
      { Complex.re = part (8 * i); im = part ((8 * i) + 4) }

let[@inline] read : type a b. (a, b) kind -> bytes -> int -> a =
 fun kind data i ->
  match kind with
  | Float64 -> let here : b = Float64_elt in ignore here; Int64.float_of_bits (Bytes.unsafe_get64 data (8 * i))
  | Int32 -> Bytes.unsafe_get32 data (4 * i)
  | Int64 -> Bytes.unsafe_get64 data (8 * i)
  | Int -> let here : b = Int_elt in ignore here; Int64.to_int (Bytes.unsafe_get64 data (8 * i))
  | Int8_unsigned -> let here : b = Int8_unsigned_elt in ignore here; Char.code (Bytes.unsafe_get data i)
  | Char -> Bytes.unsafe_get data i
  | _ -> read_any kind data i

let write_any : type a b. (a, b) kind -> bytes -> int -> a -> unit =
 fun kind data i x ->
  match kind with
  | Float64 -> let here : b = Float64_elt in ignore here; Bytes.unsafe_set64 data (8 * i) (Int64.bits_of_float x)
  | Float32 -> let here : b = Float32_elt in ignore here; Bytes.unsafe_set32 data (4 * i) (Int32.bits_of_float x)
  | Float16 -> let here : b = Float16_elt in ignore here; Bytes.unsafe_set16 data (2 * i) (half_of_float x)
  | Int8_signed -> let here : b = Int8_signed_elt in ignore here; Bytes.set_int8 data i x
  | Int8_unsigned -> let here : b = Int8_unsigned_elt in ignore here; Bytes.set_uint8 data i x
  | Char -> Bytes.unsafe_set data i x
  | Int16_signed -> let here : b = Int16_signed_elt in ignore here; Bytes.unsafe_set16 data (2 * i) x
  | Int16_unsigned -> let here : b = Int16_unsigned_elt in ignore here; Bytes.unsafe_set16 data (2 * i) x
  | Int32 -> Bytes.unsafe_set32 data (4 * i) x
  | Int64 -> Bytes.unsafe_set64 data (8 * i) x
  | Int -> let here : b = Int_elt in ignore here; Bytes.unsafe_set64 data (8 * i) (Int64.of_int x)
  | Nativeint -> Bytes.unsafe_set64 data (8 * i) (Int64.of_nativeint x)
  | Complex64 ->
      let here : b = Complex64_elt in ignore here;
      Bytes.unsafe_set64 data (16 * i) (Int64.bits_of_float x.Complex.re);
      Bytes.unsafe_set64 data ((16 * i) + 8) (Int64.bits_of_float x.Complex.im)
  | Complex32 ->
      let here : b = Complex32_elt in ignore here;
      Bytes.unsafe_set32 data (8 * i) (Int32.bits_of_float x.Complex.re);
      Bytes.unsafe_set32 data ((8 * i) + 4) (Int32.bits_of_float x.Complex.im)

let[@inline] write : type a b. (a, b) kind -> bytes -> int -> a -> unit =
 fun kind data i x ->
  match kind with
  | Float64 -> let here : b = Float64_elt in ignore here; Bytes.unsafe_set64 data (8 * i) (Int64.bits_of_float x)
  | Int32 -> Bytes.unsafe_set32 data (4 * i) x
  | Int64 -> Bytes.unsafe_set64 data (8 * i) x
  | Int -> let here : b = Int_elt in ignore here; Bytes.unsafe_set64 data (8 * i) (Int64.of_int x)
  | Char -> Bytes.unsafe_set data i x
  | _ -> write_any kind data i x

(* Arrays of any number of dimensions *)

type ('a, 'b, 'c) view = {
  element : ('a, 'b) kind;
  order : 'c layout;
  sizes : int array;
  start : int;  (** in elements *)
  data : bytes;
}
[@@compared numbers]

let total sizes = Array.fold_left (fun product n -> product * n) 1 sizes

(* How many bytes that is; [Out_of_memory] if there cannot be so many. A size of 0 comes too late to help. *)
let bytes_for element sizes =
  let most = max_string_length in
  let times product n = if n > 0 && product > most / n then raise Out_of_memory else product * n in
  Array.fold_left times (kind_size_in_bytes element) sizes
let outside_fault () = primitive_fault "index out of bounds"

let make_view element order sizes =
  if Array.length sizes > 16 then invalid_arg "Bigarray.create: bad number of dimensions";
  Array.iter (fun n -> if n < 0 then invalid_arg "Bigarray.create: negative dimension") sizes;
  let data = Bytes.make (bytes_for element sizes) '\000' in
  { element; order; sizes = Array.copy sizes; start = 0; data }

let[@inline] first_index a = if is_c a.order then 0 else 1

let[@inline] check_index i size = if i < 0 || i >= size then outside_fault ()

(* The place of an element: the last index runs fastest in C, the first in Fortran. The types say how many sizes there
   are, and nothing changes them. *)

let[@inline] offset_1 a i =
  let i = i - first_index a in
  check_index i (Array.unsafe_get a.sizes 0);
  a.start + i

let[@inline] offset_2 a i j =
  let first = first_index a in
  let i = i - first and j = j - first in
  let rows = Array.unsafe_get a.sizes 0 and columns = Array.unsafe_get a.sizes 1 in
  check_index i rows;
  check_index j columns;
  a.start + if first = 0 then (i * columns) + j else (j * rows) + i

let[@inline] offset_3 a i j k =
  let first = first_index a in
  let i = i - first and j = j - first and k = k - first in
  let n = Array.unsafe_get a.sizes 0 and m = Array.unsafe_get a.sizes 1 in
  let l = Array.unsafe_get a.sizes 2 in
  check_index i n;
  check_index j m;
  check_index k l;
  a.start + if first = 0 then (((i * m) + j) * l) + k else (((k * m) + j) * n) + i

let place_of a fault indices =
  let count = Array.length a.sizes in
  if Array.length indices <> count then invalid_arg fault;
  let first = first_index a in
  let place = ref 0 in
  for step = 0 to count - 1 do
    let at = if first = 0 then step else count - 1 - step in
    let i = indices.(at) - first in
    check_index i a.sizes.(at);
    place := (!place * a.sizes.(at)) + i
  done;
  a.start + !place

let[@inline] get_1 a i = read a.element a.data (offset_1 a i)
let[@inline] set_1 a i x = write a.element a.data (offset_1 a i) x
let[@inline] get_2 a i j = read a.element a.data (offset_2 a i j)
let[@inline] set_2 a i j x = write a.element a.data (offset_2 a i j) x
let[@inline] get_3 a i j k = read a.element a.data (offset_3 a i j k)
let[@inline] set_3 a i j k x = write a.element a.data (offset_3 a i j k) x

let dim_1 a = a.sizes.(0)
let dim_2 a = a.sizes.(1)
let dim_3 a = a.sizes.(2)

let get_n a indices =
  read a.element a.data (place_of a "Bigarray.get: wrong number of indices" indices)

let set_n a indices x =
  write a.element a.data (place_of a "Bigarray.set: wrong number of indices" indices) x

let fill_view a x =
  for i = a.start to a.start + total a.sizes - 1 do
    write a.element a.data i x
  done

let blit_view a b =
  if a.sizes <> b.sizes then invalid_arg "Bigarray.blit: dimension mismatch";
  let size = kind_size_in_bytes a.element in
  Bytes.blit a.data (a.start * size) b.data (b.start * size) (total a.sizes * size)

(* So many from [from] on of the dimension that varies slowest. *)
let sub_view a from count =
  let dimensions = Array.length a.sizes in
  if dimensions = 0 then invalid_arg "Bigarray.sub: bad sub-array";
  let at = if is_c a.order then 0 else dimensions - 1 in
  let first = from - first_index a in
  if first < 0 || count < 0 || first + count > a.sizes.(at) then
    invalid_arg "Bigarray.sub: bad sub-array";
  let sizes = Array.copy a.sizes in
  sizes.(at) <- 1;
  let step = total sizes in
  sizes.(at) <- count;
  { a with sizes; start = a.start + (first * step) }

(* The part with these indices of the dimensions that vary slowest. *)
let slice_view a indices =
  let dimensions = Array.length a.sizes and count = Array.length indices in
  if count > dimensions then invalid_arg "Bigarray.slice: too many indices";
  let first = first_index a in
  let left = dimensions - count in
  let sizes = if first = 0 then Array.sub a.sizes count left else Array.sub a.sizes 0 left in
  let place = ref 0 in
  for step = 0 to count - 1 do
    let at = if first = 0 then step else dimensions - 1 - step in
    let index = if first = 0 then indices.(step) else indices.(count - 1 - step) in
    check_index (index - first) a.sizes.(at);
    place := (!place * a.sizes.(at)) + (index - first)
  done;
  { a with sizes; start = a.start + (!place * total sizes) }

let relayout a order =
  let sizes =
    if is_c a.order = is_c order then a.sizes
    else Array.of_list (List.rev (Array.to_list a.sizes))
  in
  { element = a.element; order; sizes; start = a.start; data = a.data }

module Genarray = struct
  type ('a, 'b, 'c) t = ('a, 'b, 'c) view

  let create = make_view

  let init (type c) kind (layout : c layout) sizes f =
    let a = make_view kind layout sizes in
    let count = Array.length sizes and first = first_index a in
    let indices = Array.make count first in
    (* Counts as the elements lie in memory; [f] gets the same array of indices every time. *)
    let rec next step =
      if step < count then begin
        let at = if first = 0 then count - 1 - step else step in
        indices.(at) <- indices.(at) + 1;
        if indices.(at) - first >= sizes.(at) then begin
          indices.(at) <- first;
          next (step + 1)
        end
      end
    in
    for i = 0 to total sizes - 1 do
      write kind a.data i (f indices);
      next 0
    done;
    a

  let num_dims a = Array.length a.sizes
  let dims a = Array.copy a.sizes

  let nth_dim a n =
    if n < 0 || n >= Array.length a.sizes then invalid_arg "Bigarray.dim" else a.sizes.(n)

  let kind a = a.element
  let layout a = a.order
  let change_layout = relayout
  let size_in_bytes a = kind_size_in_bytes a.element * total a.sizes
  let get = get_n
  let set = set_n
  let sub_left (a : ('a, 'b, c_layout) t) from count = sub_view a from count
  let sub_right (a : ('a, 'b, fortran_layout) t) from count = sub_view a from count
  let slice_left (a : ('a, 'b, c_layout) t) indices = slice_view a indices
  let slice_right (a : ('a, 'b, fortran_layout) t) indices = slice_view a indices
  let blit = blit_view
  let fill = fill_view
end

module Array0 = struct
  type ('a, 'b, 'c) t = ('a, 'b, 'c) view

  let create kind layout = make_view kind layout [||]
  let get a = read a.element a.data a.start
  let set a x = write a.element a.data a.start x

  let init kind layout x =
    let a = create kind layout in
    set a x;
    a

  let of_value = init
  let kind a = a.element
  let layout a = a.order
  let change_layout = relayout
  let size_in_bytes a = kind_size_in_bytes a.element
  let blit = blit_view
  let fill = fill_view
end

module Array1 = struct
  type ('a, 'b, 'c) t = ('a, 'b, 'c) view

  let create kind layout size = make_view kind layout [| size |]

  let init kind layout size f =
    let a = create kind layout size in
    let first = first_index a in
    for i = 0 to size - 1 do
      write kind a.data i (f (i + first))
    done;
    a

  let dim a = a.sizes.(0)
  let kind a = a.element
  let layout a = a.order
  let change_layout = relayout
  let size_in_bytes a = kind_size_in_bytes a.element * dim a
  let get = get_1
  let set = set_1
  let unsafe_get = get_1
  let unsafe_set = set_1
  let sub = sub_view
  let slice a i = slice_view a [| i |]
  let blit = blit_view
  let fill = fill_view

  let of_array kind layout items =
    let a = create kind layout (Array.length items) in
    Array.iteri (fun i x -> write kind a.data i x) items;
    a
end

module Array2 = struct
  type ('a, 'b, 'c) t = ('a, 'b, 'c) view

  let create kind layout rows columns = make_view kind layout [| rows; columns |]
  let dim1 a = a.sizes.(0)
  let dim2 a = a.sizes.(1)
  let kind a = a.element
  let layout a = a.order
  let change_layout = relayout
  let size_in_bytes a = kind_size_in_bytes a.element * total a.sizes
  let get = get_2
  let set = set_2
  let unsafe_get = get_2
  let unsafe_set = set_2

  (* In the order of memory. *)
  let init kind layout rows columns f =
    let a = create kind layout rows columns in
    let first = first_index a in
    if first = 0 then
      for i = 0 to rows - 1 do
        for j = 0 to columns - 1 do
          set_2 a i j (f i j)
        done
      done
    else
      for j = 1 to columns do
        for i = 1 to rows do
          set_2 a i j (f i j)
        done
      done;
    a

  let sub_left (a : ('a, 'b, c_layout) t) from count = sub_view a from count
  let sub_right (a : ('a, 'b, fortran_layout) t) from count = sub_view a from count
  let slice_left (a : ('a, 'b, c_layout) t) i = slice_view a [| i |]
  let slice_right (a : ('a, 'b, fortran_layout) t) i = slice_view a [| i |]
  let blit = blit_view
  let fill = fill_view

  let of_array kind layout rows =
    let columns = if Array.length rows = 0 then 0 else Array.length rows.(0) in
    let a = create kind layout (Array.length rows) columns in
    let first = first_index a in
    Array.iteri
      (fun i row ->
        if Array.length row <> columns then
          invalid_arg "Bigarray.Array2.of_array: non-rectangular data";
        Array.iteri (fun j x -> set_2 a (i + first) (j + first) x) row)
      rows;
    a
end

module Array3 = struct
  type ('a, 'b, 'c) t = ('a, 'b, 'c) view

  let create kind layout n m l = make_view kind layout [| n; m; l |]
  let dim1 a = a.sizes.(0)
  let dim2 a = a.sizes.(1)
  let dim3 a = a.sizes.(2)
  let kind a = a.element
  let layout a = a.order
  let change_layout = relayout
  let size_in_bytes a = kind_size_in_bytes a.element * total a.sizes
  let get = get_3
  let set = set_3
  let unsafe_get = get_3
  let unsafe_set = set_3

  let init kind layout n m l f =
    let a = create kind layout n m l in
    if first_index a = 0 then
      for i = 0 to n - 1 do
        for j = 0 to m - 1 do
          for k = 0 to l - 1 do
            set_3 a i j k (f i j k)
          done
        done
      done
    else
      for k = 1 to l do
        for j = 1 to m do
          for i = 1 to n do
            set_3 a i j k (f i j k)
          done
        done
      done;
    a

  let sub_left (a : ('a, 'b, c_layout) t) from count = sub_view a from count
  let sub_right (a : ('a, 'b, fortran_layout) t) from count = sub_view a from count
  let slice_left_1 (a : ('a, 'b, c_layout) t) i j = slice_view a [| i; j |]
  let slice_right_1 (a : ('a, 'b, fortran_layout) t) i j = slice_view a [| i; j |]
  let slice_left_2 (a : ('a, 'b, c_layout) t) i = slice_view a [| i |]
  let slice_right_2 (a : ('a, 'b, fortran_layout) t) i = slice_view a [| i |]
  let blit = blit_view
  let fill = fill_view

  let of_array kind layout planes =
    let rows = if Array.length planes = 0 then 0 else Array.length planes.(0) in
    let columns = if rows = 0 then 0 else Array.length planes.(0).(0) in
    let a = create kind layout (Array.length planes) rows columns in
    let first = first_index a in
    let check length wanted =
      if length <> wanted then invalid_arg "Bigarray.Array3.of_array: non-cubic data"
    in
    Array.iteri
      (fun i plane ->
        check (Array.length plane) rows;
        Array.iteri
          (fun j row ->
            check (Array.length row) columns;
            Array.iteri (fun k x -> set_3 a (i + first) (j + first) (k + first) x) row)
          plane)
      planes;
    a
end

let genarray_of_array0 a = a
let genarray_of_array1 a = a
let genarray_of_array2 a = a
let genarray_of_array3 a = a

let with_dims count name a = if Array.length a.sizes <> count then invalid_arg name else a
let array0_of_genarray a = with_dims 0 "Bigarray.array0_of_genarray" a
let array1_of_genarray a = with_dims 1 "Bigarray.array1_of_genarray" a
let array2_of_genarray a = with_dims 2 "Bigarray.array2_of_genarray" a
let array3_of_genarray a = with_dims 3 "Bigarray.array3_of_genarray" a

let reshape a sizes =
  if Array.length sizes > 16 then invalid_arg "Bigarray.reshape: bad number of dimensions";
  Array.iter (fun n -> if n < 0 then invalid_arg "Bigarray.reshape: negative dimension") sizes;
  if total sizes <> total a.sizes then invalid_arg "Bigarray.reshape: size mismatch";
  { a with sizes = Array.copy sizes }

let reshape_0 a = reshape a [||]
let reshape_1 a n = reshape a [| n |]
let reshape_2 a n m = reshape a [| n; m |]
let reshape_3 a n m l = reshape a [| n; m; l |]
