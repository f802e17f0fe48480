(* Byte sequences *)

[@@@hidden "unsafe_create unsafe_get16 unsafe_get32 unsafe_get64 unsafe_set16 unsafe_set32"]
[@@@hidden "unsafe_set64 unsafe_sub is_space escaped_width map_first matches_at position"]
[@@@hidden "last_position found found_opt check int32_of_int int32_and int32_or int32_shl"]
[@@@hidden "int32_lsr int64_and int64_or int64_shl int64_lsr swap16 swap32 swap64 sign8"]
[@@@hidden "sign16 second_byte get_utf_16_uchar set_utf_16_uchar is_valid_utf"]
[@@@hidden "guarded_get guarded_set guarded_sub guarded_blit guarded_blit_string guarded_set16 guarded_set32 guarded_set64"]

type t = bytes

external length : bytes -> int = "%bytes.length"
external unsafe_create : int -> bytes = "%bytes.create"
external unsafe_get : bytes -> int -> char = "%bytes.unsafe_get"
external unsafe_set : bytes -> int -> char -> unit = "%bytes.unsafe_set"
external unsafe_blit : bytes -> int -> bytes -> int -> int -> unit = "%bytes.unsafe_blit"
external unsafe_blit_string : string -> int -> bytes -> int -> int -> unit
  = "%bytes.unsafe_blit_string"
external unsafe_fill : bytes -> int -> int -> char -> unit = "%bytes.unsafe_fill"
external unsafe_to_string : bytes -> string = "%bytes.unsafe_to_string"
external unsafe_of_string : string -> bytes = "%bytes.unsafe_of_string"
external unsafe_get16 : bytes -> int -> int = "%bytes.unsafe_get16"
external unsafe_get32 : bytes -> int -> int32 = "%bytes.unsafe_get32"
external unsafe_get64 : bytes -> int -> int64 = "%bytes.unsafe_get64"
external unsafe_set16 : bytes -> int -> int -> unit = "%bytes.unsafe_set16"
external unsafe_set32 : bytes -> int -> int32 -> unit = "%bytes.unsafe_set32"
external unsafe_set64 : bytes -> int -> int64 -> unit = "%bytes.unsafe_set64"

let[@inline] get b i =
  if int_ult i (length b) then unsafe_get b i else primitive_fault "index out of bounds"

let[@inline] set b i c =
  if int_ult i (length b) then unsafe_set b i c else primitive_fault "index out of bounds"

let create n =
  if not (int_ult n small_string) then check_bytes n;
  unsafe_create n

let make n c =
  let b = create n in
  unsafe_fill b 0 n c;
  b

let init n f =
  let b = create n in
  for i = 0 to n - 1 do
    unsafe_set b i (f i)
  done;
  b

let empty = unsafe_create 0

(* [count] bytes from [start], which are within the sequence. *)
let unsafe_sub b start count =
  let part = create count in
  unsafe_blit b start part 0 count;
  part

let copy b = unsafe_sub b 0 (length b)
let to_string b = unsafe_to_string (copy b)
let of_string s = copy (unsafe_of_string s)

let sub b start count =
  if start < 0 || count < 0 || start > length b - count then
    invalid_arg "String.sub / Bytes.sub"
  else unsafe_sub b start count

let sub_string b start count = unsafe_to_string (sub b start count)

let extend b left right =
  let add m n =
    let total = m + n in
    if (m >= 0 && n >= 0 && total < 0) || (m < 0 && n < 0 && total >= 0) then
      invalid_arg "Bytes.extend"
    else total
  in
  let total = add (add (length b) left) right in
  let result = create total in
  let from = if left < 0 then -left else 0 in
  let into = if left < 0 then 0 else left in
  let count = length b - from and room = total - into in
  let count = if count < room then count else room in
  if count > 0 then unsafe_blit b from result into count;
  result

let fill b start count c =
  if start < 0 || count < 0 || start > length b - count then
    invalid_arg "String.fill / Bytes.fill"
  else unsafe_fill b start count c

let blit a from b into count =
  if count < 0 || from < 0 || from > length a - count || into < 0 || into > length b - count then
    invalid_arg "Bytes.blit"
  else unsafe_blit a from b into count

