(* MD5 digests *)

type t = string

let compare = String.compare
let equal = String.equal
let bytes b = Oxbow_md5.digest b 0 (Bytes.length b)
let string s = bytes (Bytes.unsafe_of_string s)

let subbytes b start length =
  if start < 0 || length < 0 || start > Bytes.length b - length then
    invalid_arg "Digest.substring"
  else Oxbow_md5.digest b start length

let substring s start length = subbytes (Bytes.unsafe_of_string s) start length

let channel ic length =
  if length >= 0 then string (really_input_string ic length)
  else begin
    let buffer = Buffer.create 65536 in
    (try
       while true do
         Buffer.add_channel buffer ic 65536
       done
     with End_of_file -> ());
    string (Buffer.contents buffer)
  end

let file name =
  let ic = open_in_bin name in
  match channel ic (in_channel_length ic) with
  | digest ->
      close_in ic;
      digest
  | exception error ->
      close_in ic;
      raise error

let output oc digest = output_string oc digest
let input ic = really_input_string ic 16

let to_hex digest =
  if String.length digest <> 16 then invalid_arg "Digest.to_hex";
  String.init 32 (fun i ->
      let byte = Char.code (String.unsafe_get digest (i / 2)) in
      let digit = if i land 1 = 0 then byte lsr 4 else byte land 15 in
      Char.unsafe_chr (if digit < 10 then digit + 48 else digit + 87))

let from_hex text =
  if String.length text <> 32 then invalid_arg "Digest.from_hex";
  let digit i =
    let value = digit_value (String.unsafe_get text i) in
    if value > 15 then invalid_arg "Digest.from_hex" else value
  in
  String.init 16 (fun i -> Char.unsafe_chr ((digit (2 * i) lsl 4) lor digit ((2 * i) + 1)))
