(* Message digests *)

[@@@links_printexc]
[@@@hidden "hexadecimal hexadecimal_bytes channel_text"]

type t = string

let hexadecimal digest =
  String.init (2 * String.length digest) (fun i ->
      let byte = Char.code (String.unsafe_get digest (i / 2)) in
      let digit = if i land 1 = 0 then byte lsr 4 else byte land 15 in
      Char.unsafe_chr (if digit < 10 then digit + 48 else digit + 87))

(* The bytes of a text of so many; [fault] names the function. *)
let hexadecimal_bytes fault size text =
  if String.length text <> 2 * size then invalid_arg fault;
  let digit i =
    let value = digit_value (String.unsafe_get text i) in
    if value > 15 then invalid_arg fault else value
  in
  String.init size (fun i -> Char.unsafe_chr ((digit (2 * i) lsl 4) lor digit ((2 * i) + 1)))

(* So many bytes of a channel, or all that are left. *)
let channel_text channel length =
  if length >= 0 then really_input_string channel length
  else begin
    let buffer = Buffer.create 65536 in
    (try
       while true do
         Buffer.add_channel buffer channel 65536
       done
     with End_of_file -> ());
    Buffer.contents buffer
  end

module type S = sig
  type t = string

  val hash_length : int
  val compare : t -> t -> int
  val equal : t -> t -> bool
  val string : string -> t
  val bytes : bytes -> t
  val substring : string -> int -> int -> t
  val subbytes : bytes -> int -> int -> t
  val channel : in_channel -> int -> t
  val file : string -> t
  val output : out_channel -> t -> unit
  val input : in_channel -> t
  val to_hex : t -> string
  val of_hex : string -> t
end

module type Algorithm = sig
  val size : int
  val digest : bytes -> int -> int -> string
end

module Maker (A : Algorithm) : S = struct
  type t = string

  let hash_length = A.size
  let compare = String.compare
  let equal = String.equal
  let bytes b = A.digest b 0 (Bytes.length b)
  let string s = bytes (Bytes.unsafe_of_string s)

  let subbytes b start length =
    if start < 0 || length < 0 || start > Bytes.length b - length then
      invalid_arg "Digest.substring"
    else A.digest b start length

  let substring s start length = subbytes (Bytes.unsafe_of_string s) start length
  let channel ic length = string (channel_text ic length)

  let file name =
    let ic = open_in_bin name in
    match channel ic (-1) with
    | digest ->
        close_in ic;
        digest
    | exception error ->
        close_in ic;
        raise error

  let output oc digest = output_string oc digest
  let input ic = really_input_string ic A.size

  let to_hex digest =
    if String.length digest <> A.size then invalid_arg "Digest.to_hex";
    hexadecimal digest

  let of_hex text = hexadecimal_bytes "Digest.of_hex" A.size text
end

module MD5 = Maker (struct
  let size = 16
  let digest = Oxbow_md5.digest
end)

module BLAKE128 = Maker (struct
  let size = 16
  let digest bytes start length = Oxbow_blake.digest 16 bytes start length
end)

module BLAKE256 = Maker (struct
  let size = 32
  let digest bytes start length = Oxbow_blake.digest 32 bytes start length
end)

module BLAKE512 = Maker (struct
  let size = 64
  let digest bytes start length = Oxbow_blake.digest 64 bytes start length
end)

let compare = MD5.compare
let equal = MD5.equal
let string = MD5.string
let bytes = MD5.bytes
let substring = MD5.substring
let subbytes = MD5.subbytes
let channel = MD5.channel
let file = MD5.file
let output = MD5.output
let input = MD5.input
let to_hex = MD5.to_hex
let from_hex text = hexadecimal_bytes "Digest.from_hex" 16 text
let of_hex = from_hex
