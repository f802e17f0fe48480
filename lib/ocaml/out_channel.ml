(* Channels to write to *)

[@@@links_printexc]
[@@@hidden "c_isatty opened_with"]

type t = out_channel

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

let stdout = stdout
let stderr = stderr
let open_bin = open_out_bin
let open_text = open_out
let open_gen = open_out_gen
let close = close_out
let close_noerr = close_out_noerr

(* A failure to write what is left at the end is not told, as in OCaml. *)
let opened_with channel work = Fun.protect ~finally:(fun () -> close_noerr channel) (fun () -> work channel)

let with_open_bin name work = opened_with (open_bin name) work
let with_open_text name work = opened_with (open_text name) work
let with_open_gen flags permissions name work = opened_with (open_gen flags permissions name) work
let seek channel place = seek_out channel (Int64.to_int place)
let pos channel = Int64.of_int (pos_out channel)
let length channel = Int64.of_int (out_channel_length channel)
let flush = flush
let flush_all = flush_all
let output_char = output_char
let output_byte = output_byte
let output_string = output_string
let output_bytes = output_bytes
let output = output
let output_substring = output_substring
let set_binary_mode = set_binary_mode_out
let is_binary_mode (_ : t) = true
let set_buffered = set_out_buffered
let is_buffered = is_out_buffered
let isatty channel = c_isatty (Int32.of_int channel.out_descriptor) <> 0l

(* Bytes of one dimension *)
let output_bigarray channel
    (a : (_, Bigarray.int8_unsigned_elt, Bigarray.c_layout) Bigarray.Array1.t) start count =
  if start < 0 || count < 0 || start > Bigarray.Array1.dim a - count then
    invalid_arg "output_bigarray"
  else output channel a.data (a.start + start) count
