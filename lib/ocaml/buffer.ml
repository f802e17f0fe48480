(* Strings that grow *)

[@@@hidden "grow reserve unsafe_add_substring check_part add_byte add_utf_16"]
[@@@abstract "t"]

type t = {
  mutable buffer : bytes;
  mutable position : int;
  initial : bytes;
}

let create n =
  let n = if n < 1 then 1 else n in
  let n = if n > max_string_length then max_string_length else n in
  let buffer = Bytes.create n in
  { buffer; position = 0; initial = buffer }

let contents b = Bytes.unsafe_to_string (Bytes.guarded_sub b.buffer 0 b.position)
let to_bytes b = Bytes.guarded_sub b.buffer 0 b.position

let sub b start count =
  if start < 0 || count < 0 || start > b.position - count then invalid_arg "Buffer.sub"
  else Bytes.unsafe_to_string (Bytes.guarded_sub b.buffer start count)

let blit b from into start count =
  if
    count < 0 || from < 0
    || from > b.position - count
    || start < 0
    || start > Bytes.length into - count
  then invalid_arg "Buffer.blit"
  else Bytes.guarded_blit b.buffer from into start count

let nth b i =
  if int_ult i b.position then Bytes.guarded_get b.buffer i else invalid_arg "Buffer.nth"

let length b = b.position
let clear b = b.position <- 0

let reset b =
  b.position <- 0;
  b.buffer <- b.initial

let truncate b n =
  if n < 0 || n > b.position then invalid_arg "Buffer.truncate" else b.position <- n

(* Makes room for [more] bytes after the position. *)
let grow b more =
  let needed = b.position + more in
  let rec enough n = if n >= needed then n else enough (2 * n) in
  let size = enough (Bytes.length b.buffer) in
  let size = if size > max_string_length then max_string_length else size in
  if needed > size then failwith "Buffer.add: cannot grow buffer";
  let larger = Bytes.create size in
  Bytes.guarded_blit b.buffer 0 larger 0 b.position;
  b.buffer <- larger

let[@inline] reserve b more =
  if more > Bytes.length b.buffer - b.position then grow b more

let add_char b c =
  reserve b 1;
  Bytes.guarded_set b.buffer b.position c;
  b.position <- b.position + 1

let unsafe_add_substring b s start count =
  reserve b count;
  Bytes.guarded_blit_string s start b.buffer b.position count;
  b.position <- b.position + count

let add_string b s = unsafe_add_substring b s 0 (string_length s)
let add_bytes b bytes = add_string b (Bytes.unsafe_to_string bytes)

let[@inline] check_part who s start count =
  if start < 0 || count < 0 || start > string_length s - count then invalid_arg who

let add_substring b s start count =
  check_part "Buffer.add_substring" s start count;
  unsafe_add_substring b s start count

let add_subbytes b bytes start count =
  let s = Bytes.unsafe_to_string bytes in
  check_part "Buffer.add_subbytes" s start count;
  unsafe_add_substring b s start count

let add_buffer b other = add_subbytes b other.buffer 0 other.position
let output_buffer channel b = output channel b.buffer 0 b.position

let add_channel b channel count =
  if count < 0 || count > max_string_length then invalid_arg "Buffer.add_channel";
  reserve b count;
  (* What was read before the end of the file stays in the buffer. *)
  let rec loop count =
    if count > 0 then begin
      let got = input channel b.buffer b.position count in
      if got = 0 then raise End_of_file;
      b.position <- b.position + got;
      loop (count - got)
    end
  in
  loop count

let add_byte b n = add_char b (unsafe_char_of_int n)

let add_utf_8_uchar b u =
  let n = Uchar.to_int u in
  let tail shift = add_byte b (0x80 lor ((n lsr shift) land 0x3F)) in
  if n <= 0x7F then add_byte b n
  else if n <= 0x7FF then begin
    add_byte b (0xC0 lor (n lsr 6));
    tail 0
  end
  else if n <= 0xFFFF then begin
    add_byte b (0xE0 lor (n lsr 12));
    tail 6;
    tail 0
  end
  else begin
    add_byte b (0xF0 lor (n lsr 18));
    tail 12;
    tail 6;
    tail 0
  end