let blit_string s from b into count =
  if
    count < 0 || from < 0
    || from > string_length s - count
    || into < 0
    || into > length b - count
  then invalid_arg "String.blit / Bytes.blit_string"
  else unsafe_blit_string s from b into count

let concat separator parts =
  let rec total sum = function
    | [] -> sum
    | [ last ] -> sum + length last
    | part :: rest ->
        let next = sum + length part + length separator in
        if next < sum then invalid_arg "Bytes.concat" else total next rest
  in
  match parts with
  | [] -> empty
  | _ ->
      let result = create (total 0 parts) in
      let rec place at = function
        | [] -> ()
        | [ last ] -> unsafe_blit last 0 result at (length last)
        | part :: rest ->
            unsafe_blit part 0 result at (length part);
            let at = at + length part in
            unsafe_blit separator 0 result at (length separator);
            place (at + length separator) rest
      in
      place 0 parts;
      result

let cat a b =
  let result = create (length a + length b) in
  unsafe_blit a 0 result 0 (length a);
  unsafe_blit b 0 result (length a) (length b);
  result

let iter (f : char -> unit) b =
  for i = 0 to length b - 1 do
    f (unsafe_get b i)
  done

let iteri (f : int -> char -> unit) b =
  for i = 0 to length b - 1 do
    f i (unsafe_get b i)
  done

let map f b =
  let n = length b in
  if n = 0 then b
  else begin
    let result = unsafe_create n in
    for i = 0 to n - 1 do
      unsafe_set result i (f (unsafe_get b i))
    done;
    result
  end

let mapi f b =
  let n = length b in
  if n = 0 then b
  else begin
    let result = unsafe_create n in
    for i = 0 to n - 1 do
      unsafe_set result i (f i (unsafe_get b i))
    done;
    result
  end

let fold_left f start b =
  let n = length b in
  let rec loop total i = if i >= n then total else loop (f total (unsafe_get b i)) (i + 1) in
  loop start 0

let fold_right f b start =
  let rec loop i total = if i < 0 then total else loop (i - 1) (f (unsafe_get b i) total) in
  loop (length b - 1) start

let exists p b =
  let n = length b in
  let rec loop i = i < n && (p (unsafe_get b i) || loop (i + 1)) in
  loop 0

let for_all p b =
  let n = length b in
  let rec loop i = i >= n || (p (unsafe_get b i) && loop (i + 1)) in
  loop 0

let is_space = function ' ' | '\012' | '\n' | '\r' | '\t' -> true | _ -> false

let trim b =
  let n = length b in
  let rec first i = if i < n && is_space (unsafe_get b i) then first (i + 1) else i in
  let start = first 0 in
  let rec last i = if i > start && is_space (unsafe_get b (i - 1)) then last (i - 1) else i in
  let stop = last n in
  if stop > start then unsafe_sub b start (stop - start) else empty

(* How many characters stand for one in a literal. *)
let escaped_width = function
  | '"' | '\\' | '\n' | '\t' | '\r' | '\b' -> 2
  | ' ' .. '~' -> 1
  | _ -> 4

let escaped b =
  let n = length b in
  let rec width total i =
    if i >= n then total else width (total + escaped_width (unsafe_get b i)) (i + 1)
  in
  let total = width 0 0 in
  if total = n then copy b
  else begin
    let result = create total in
    let pair at c =
      unsafe_set result at '\\';
      unsafe_set result (at + 1) c;
      at + 2
    in
    let put at c =
      match c with
      | '"' | '\\' -> pair at c
      | '\n' -> pair at 'n'
      | '\t' -> pair at 't'
      | '\r' -> pair at 'r'
      | '\b' -> pair at 'b'
      | ' ' .. '~' ->
          unsafe_set result at c;
          at + 1
      | _ ->
          let code = int_of_char c in
          let digit n = unsafe_char_of_int (48 + int_unsafe_mod n 10) in
          unsafe_set result at '\\';
          unsafe_set result (at + 1) (digit (int_unsafe_div code 100));
          unsafe_set result (at + 2) (digit (int_unsafe_div code 10));
          unsafe_set result (at + 3) (digit code);
          at + 4
    in
    let rec loop at i = if i < n then loop (put at (unsafe_get b i)) (i + 1) in
    loop 0 0;
    result
  end

