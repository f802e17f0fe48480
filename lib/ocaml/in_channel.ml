(* Channels to read from *)

[@@@links_printexc]
[@@@hidden "c_isatty opened_with at_end"]

type t = in_channel

type open_flag = Stdlib.open_flag =
  | Open_rdonly
  | Open_wronly
  | Open_append
  | Open_creat
  | Open_trunc
  | Open_excl
  | Open_binary
  | Open_text
  | Open_nonblock

external c_isatty : int32 -> int32 = "%c.1.libm+libc.isatty"

let stdin = stdin
let open_bin = open_in_bin
let open_text = open_in
let open_gen = open_in_gen
let close = close_in
let close_noerr = close_in_noerr

let opened_with channel work =
  Fun.protect ~finally:(fun () -> close_noerr channel) (fun () -> work channel)

let with_open_bin name work = opened_with (open_bin name) work
let with_open_text name work = opened_with (open_text name) work
let with_open_gen flags permissions name work = opened_with (open_gen flags permissions name) work
let seek channel place = seek_in channel (Int64.to_int place)
let pos channel = Int64.of_int (pos_in channel)
let length channel = Int64.of_int (in_channel_length channel)
let input = input
let at_end read = match read () with value -> Some value | exception End_of_file -> None
let input_byte channel = at_end (fun () -> input_byte channel)
let input_char channel = at_end (fun () -> input_char channel)
let input_line channel = at_end (fun () -> input_line channel)
let really_input channel bytes start count = at_end (fun () -> really_input channel bytes start count)
let really_input_string channel count = at_end (fun () -> really_input_string channel count)

let input_all channel =
  let chunk = Bytes.create 65536 in
  let all = Buffer.create 65536 in
  let rec more () =
    let count = input channel chunk 0 65536 in
    if count > 0 then begin
      Buffer.add_subbytes all chunk 0 count;
      more ()
    end
  in
  more ();
  Buffer.contents all

let fold_lines f start channel =
  let rec go total =
    match input_line channel with
    | None -> total
    | Some line -> go (f total line)
  in
  go start

let input_lines channel = List.rev (fold_lines (fun lines line -> line :: lines) [] channel)
let set_binary_mode = set_binary_mode_in
let is_binary_mode (_ : t) = true
let isatty channel = c_isatty (Int32.of_int channel.in_descriptor) <> 0l

(* Bytes of one dimension *)

let input_bigarray channel (a : (_, Bigarray.int8_unsigned_elt, Bigarray.c_layout) Bigarray.Array1.t)
    start count =
  if start < 0 || count < 0 || start > Bigarray.Array1.dim a - count then
    invalid_arg "input_bigarray"
  else input channel a.data (a.start + start) count

let really_input_bigarray channel
    (a : (_, Bigarray.int8_unsigned_elt, Bigarray.c_layout) Bigarray.Array1.t) start count =
  if start < 0 || count < 0 || start > Bigarray.Array1.dim a - count then
    invalid_arg "really_input_bigarray"
  else really_input channel a.data (a.start + start) count
