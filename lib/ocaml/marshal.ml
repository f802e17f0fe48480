(* Values as bytes. The head of the bytes says how long they are and what type they were written at; a value is read
   at that type only (see [write_marshalled] in [Stdlib]). *)

[@@@hidden "checked_size"]

type extern_flags =
  | No_sharing
  | Closures
  | Compat_32

let header_size = marshal_header

(* Functions are refused, whatever the flags say. *)
let to_string value flags = marshalled value (if List.mem No_sharing flags then 0 else 1)
let to_bytes value flags = Bytes.unsafe_of_string (to_string value flags)
let to_channel channel value flags = output_string channel (to_string value flags)

let to_buffer bytes start count value flags =
  if start < 0 || count < 0 || start > Bytes.length bytes - count then
    invalid_arg "Marshal.to_buffer: substring out of bounds";
  let text = to_string value flags in
  let length = String.length text in
  if length > count then failwith "Marshal.to_buffer: buffer overflow";
  Bytes.blit_string text 0 bytes start length;
  length

let checked_size name text start =
  if start < 0 || start > String.length text - header_size then invalid_arg name;
  match marshal_size text start with
  | -1 -> failwith (name ^ ": bad object")
  | size -> size

let data_size bytes start =
  checked_size "Marshal.data_size" (Bytes.unsafe_to_string bytes) start

let total_size bytes start = header_size + data_size bytes start

let from_string text start =
  if start < 0 || start > String.length text - header_size then
    invalid_arg "Marshal.from_bytes";
  match marshal_size text start with
  | -1 -> failwith "Marshal.data_size: bad object"
  | size when size > String.length text - header_size - start -> invalid_arg "Marshal.from_bytes"
  | _ -> unmarshalled text start

let from_bytes bytes start =
  if start < 0 || start > Bytes.length bytes - header_size then invalid_arg "Marshal.from_bytes";
  match marshal_size (Bytes.unsafe_to_string bytes) start with
  | -1 -> failwith "Marshal.data_size: bad object"
  | size when size > Bytes.length bytes - header_size - start -> invalid_arg "Marshal.from_bytes"
  | _ -> unmarshalled (Bytes.to_string bytes) start

let from_channel = input_value
