(* Strings: what [Bytes] does to a sequence that nobody changes. *)

[@@@hidden "hash_param"]

[@@@hidden "of_fresh as_bytes characters tolerated"]

type t = string

external length : string -> int = "%string.length"
external unsafe_get : string -> int -> char = "%string.unsafe_get"
external unsafe_blit : string -> int -> bytes -> int -> int -> unit = "%bytes.unsafe_blit_string"
external unsafe_fill : bytes -> int -> int -> char -> unit = "%bytes.unsafe_fill"
external of_fresh : bytes -> string = "%bytes.unsafe_to_string"
external as_bytes : string -> bytes = "%bytes.unsafe_of_string"

let[@inline] get s i =
  if int_ult i (length s) then unsafe_get s i else primitive_fault "index out of bounds"

let make n c = of_fresh (Bytes.make n c)
let init n f = of_fresh (Bytes.init n f)
let empty = ""
let copy s = of_fresh (Bytes.of_string s)
let of_bytes = Bytes.to_string
let to_bytes = Bytes.of_string
let sub s start count = of_fresh (Bytes.sub (as_bytes s) start count)
let fill = Bytes.fill
let blit = Bytes.blit_string

let concat separator parts =
  let rec total sum = function
    | [] -> sum
    | [ last ] -> sum + length last
    | part :: rest ->
        let next = sum + length part + length separator in
        if next < sum then invalid_arg "String.concat" else total next rest
  in
  match parts with
  | [] -> ""
  | _ ->
      let result = Bytes.create (total 0 parts) in
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
      of_fresh result

let cat = ( ^ )

let iter (f : char -> unit) s =
  for i = 0 to length s - 1 do
    f (unsafe_get s i)
  done

let iteri (f : int -> char -> unit) s =
  for i = 0 to length s - 1 do
    f i (unsafe_get s i)
  done

let map f s = of_fresh (Bytes.map f (as_bytes s))
let mapi f s = of_fresh (Bytes.mapi f (as_bytes s))

let fold_left f start s =
  let n = length s in
  let rec loop total i = if i >= n then total else loop (f total (unsafe_get s i)) (i + 1) in
  loop start 0

let fold_right f s start =
  let rec loop i total = if i < 0 then total else loop (i - 1) (f (unsafe_get s i) total) in
  loop (length s - 1) start

let exists p s =
  let n = length s in
  let rec loop i = i < n && (p (unsafe_get s i) || loop (i + 1)) in
  loop 0

let for_all p s =
  let n = length s in
  let rec loop i = i >= n || (p (unsafe_get s i) && loop (i + 1)) in
  loop 0

let trim s =
  let n = length s in
  if n = 0 then s
  else if Bytes.is_space (unsafe_get s 0) || Bytes.is_space (unsafe_get s (n - 1)) then
    of_fresh (Bytes.trim (as_bytes s))
  else s

let escaped s =
  if for_all (fun c -> Bytes.escaped_width c = 1) s then s
  else of_fresh (Bytes.escaped (as_bytes s))

let index s c = Bytes.index (as_bytes s) c
let index_opt s c = Bytes.index_opt (as_bytes s) c
let index_from s start c = Bytes.index_from (as_bytes s) start c
let index_from_opt s start c = Bytes.index_from_opt (as_bytes s) start c
let rindex s c = Bytes.rindex (as_bytes s) c
let rindex_opt s c = Bytes.rindex_opt (as_bytes s) c
let rindex_from s start c = Bytes.rindex_from (as_bytes s) start c
let rindex_from_opt s start c = Bytes.rindex_from_opt (as_bytes s) start c
let contains_from s start c = Bytes.contains_from (as_bytes s) start c
let contains s c = Bytes.contains (as_bytes s) c
let rcontains_from s start c = Bytes.rcontains_from (as_bytes s) start c
let uppercase_ascii s = of_fresh (Bytes.uppercase_ascii (as_bytes s))
let lowercase_ascii s = of_fresh (Bytes.lowercase_ascii (as_bytes s))
let capitalize_ascii s = of_fresh (Bytes.capitalize_ascii (as_bytes s))
let uncapitalize_ascii s = of_fresh (Bytes.uncapitalize_ascii (as_bytes s))
let uppercase s = of_fresh (Bytes.uppercase (as_bytes s))
let lowercase s = of_fresh (Bytes.lowercase (as_bytes s))
let capitalize s = of_fresh (Bytes.capitalize (as_bytes s))
let uncapitalize s = of_fresh (Bytes.uncapitalize (as_bytes s))
let starts_with ~prefix s = Bytes.starts_with ~prefix:(as_bytes prefix) (as_bytes s)
let ends_with ~suffix s = Bytes.ends_with ~suffix:(as_bytes suffix) (as_bytes s)

