(* Values of any type. A value that is asked for at a type that it does not have raises
   [Invalid_argument], or is refused where that can be seen before the program runs. *)

[@@@hidden "value_tag number"]
[@@@abstract "t"]

type t = Any : 'a -> t [@@known obj]

type raw_data = nativeint

external repr : 'a -> t = "%obj.magic"
external obj : t -> 'a = "%obj.magic"
external magic : 'a -> 'b = "%obj.magic"
external value_tag : t -> int = "%obj.tag"
external number : t -> int = "%obj.number"
external size : t -> int = "%obj.size"
external field : t -> int -> t = "%obj.field"

let int_tag = 1000
let out_of_heap_tag = 1001
let unaligned_tag = 1002
let first_non_constant_constructor_tag = 0
let last_non_constant_constructor_tag = 242
let forcing_tag = 244
let cont_tag = 245
let lazy_tag = 246
let closure_tag = 247
let object_tag = 248
let infix_tag = 249
let forward_tag = 250
let no_scan_tag = 251
let abstract_tag = 251
let string_tag = 252
let double_tag = 253
let double_array_tag = 254
let custom_tag = 255
let is_block value = value_tag value >= 0
let is_int value = value_tag value < 0

let tag value =
  let tag = value_tag value in
  if tag < 0 then int_tag else tag

let double_field value i : float = obj (field value i)

module Extension_constructor = struct
  type t = extension_constructor

  external hash : string -> int = "%hash"

  (* The name is the text of the value up to what it holds. *)
  let of_val value =
    let text = exn_to_string (magic value : exn) in
    match String.index_opt text '(' with
    | Some stop -> named_extension (String.sub text 0 stop)
    | None -> named_extension text

  let name constructor = constructor.extension_name
  let id constructor = hash constructor.extension_name
end
