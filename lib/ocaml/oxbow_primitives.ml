(* What OCaml's primitives mean that are no functions of the standard library, for files that declare
   them by `external` themselves (`crates/elab/src/externals.txt` names them). Where OCaml's primitive
   checks nothing, neither do these. *)

let[@inline] identity x = x
external magic : 'a -> 'b = "%obj.magic"
external char_code : char -> int = "%char.code"
external unsafe_chr : int -> char = "%char.unsafe_chr"
let[@inline] bool_to_int b = if b then 1 else 0

let[@inline] int_less (a : int) b = a < b
let[@inline] int_less_equal (a : int) b = a <= b
let[@inline] int_greater (a : int) b = a > b
let[@inline] int_greater_equal (a : int) b = a >= b
let[@inline] float_equal (a : float) b = a = b
let[@inline] float_not_equal (a : float) b = a <> b
let[@inline] float_less (a : float) b = a < b
let[@inline] float_less_equal (a : float) b = a <= b
let[@inline] float_greater (a : float) b = a > b
let[@inline] float_greater_equal (a : float) b = a >= b
let[@inline] string_not_equal (a : string) b = a <> b
let[@inline] string_less (a : string) b = a < b
let[@inline] string_less_equal (a : string) b = a <= b
let[@inline] string_greater (a : string) b = a > b
let[@inline] string_greater_equal (a : string) b = a >= b
let[@inline] bytes_not_equal (a : bytes) b = a <> b

(* Both operands are evaluated, unlike those of `&&`. *)
let[@inline] bool_and a b = if a then b else false
let[@inline] bool_or a b = if a then true else b
let[@inline] bool_xor (a : bool) b = a <> b

(* The bytes of a number in the other order; of the first only the lower two count. *)
let swap16 = Bytes.swap16
let swap32 = Bytes.swap32
let swap64 = Bytes.swap64
let swap_native n = Int64.to_nativeint (Bytes.swap64 (Int64.of_nativeint n))

(* Single bytes as numbers. *)
let[@inline] unsafe_get_byte b i = char_code (Bytes.unsafe_get b i)
let[@inline] unsafe_set_byte b i n = Bytes.unsafe_set b i (unsafe_chr n)
let[@inline] unsafe_get_string_byte s i = char_code (String.unsafe_get s i)

(* Numbers of several bytes in strings, which are bytes that nobody changes. *)
let[@inline] unsafe_string_get16 s i = Bytes.unsafe_get16 (Bytes.unsafe_of_string s) i
let[@inline] unsafe_string_get32 s i = Bytes.unsafe_get32 (Bytes.unsafe_of_string s) i
let[@inline] unsafe_string_get64 s i = Bytes.unsafe_get64 (Bytes.unsafe_of_string s) i

(* What is known of the machine. *)
let big_endian () = Sys.big_endian
let word_size () = Sys.word_size
let int_size () = Sys.int_size
let max_wosize () = Sys.max_array_length
let is_unix () = Sys.unix
let is_windows () = Sys.win32
let is_cygwin () = Sys.cygwin
let argv () = Sys.argv
let executable_name () = Sys.executable_name

let channel_size_64 c = Int64.of_int (out_channel_length c)
let in_channel_size_64 c = Int64.of_int (in_channel_length c)
let pos_out_64 c = Int64.of_int (pos_out c)
let pos_in_64 c = Int64.of_int (pos_in c)
let seek_out_64 c n = seek_out c (Int64.to_int n)
let seek_in_64 c n = seek_in c (Int64.to_int n)