let split_on_char separator s =
  let part start count = of_fresh (Bytes.unsafe_sub (as_bytes s) start count) in
  let rec loop i stop parts =
    if i < 0 then part 0 stop :: parts
    else if unsafe_get s i = separator then
      loop (i - 1) i (part (i + 1) (stop - i - 1) :: parts)
    else loop (i - 1) stop parts
  in
  loop (length s - 1) (length s) []

let compare (a : t) (b : t) = compare a b
let equal (a : t) (b : t) = a = b
let to_seq s = Bytes.to_seq (as_bytes s)
let to_seqi s = Bytes.to_seqi (as_bytes s)
let of_seq seq = of_fresh (Bytes.of_seq seq)
let get_uint8 s i = Bytes.get_uint8 (as_bytes s) i
let get_int8 s i = Bytes.get_int8 (as_bytes s) i
let get_uint16_ne s i = Bytes.get_uint16_ne (as_bytes s) i
let get_uint16_le s i = Bytes.get_uint16_le (as_bytes s) i
let get_uint16_be s i = Bytes.get_uint16_be (as_bytes s) i
let get_int16_ne s i = Bytes.get_int16_ne (as_bytes s) i
let get_int16_le s i = Bytes.get_int16_le (as_bytes s) i
let get_int16_be s i = Bytes.get_int16_be (as_bytes s) i
let get_int32_ne s i = Bytes.get_int32_ne (as_bytes s) i
let get_int32_le s i = Bytes.get_int32_le (as_bytes s) i
let get_int32_be s i = Bytes.get_int32_be (as_bytes s) i
let get_int64_ne s i = Bytes.get_int64_ne (as_bytes s) i
let get_int64_le s i = Bytes.get_int64_le (as_bytes s) i
let get_int64_be s i = Bytes.get_int64_be (as_bytes s) i

external hash : string -> int = "%hash"
external hash_param : int -> int -> int -> string -> int = "%hash.param"

let seeded_hash seed x = hash_param 10 100 seed x

(* Unicode *)

let get_utf_8_uchar s i = Bytes.get_utf_8_uchar (as_bytes s) i
let get_utf_16le_uchar s i = Bytes.get_utf_16le_uchar (as_bytes s) i
let get_utf_16be_uchar s i = Bytes.get_utf_16be_uchar (as_bytes s) i
let is_valid_utf_8 s = Bytes.is_valid_utf_8 (as_bytes s)
let is_valid_utf_16le s = Bytes.is_valid_utf_16le (as_bytes s)
let is_valid_utf_16be s = Bytes.is_valid_utf_16be (as_bytes s)

(* The characters of UTF-8 text; what is none counts as U+FFFD. *)
let characters s =
  let rec from i taken =
    if i >= length s then Array.of_list (List.rev taken)
    else
      let d = get_utf_8_uchar s i in
      from (i + Uchar.utf_decode_length d) (Uchar.utf_decode_uchar d :: taken)
  in
  from 0 []

(* How many insertions, deletions, replacements and swaps of neighbours make one of the other. *)
let edit_distance ?(limit = max_int) a b =
  let a = characters a and b = characters b in
  let rows = Array.length a and columns = Array.length b in
  let table = Array.make_matrix (rows + 1) (columns + 1) 0 in
  for i = 0 to rows do
    for j = 0 to columns do
      let least =
        if i = 0 then j
        else if j = 0 then i
        else begin
          let same = Uchar.equal a.(i - 1) b.(j - 1) in
          let replaced = table.(i - 1).(j - 1) + if same then 0 else 1 in
          let least = min replaced (1 + min table.(i - 1).(j) table.(i).(j - 1)) in
          let swapped =
            i > 1 && j > 1
            && Uchar.equal a.(i - 1) b.(j - 2)
            && Uchar.equal a.(i - 2) b.(j - 1)
          in
          if swapped then min least (table.(i - 2).(j - 2) + 1) else least
        end
      in
      table.(i).(j) <- least
    done
  done;
  min limit table.(rows).(columns)

let tolerated s =
  match Array.length (characters s) with 0 | 1 | 2 -> 0 | 3 | 4 -> 1 | _ -> 2

(* The nearest of some words, in their order. *)
let spellcheck ?(max_dist = tolerated) iter_words s =
  let limit = ref (max_dist s) in
  let found = ref [] in
  iter_words (fun word ->
      let distance = edit_distance ~limit:(!limit + 1) s word in
      if distance <= !limit then begin
        if distance < !limit then found := [];
        limit := distance;
        found := word :: !found
      end);
  List.rev !found