let add_uint8 = add_byte
let add_int8 = add_byte

let add_uint16_le b n =
  reserve b 2;
  Bytes.guarded_set16 b.buffer b.position n;
  b.position <- b.position + 2

let add_uint16_ne = add_uint16_le
let add_uint16_be b n = add_uint16_le b (Bytes.swap16 n)
let add_int16_ne = add_uint16_le
let add_int16_le = add_uint16_le
let add_int16_be = add_uint16_be

let add_int32_le b n =
  reserve b 4;
  Bytes.guarded_set32 b.buffer b.position n;
  b.position <- b.position + 4

let add_int32_ne = add_int32_le
let add_int32_be b n = add_int32_le b (Bytes.swap32 n)

let add_int64_le b n =
  reserve b 8;
  Bytes.guarded_set64 b.buffer b.position n;
  b.position <- b.position + 8

let add_int64_ne = add_int64_le
let add_int64_be b n = add_int64_le b (Bytes.swap64 n)

let add_utf_16 add_unit b u =
  let n = Uchar.to_int u in
  if n <= 0xFFFF then add_unit b n
  else begin
    let n = n - 0x10000 in
    add_unit b (0xD800 lor (n lsr 10));
    add_unit b (0xDC00 lor (n land 0x3FF))
  end

let add_utf_16le_uchar b u = add_utf_16 add_uint16_le b u
let add_utf_16be_uchar b u = add_utf_16 add_uint16_be b u

(* Puts what [f] says in place of [$name], [$(name)] and [${name}]; a backslash keeps a
   dollar sign from meaning that. *)
let add_substitute b f text =
  let n = String.length text in
  let is_name = function 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' -> true | _ -> false in
  let rec name_end i =
    if i < n && is_name (String.unsafe_get text i) then name_end (i + 1) else i
  in
  let rec closing_end opening closing depth i =
    if i >= n then None
    else
      let c = String.unsafe_get text i in
      if c = opening then closing_end opening closing (depth + 1) (i + 1)
      else if c = closing then
        if depth = 0 then Some i else closing_end opening closing (depth - 1) (i + 1)
      else closing_end opening closing depth (i + 1)
  in
  let between start stop = add_string b (f (String.sub text start (stop - start))) in
  let rec loop escaped i =
    if i >= n then begin
      if escaped then add_char b '\\'
    end
    else
      match String.unsafe_get text i with
      | '$' when escaped ->
          add_char b '$';
          loop false (i + 1)
      | '$' ->
          (* What names nothing stays as it is. *)
          let plain () =
            add_char b '$';
            loop false (i + 1)
          in
          let bracketed opening closing =
            match closing_end opening closing 0 (i + 2) with
            | None -> plain ()
            | Some stop ->
                between (i + 2) stop;
                loop false (stop + 1)
          in
          let c = if i + 1 < n then String.unsafe_get text (i + 1) else ' ' in
          if c = '(' then bracketed '(' ')'
          else if c = '{' then bracketed '{' '}'
          else if is_name c then begin
            let stop = name_end (i + 2) in
            between (i + 1) stop;
            loop false stop
          end
          else plain ()
      | '\\' when escaped ->
          add_char b '\\';
          loop true (i + 1)
      | c when escaped ->
          add_char b '\\';
          add_char b c;
          loop false (i + 1)
      | '\\' -> loop true (i + 1)
      | c ->
          add_char b c;
          loop false (i + 1)
  in
  loop false 0

let to_seq b =
  let rec from i () =
    if i >= b.position then Seq.Nil else Seq.Cons (Bytes.guarded_get b.buffer i, from (i + 1))
  in
  from 0

let to_seqi b =
  let rec from i () =
    if i >= b.position then Seq.Nil
    else Seq.Cons ((i, Bytes.guarded_get b.buffer i), from (i + 1))
  in
  from 0

let add_seq b seq = Seq.iter (fun c -> add_char b c) seq

let of_seq seq =
  let b = create 32 in
  add_seq b seq;
  b