let uppercase_ascii b = map Char.uppercase_ascii b
let lowercase_ascii b = map Char.lowercase_ascii b

let map_first f b =
  if length b = 0 then b
  else begin
    let result = copy b in
    unsafe_set result 0 (f (unsafe_get b 0));
    result
  end

let capitalize_ascii b = map_first Char.uppercase_ascii b
let uncapitalize_ascii b = map_first Char.lowercase_ascii b
let uppercase b = map Char.uppercase b
let lowercase b = map Char.lowercase b
let capitalize b = map_first Char.uppercase b
let uncapitalize b = map_first Char.lowercase b

(* Whether [part] stands in [b] at [start], where there is room for it. *)
let matches_at part b start =
  let n = length part in
  let rec loop i =
    i >= n || (unsafe_get b (start + i) = unsafe_get part i && loop (i + 1))
  in
  loop 0

let starts_with ~prefix b = length b >= length prefix && matches_at prefix b 0

let ends_with ~suffix b =
  let start = length b - length suffix in
  start >= 0 && matches_at suffix b start

(* The place of [c] at or after [start], or -1. *)
let position b start c =
  let n = length b in
  let rec loop i = if i >= n then -1 else if unsafe_get b i = c then i else loop (i + 1) in
  loop start

(* The place of [c] at or before [start], or -1. *)
let last_position b start c =
  let rec loop i = if i < 0 then -1 else if unsafe_get b i = c then i else loop (i - 1) in
  loop start

let found place = if place < 0 then raise Not_found else place
let found_opt place = if place < 0 then None else Some place

let index b c = found (position b 0 c)
let index_opt b c = found_opt (position b 0 c)

let index_from b start c =
  if start < 0 || start > length b then invalid_arg "String.index_from / Bytes.index_from"
  else found (position b start c)

let index_from_opt b start c =
  if start < 0 || start > length b then
    invalid_arg "String.index_from_opt / Bytes.index_from_opt"
  else found_opt (position b start c)

let rindex b c = found (last_position b (length b - 1) c)
let rindex_opt b c = found_opt (last_position b (length b - 1) c)

let rindex_from b start c =
  if start < -1 || start >= length b then invalid_arg "String.rindex_from / Bytes.rindex_from"
  else found (last_position b start c)

let rindex_from_opt b start c =
  if start < -1 || start >= length b then
    invalid_arg "String.rindex_from_opt / Bytes.rindex_from_opt"
  else found_opt (last_position b start c)

let contains_from b start c =
  if start < 0 || start > length b then invalid_arg "String.contains_from / Bytes.contains_from"
  else position b start c >= 0

let contains b c = position b 0 c >= 0

let rcontains_from b start c =
  if start < 0 || start >= length b then
    invalid_arg "String.rcontains_from / Bytes.rcontains_from"
  else last_position b start c >= 0

let compare (a : t) (b : t) = compare a b
let equal (a : t) (b : t) = a = b

let split_on_char separator b =
  let rec loop i stop parts =
    if i < 0 then unsafe_sub b 0 stop :: parts
    else if unsafe_get b i = separator then
      loop (i - 1) i (unsafe_sub b (i + 1) (stop - i - 1) :: parts)
    else loop (i - 1) stop parts
  in
  loop (length b - 1) (length b) []

let to_seq b =
  let rec from i () = if i >= length b then Seq.Nil else Seq.Cons (unsafe_get b i, from (i + 1)) in
  from 0

let to_seqi b =
  let rec from i () =
    if i >= length b then Seq.Nil else Seq.Cons ((i, unsafe_get b i), from (i + 1))
  in
  from 0

let of_seq seq =
  let buffer = ref (unsafe_create 256) and count = ref 0 in
  Seq.iter
    (fun c ->
      if !count = length !buffer then begin
        let larger = create (2 * length !buffer) in
        unsafe_blit !buffer 0 larger 0 !count;
        buffer := larger
      end;
      unsafe_set !buffer !count c;
      incr count)
    seq;
  unsafe_sub !buffer 0 !count

(* Integers in bytes *)

let check b i size =
  if i < 0 || i > length b - size then primitive_fault "index out of bounds"

external int32_of_int : int -> int32 = "%int.to_int32"
external int32_and : int32 -> int32 -> int32 = "%int32.and"
external int32_or : int32 -> int32 -> int32 = "%int32.or"
external int32_shl : int32 -> int -> int32 = "%int32.shl"
external int32_lsr : int32 -> int -> int32 = "%int32.lsr"
external int64_and : int64 -> int64 -> int64 = "%int64.and"
external int64_or : int64 -> int64 -> int64 = "%int64.or"
external int64_shl : int64 -> int -> int64 = "%int64.shl"
external int64_lsr : int64 -> int -> int64 = "%int64.lsr"

let swap16 n = ((n land 0xFF) lsl 8) lor ((n lsr 8) land 0xFF)

let swap32 n =
  let n =
    int32_or
      (int32_shl (int32_and n 0x00FF00FFl) 8)
      (int32_and (int32_lsr n 8) 0x00FF00FFl)
  in
  int32_or (int32_shl n 16) (int32_lsr n 16)

let swap64 n =
  let exchange n mask bits =
    int64_or (int64_shl (int64_and n mask) bits) (int64_and (int64_lsr n bits) mask)
  in
  let n = exchange n 0x00FF00FF00FF00FFL 8 in
  let n = exchange n 0x0000FFFF0000FFFFL 16 in
  int64_or (int64_shl n 32) (int64_lsr n 32)

let sign8 n = (n lsl 55) asr 55
let sign16 n = (n lsl 47) asr 47

let get_uint8 b i = int_of_char (get b i)
let get_int8 b i = sign8 (get_uint8 b i)

let get_uint16_le b i =
  check b i 2;
  unsafe_get16 b i

let get_uint16_ne = get_uint16_le
let get_uint16_be b i = swap16 (get_uint16_le b i)
let get_int16_le b i = sign16 (get_uint16_le b i)
let get_int16_ne = get_int16_le
let get_int16_be b i = sign16 (get_uint16_be b i)

let get_int32_le b i =
  check b i 4;
  unsafe_get32 b i

let get_int32_ne = get_int32_le
let get_int32_be b i = swap32 (get_int32_le b i)

let get_int64_le b i =
  check b i 8;
  unsafe_get64 b i

let get_int64_ne = get_int64_le
let get_int64_be b i = swap64 (get_int64_le b i)
let set_uint8 b i n = set b i (unsafe_char_of_int n)
let set_int8 = set_uint8

let set_uint16_le b i n =
  check b i 2;
  unsafe_set16 b i n

let set_uint16_ne = set_uint16_le
let set_uint16_be b i n = set_uint16_le b i (swap16 n)
let set_int16_ne = set_uint16_le
let set_int16_le = set_uint16_le
let set_int16_be = set_uint16_be

let set_int32_le b i n =
  check b i 4;
  unsafe_set32 b i n

let set_int32_ne = set_int32_le
let set_int32_be b i n = set_int32_le b i (swap32 n)

let set_int64_le b i n =
  check b i 8;
  unsafe_set64 b i n

let set_int64_ne = set_int64_le
let set_int64_be b i n = set_int64_le b i (swap64 n)

let unsafe_escape = escaped

(* Unicode *)

(* What follows the first byte of a character of UTF-8: the lowest and the highest second byte. A
   wrong byte ends the decoding with the bytes before it. *)
let second_byte first =
  match first with
  | 0xE0 -> (0xA0, 0xBF)
  | 0xED -> (0x80, 0x9F)
  | 0xF0 -> (0x90, 0xBF)
  | 0xF4 -> (0x80, 0x8F)
  | _ -> (0x80, 0xBF)

let get_utf_8_uchar b i =
  let first = get_uint8 b i in
  let size = Uchar.utf_8_decode_length_of_byte (unsafe_char_of_int first) in
  let rec rest at u =
    if at = size then Uchar.utf_decode size (Uchar.unsafe_of_int u)
    else if i + at >= length b then Uchar.utf_decode_invalid at
    else
      let byte = get_uint8 b (i + at) in
      let low, high = if at = 1 then second_byte first else (0x80, 0xBF) in
      if byte < low || byte > high then Uchar.utf_decode_invalid at
      else rest (at + 1) ((u lsl 6) lor (byte land 0x3F))
  in
  match size with
  | 0 -> Uchar.utf_decode_invalid 1
  | 1 -> rest 1 first
  | 2 -> rest 1 (first land 0x1F)
  | 3 -> rest 1 (first land 0x0F)
  | _ -> rest 1 (first land 0x07)

let set_utf_8_uchar b i u =
  let size = Uchar.utf_8_byte_length u and n = Uchar.to_int u in
  let mark = match size with 2 -> 0xC0 | 3 -> 0xE0 | _ -> 0xF0 in
  if size = 1 then begin
    set_uint8 b i n;
    1
  end
  else if i + size > length b then 0
  else begin
    set_uint8 b i (mark lor (n lsr (6 * (size - 1))));
    for at = 1 to size - 1 do
      set_uint8 b (i + at) (0x80 lor ((n lsr (6 * (size - 1 - at))) land 0x3F))
    done;
    size
  end

let get_utf_16_uchar get_unit b i =
  let left = length b - i in
  if i < 0 || left <= 0 then primitive_fault "index out of bounds"
  else if left = 1 then Uchar.utf_decode_invalid 1
  else
    let first = get_unit b i in
    if first < 0xD800 || first > 0xDFFF then Uchar.utf_decode 2 (Uchar.unsafe_of_int first)
    else if first > 0xDBFF then Uchar.utf_decode_invalid 2
    else if left < 4 then Uchar.utf_decode_invalid left
    else
      let second = get_unit b (i + 2) in
      if second < 0xDC00 || second > 0xDFFF then Uchar.utf_decode_invalid 2
      else
        let u = (((first land 0x3FF) lsl 10) lor (second land 0x3FF)) + 0x10000 in
        Uchar.utf_decode 4 (Uchar.unsafe_of_int u)

let set_utf_16_uchar set_unit b i u =
  let n = Uchar.to_int u in
  if i < 0 || i >= length b then primitive_fault "index out of bounds"
  else if n < 0x10000 then
    if i + 2 > length b then 0
    else begin
      set_unit b i n;
      2
    end
  else if i + 4 > length b then 0
  else begin
    set_unit b i (0xD800 lor ((n - 0x10000) lsr 10));
    set_unit b (i + 2) (0xDC00 lor ((n - 0x10000) land 0x3FF));
    4
  end

let get_utf_16le_uchar b i = get_utf_16_uchar get_uint16_le b i
let get_utf_16be_uchar b i = get_utf_16_uchar get_uint16_be b i
let set_utf_16le_uchar b i u = set_utf_16_uchar set_uint16_le b i u
let set_utf_16be_uchar b i u = set_utf_16_uchar set_uint16_be b i u

let is_valid_utf decode b =
  let n = length b in
  let rec valid_from i =
    i >= n
    ||
    let d = decode b i in
    Uchar.utf_decode_is_valid d && valid_from (i + Uchar.utf_decode_length d)
  in
  valid_from 0

let is_valid_utf_8 b = is_valid_utf get_utf_8_uchar b
let is_valid_utf_16le b = is_valid_utf get_utf_16le_uchar b
let is_valid_utf_16be b = is_valid_utf get_utf_16be_uchar b

(* Without tests, unless domains may change what positions were computed from. *)
let[@inline] guarded_get b i = if domain_any () then get b i else unsafe_get b i
let[@inline] guarded_set b i c = if domain_any () then set b i c else unsafe_set b i c
let[@inline] guarded_sub b i n = if domain_any () then sub b i n else unsafe_sub b i n

let[@inline] guarded_blit a from b into n =
  if domain_any () then blit a from b into n else unsafe_blit a from b into n

let[@inline] guarded_blit_string s from b into n =
  if domain_any () then blit_string s from b into n else unsafe_blit_string s from b into n

let[@inline] guarded_set16 b i n = if domain_any () then set_uint16_le b i n else unsafe_set16 b i n
let[@inline] guarded_set32 b i n = if domain_any () then set_int32_le b i n else unsafe_set32 b i n
let[@inline] guarded_set64 b i n = if domain_any () then set_int64_le b i n else unsafe_set64 b i n
