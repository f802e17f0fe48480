(* The module that every program sees opened. It uses nothing but primitives. *)

[@@@hidden "int_unsafe_div int_unsafe_mod int_ult float_bits float_of_bits float_trunc"]
[@@@hidden "float_frexp_mantissa float_frexp_exponent unsafe_char_of_int string_length"]
[@@@hidden "string_unsafe_get bytes_length bytes_unsafe_create bytes_unsafe_get"]
[@@@hidden "bytes_unsafe_set bytes_unsafe_blit bytes_unsafe_blit_string"]
[@@@hidden "bytes_unsafe_to_string bytes_unsafe_of_string max_array_length max_string_length"]
[@@@hidden "memory_fits small_array small_string check_memory check_array check_bytes"]
[@@@hidden "no_value lazy_is_known lazy_compute lazy_force last_exception new_exception format_float"]
[@@@hidden "last_object new_object_id"]
[@@@hidden "extension_constructors extension_among named_extension"]
[@@@hidden "parse_float_ok parse_float decimal_length put_decimal digit_value number_start"]
[@@@hidden "number_is_negative number_prefix number_base parse_int without_underscores"]
[@@@hidden "sys_error_message io_open io_close io_write io_read io_seek channel_buffer_size"]
[@@@hidden "unknown_offset broken_pipe io_failure io_check closed_failure make_out_channel"]
[@@@hidden "make_in_channel out_channels open_descriptor descriptor_offset out_start"]
[@@@hidden "write_through resize_out_buffer unsafe_output_string unsafe_output output_int write_some flush_buffer"]
[@@@hidden "put_text output_long flush_part would_block last_number new_number"]
[@@@hidden "descriptor_size forget_out_channel close_out_descriptor refill unsafe_input"]
[@@@hidden "in_end sys_exit exn_to_string exit_function exn_printers uncaught_handler"]
[@@@hidden "traced_note traced_print primitive_failure primitive_fault"]
[@@@hidden "printed_by uncaught_by oxbow_uncaught oxbow_uncaught_quoted oxbow_finish oxbow_finish_quoted"]
[@@@hidden "fatal_text report_by report_uncaught report_quoted append_actions joined_shape"]
[@@@hidden "unbuffered is_among is_out_buffered output_first_char"]
[@@@hidden "shape_of write_value read_value value_of array_length put_long get_long marshal_magic"]
[@@@hidden "marshal_header marshal_shape marshalled marshal_size unmarshalled"]
[@@@hidden "signal_pending signal_take signal_done signal_handler signal_handlers run_signals interrupted"]
[@@@hidden "read_despite_signals write_despite_signals"]
[@@@hidden "without_channel set_out_buffered int64_of_int int_of_int64"]
[@@@hidden "domain_any atomic_lock atomic_unlock lazy_force_shared channels_lock channels_unlock"]
[@@@abstract "lazy_t in_channel out_channel extension_constructor"]

(* Exceptions. Those that OCaml predefines show without a module path. *)

exception Match_failure of (string * int * int)
exception Assert_failure of (string * int * int)
exception Invalid_argument of string
exception Failure of string
exception Not_found
exception Out_of_memory
exception Stack_overflow
exception Sys_error of string
exception End_of_file
exception Division_by_zero
exception Sys_blocked_io
exception Undefined_recursive_module of (string * int * int)
exception Exit [@shown_as "Stdlib.Exit"]

external raise : exn -> 'a = "%raise"
external raise_notrace : exn -> 'a = "%raise_notrace"


(* Where an exception is raised: OCaml's own places, which backtraces show. *)
external traced_note : int -> string -> exn -> unit = "%backtrace.note"
external traced_print : exn -> unit = "%backtrace.print"

(* What OCaml's primitives raise: in backtraces it comes from the call. *)
let primitive_failure message = raise (Failure message)
let primitive_fault message = raise (Invalid_argument message)

let failwith message =
  let error = Failure message in
  traced_note 1 "Stdlib.failwith\000stdlib.ml\00029\00017\00033\00029\00033" error;
  raise error

let invalid_arg message =
  let error = Invalid_argument message in
  traced_note 1 "Stdlib.invalid_arg\000stdlib.ml\00030\00020\00045\00030\00045" error;
  raise error

(* Composition *)

let[@inline] ( |> ) x f = f x
let[@inline] ( @@ ) f x = f x

(* Comparison *)

external ( = ) : 'a -> 'a -> bool = "%eq"
external ( <> ) : 'a -> 'a -> bool = "%ne"
external ( < ) : 'a -> 'a -> bool = "%lt"
external ( > ) : 'a -> 'a -> bool = "%gt"
external ( <= ) : 'a -> 'a -> bool = "%le"
external ( >= ) : 'a -> 'a -> bool = "%ge"
external compare : 'a -> 'a -> int = "%compare"
external ( == ) : 'a -> 'a -> bool = "%physeq"
external ( != ) : 'a -> 'a -> bool = "%physne"

let min a b = if a <= b then a else b
let max a b = if a >= b then a else b

(* Booleans *)

external not : bool -> bool = "%bool.not"
external ( && ) : bool -> bool -> bool = "%sequand"
external ( || ) : bool -> bool -> bool = "%sequor"

(* Their names of old. *)
external ( & ) : bool -> bool -> bool = "%sequand"
external ( or ) : bool -> bool -> bool = "%sequor"

(* Integers *)

external ( ~- ) : int -> int = "%int.neg"
external ( + ) : int -> int -> int = "%int.add"
external ( - ) : int -> int -> int = "%int.sub"
external ( * ) : int -> int -> int = "%int.mul"
external ( land ) : int -> int -> int = "%int.and"
external ( lor ) : int -> int -> int = "%int.or"
external ( lxor ) : int -> int -> int = "%int.xor"
external ( lsl ) : int -> int -> int = "%int.shl"
external ( lsr ) : int -> int -> int = "%int.lsr"
external ( asr ) : int -> int -> int = "%int.asr"
external int_unsafe_div : int -> int -> int = "%int.unsafe_div"
external int_unsafe_mod : int -> int -> int = "%int.unsafe_mod"
external int_ult : int -> int -> bool = "%int.ult"

let[@inline] ( ~+ ) (n : int) = n
let[@inline] succ n = n + 1
let[@inline] pred n = n - 1
let[@inline] ( / ) a b =
  if b = 0 then (
    traced_note 4 "" Division_by_zero;
    raise Division_by_zero)
  else int_unsafe_div a b
let[@inline] ( mod ) a b =
  if b = 0 then (
    traced_note 4 "" Division_by_zero;
    raise Division_by_zero)
  else int_unsafe_mod a b
let[@inline] abs n = if n >= 0 then n else -n
let[@inline] lnot n = n lxor (-1)

let max_int = 4611686018427387903
let min_int = -4611686018427387904

(* Floats *)

external ( ~-. ) : float -> float = "%float.neg"
external ( +. ) : float -> float -> float = "%float.add"
external ( -. ) : float -> float -> float = "%float.sub"
external ( *. ) : float -> float -> float = "%float.mul"
external ( /. ) : float -> float -> float = "%float.div"
external ( ** ) : float -> float -> float = "%float.pow"
external exp : float -> float = "%float.exp"
external expm1 : float -> float = "%float.expm1"
external acos : float -> float = "%float.acos"
external asin : float -> float = "%float.asin"
external atan : float -> float = "%float.atan"
external atan2 : float -> float -> float = "%float.atan2"
external hypot : float -> float -> float = "%float.hypot"
external cos : float -> float = "%float.cos"
external cosh : float -> float = "%float.cosh"
external acosh : float -> float = "%float.acosh"
external log : float -> float = "%float.log"
external log10 : float -> float = "%float.log10"
external log1p : float -> float = "%float.log1p"
external sin : float -> float = "%float.sin"
external sinh : float -> float = "%float.sinh"
external asinh : float -> float = "%float.asinh"
external sqrt : float -> float = "%float.sqrt"
external tan : float -> float = "%float.tan"
external tanh : float -> float = "%float.tanh"
external atanh : float -> float = "%float.atanh"
external ceil : float -> float = "%float.ceil"
external floor : float -> float = "%float.floor"
external abs_float : float -> float = "%float.abs"
external copysign : float -> float -> float = "%float.copysign"
external mod_float : float -> float -> float = "%float.rem"
external ldexp : float -> int -> float = "%float.ldexp"
external float : int -> float = "%int.to_float"
external float_of_int : int -> float = "%int.to_float"
external truncate : float -> int = "%float.to_int"
external int_of_float : float -> int = "%float.to_int"
external int64_of_int : int -> int64 = "%int.to_int64"
external int_of_int64 : int64 -> int = "%int64.to_int"
external float_bits : float -> int64 = "%float.bits"
external float_of_bits : int64 -> float = "%float.of_bits"
external float_trunc : float -> float = "%float.trunc"
external float_frexp_mantissa : float -> float = "%float.frexp_mantissa"
external float_frexp_exponent : float -> int = "%float.frexp_exponent"

let[@inline] ( ~+. ) (x : float) = x

let infinity = float_of_bits 0x7FF0_0000_0000_0000L
let neg_infinity = float_of_bits (-0x10_0000_0000_0000L)
let nan = float_of_bits 0x7FF8_0000_0000_0001L
let max_float = float_of_bits 0x7FEF_FFFF_FFFF_FFFFL
let min_float = float_of_bits 0x0010_0000_0000_0000L
let epsilon_float = float_of_bits 0x3CB0_0000_0000_0000L

type fpclass =
  | FP_normal
  | FP_subnormal
  | FP_zero
  | FP_infinite
  | FP_nan

let classify_float x =
  let size = abs_float x in
  if size <= max_float then
    if size >= min_float then FP_normal
    else if size = 0.0 then FP_zero
    else FP_subnormal
  else if size = infinity then FP_infinite
  else FP_nan

let frexp x = (float_frexp_mantissa x, float_frexp_exponent x)

let modf x =
  let whole = float_trunc x in
  let rest = if abs_float x = infinity then 0.0 else x -. whole in
  (copysign rest x, whole)

(* Characters, strings, bytes *)

external int_of_char : char -> int = "%char.code"
external unsafe_char_of_int : int -> char = "%char.unsafe_chr"
external string_length : string -> int = "%string.length"
external string_unsafe_get : string -> int -> char = "%string.unsafe_get"
external ( ^ ) : string -> string -> string = "%string.concat"
external bytes_length : bytes -> int = "%bytes.length"
external bytes_unsafe_create : int -> bytes = "%bytes.create"
external bytes_unsafe_get : bytes -> int -> char = "%bytes.unsafe_get"
external bytes_unsafe_set : bytes -> int -> char -> unit = "%bytes.unsafe_set"
external bytes_unsafe_blit : bytes -> int -> bytes -> int -> int -> unit = "%bytes.unsafe_blit"
external bytes_unsafe_blit_string : string -> int -> bytes -> int -> int -> unit
  = "%bytes.unsafe_blit_string"
external bytes_unsafe_to_string : bytes -> string = "%bytes.unsafe_to_string"
external bytes_unsafe_of_string : string -> bytes = "%bytes.unsafe_of_string"

(* Limits of OCaml on 64-bit machines. *)
let max_array_length = 18014398509481983
let max_string_length = 144115188075855863

(* What a program asks for in one piece may be more than there is: it can take the exception. Smaller
   requests than these many words or bytes are not looked at. *)
external memory_fits : int -> bool = "%sys.memory_fits"

let small_array = 4096
let small_string = 32768

let[@inline never] check_memory bytes = if not (memory_fits bytes) then raise Out_of_memory

let[@inline never] check_array n name =
  if int_ult n (max_array_length + 1) then check_memory (n * 8) else invalid_arg name

let[@inline never] check_bytes n =
  if int_ult n (max_string_length + 1) then check_memory n else invalid_arg "Bytes.create"

let char_of_int n = if int_ult n 256 then unsafe_char_of_int n else invalid_arg "char_of_int"

(* Any value *)

let[@inline] ignore _ = ()
let[@inline] fst (a, _) = a
let[@inline] snd (_, b) = b

(* References *)

type 'a ref = { mutable contents : 'a } [@@known cell]

let[@inline] ref x = { contents = x } [@@known ref]
let[@inline] ( ! ) r = r.contents
let[@inline] ( := ) r x = r.contents <- x
let[@inline] incr r = r.contents <- r.contents + 1
let[@inline] decr r = r.contents <- r.contents - 1

type ('a, 'b) result =
  | Ok of 'a
  | Error of 'b

(* Suspensions. The compiler makes them for [lazy e]. *)

module CamlinternalLazy = struct
  exception Undefined [@shown_as "CamlinternalLazy.Undefined"]
end

external no_value : unit -> 'a = "%uninit"

(* The state is 0 for a suspension, 1 while it is being forced, 2 when it is evaluated and 3 if there
   was nothing to evaluate; what that means to [=] and [==] is told at [psg::suspension]. The value has no meaning
   before it is known, so that forcing writes it in place. *)
type 'a lazy_t = {
  mutable lazy_state : int;
  mutable lazy_value : 'a;
  mutable lazy_compute : unit -> 'a;
}
[@@compared suspension]

(* Does the program start domains or threads? Locks of objects, which are held for a moment. *)
external domain_any : unit -> bool = "%domain.any"
external atomic_lock : 'a -> unit = "%atomic.lock"
external atomic_unlock : 'a -> unit = "%atomic.unlock"

let lazy_compute suspension =
  if suspension.lazy_state > 0 then raise CamlinternalLazy.Undefined;
  let compute = suspension.lazy_compute in
  (* What it captures is not needed any more, and the state says that there is nothing to call. *)
  suspension.lazy_compute <- no_value ();
  suspension.lazy_state <- 1;
  match compute () with
  | value ->
      suspension.lazy_value <- value;
      suspension.lazy_state <- 2;
      value
  | exception error ->
      suspension.lazy_compute <- (fun () -> raise error);
      suspension.lazy_state <- 0;
      raise error

let lazy_is_known suspension = suspension.lazy_state > 1

(* The same where another domain may force it at the same time: one that comes while it is being forced finds it undefined. *)
let lazy_force_shared suspension =
  atomic_lock suspension;
  if lazy_is_known suspension then begin
    let value = suspension.lazy_value in
    atomic_unlock suspension;
    value
  end
  else if suspension.lazy_state > 0 then begin
    atomic_unlock suspension;
    raise CamlinternalLazy.Undefined
  end
  else begin
    let compute = suspension.lazy_compute in
    suspension.lazy_compute <- no_value ();
    suspension.lazy_state <- 1;
    atomic_unlock suspension;
    match compute () with
    | value ->
        atomic_lock suspension;
        suspension.lazy_value <- value;
        suspension.lazy_state <- 2;
        atomic_unlock suspension;
        value
    | exception error ->
        atomic_lock suspension;
        suspension.lazy_compute <- (fun () -> raise error);
        suspension.lazy_state <- 0;
        atomic_unlock suspension;
        raise error
  end

let lazy_force suspension =
  if domain_any () then lazy_force_shared suspension
  else if lazy_is_known suspension then suspension.lazy_value
  else lazy_compute suspension

(* Exceptions that are declared in expressions have a number, another one each time. *)

let last_exception = ref 0

let new_exception () =
  incr last_exception;
  !last_exception

(* Objects have numbers, too. *)

(* Constructors of extensible types are told by their names; those of one name are one object. *)
type extension_constructor = { extension_name : string }

let extension_constructors : extension_constructor list ref = ref []

let rec extension_among name known =
  match known with
  | [] ->
    let made = { extension_name = name } in
    extension_constructors := made :: !extension_constructors;
    made
  | first :: rest -> if first.extension_name = name then first else extension_among name rest

let named_extension name = extension_among name !extension_constructors

let last_object = ref 0

let new_object_id () =
  incr last_object;
  !last_object

(* Numbers and texts *)

external format_float : string -> float -> string = "%format.float"
external parse_float_ok : string -> bool = "%parse.float_ok"
external parse_float : string -> float = "%parse.float"

let string_of_bool b = if b then "true" else "false"

let bool_of_string_opt = function
  | "true" -> Some true
  | "false" -> Some false
  | _ -> None

let bool_of_string = function
  | "true" -> true
  | "false" -> false
  | _ -> invalid_arg "bool_of_string"

(* How many decimal digits [n] has; [n] is not positive, as the least int has no
   opposite. *)
let decimal_length n =
  let rec count n length = if n > -10 then length else count (int_unsafe_div n 10) (length + 1) in
  count n 1

(* Writes the digits of [n], which is not positive, so that the last one is at [last]. *)
let put_decimal buffer last n =
  let rec put at n =
    let rest = int_unsafe_div n 10 in
    bytes_unsafe_set buffer at (unsafe_char_of_int (48 + ((rest * 10) - n)));
    if rest <> 0 then put (at - 1) rest
  in
  put last n

let string_of_int n =
  if n >= 0 then begin
    let length = decimal_length (-n) in
    let buffer = bytes_unsafe_create length in
    put_decimal buffer (length - 1) (-n);
    bytes_unsafe_to_string buffer
  end
  else begin
    let length = decimal_length n + 1 in
    let buffer = bytes_unsafe_create length in
    bytes_unsafe_set buffer 0 '-';
    put_decimal buffer (length - 1) n;
    bytes_unsafe_to_string buffer
  end

(* The value of a digit in any base up to 16; 16 for other characters. *)
let digit_value c =
  match c with
  | '0' .. '9' -> int_of_char c - 48
  | 'a' .. 'f' -> int_of_char c - 87
  | 'A' .. 'F' -> int_of_char c - 55
  | _ -> 16

(* Where the number starts after its sign. *)
let number_start text =
  if string_length text = 0 then 0
  else match string_unsafe_get text 0 with '-' | '+' -> 1 | _ -> 0

let number_is_negative text = string_length text > 0 && string_unsafe_get text 0 = '-'

(* The letter of a base prefix at [at]: one of x, o, b, u, or a space if there is none. *)
let number_prefix text at =
  if at + 1 < string_length text && string_unsafe_get text at = '0' then
    match string_unsafe_get text (at + 1) with
    | 'x' | 'X' -> 'x'
    | 'o' | 'O' -> 'o'
    | 'b' | 'B' -> 'b'
    | 'u' | 'U' -> 'u'
    | _ -> ' '
  else ' '

let number_base prefix =
  match prefix with
  | 'x' -> 16
  | 'o' -> 8
  | 'b' -> 2
  | _ -> 10

exception Bad_number

let parse_int text =
  let length = string_length text in
  let start = number_start text in
  let prefix = number_prefix text start in
  let base = number_base prefix in
  let first = if prefix = ' ' then start else start + 2 in
  if first >= length || digit_value (string_unsafe_get text first) >= base then raise Bad_number;
  (* The greatest unsigned 63-bit number divided by the base. *)
  let limit =
    match base with
    | 16 -> 0x7FF_FFFF_FFFF_FFFF
    | 8 -> 0xFFF_FFFF_FFFF_FFFF
    | 2 -> max_int
    | _ -> 922337203685477580
  in
  let rec loop at value =
    if at >= length then value
    else
      let c = string_unsafe_get text at in
      if c = '_' then loop (at + 1) value
      else
        let digit = digit_value c in
        if digit >= base || int_ult limit value then raise Bad_number
        else
          let next = (value * base) + digit in
          if int_ult next digit then raise Bad_number else loop (at + 1) next
  in
  let size = loop first 0 in
  let negative = number_is_negative text in
  if prefix = ' ' && size < 0 && not (negative && size = min_int) then raise Bad_number;
  if negative then -size else size

let int_of_string text = try parse_int text with Bad_number -> primitive_failure "int_of_string"
let int_of_string_opt text = try Some (parse_int text) with Bad_number -> None

(* A text that is only digits gets a point, so that it reads back as a float. *)
let valid_float_lexem text =
  let length = string_length text in
  let rec loop at =
    if at >= length then text ^ "."
    else match string_unsafe_get text at with '0' .. '9' | '-' -> loop (at + 1) | _ -> text
  in
  loop 0

let string_of_float x = valid_float_lexem (format_float "%.12g" x)

let without_underscores text =
  let length = string_length text in
  let rec count at total =
    if at >= length then total
    else count (at + 1) (if string_unsafe_get text at = '_' then total + 1 else total)
  in
  let underscores = count 0 0 in
  if underscores = 0 then text
  else begin
    let buffer = bytes_unsafe_create (length - underscores) in
    let rec copy from into =
      if from < length then
        let c = string_unsafe_get text from in
        if c = '_' then copy (from + 1) into
        else begin
          bytes_unsafe_set buffer into c;
          copy (from + 1) (into + 1)
        end
    in
    copy 0 0;
    bytes_unsafe_to_string buffer
  end

let float_of_string text =
  let text = without_underscores text in
  if parse_float_ok text then parse_float text else primitive_failure "float_of_string"

let float_of_string_opt text =
  let text = without_underscores text in
  if parse_float_ok text then Some (parse_float text) else None

(* Lists *)

let ( @ ) left right =
  let rec loop = function [] -> right | x :: rest -> x :: loop rest in
  loop left

(* Channels *)

external sys_error_message : int -> string = "%sys.error_message"
external io_open : string -> int -> int -> int = "%io.open"
external io_close : int -> int = "%io.close"
external io_write : int -> bytes -> int -> int -> int = "%io.write"
external io_read : int -> bytes -> int -> int -> int = "%io.read"
external io_seek : int -> int -> int -> int = "%io.seek"

(* Signals that functions of the program handle: those functions, by the system's numbers. [Sys] sets
   them; the compiler puts calls of [run_signals] where a program has them. *)
external signal_pending : unit -> bool = "%signal.pending"
external signal_take : unit -> int = "%signal.take"
external signal_done : int -> unit = "%signal.done"
external signal_handler : (unit -> unit) array -> int -> unit -> unit = "%array.unsafe_get"

let signal_handlers : (unit -> unit) array ref = ref [||]

(* In programs with domains, one thread at a time uses channels: for output, or for input. It may lock several times, and
   a failure unlocks all. Elsewhere the compiler leaves these out. *)
external channels_lock : int -> unit = "%channels.lock"
external channels_unlock : int -> unit = "%channels.unlock"

let rec run_signals () =
  let number = signal_take () in
  if number > 0 then begin
    (match signal_handler !signal_handlers number () with
    | () -> signal_done number
    | exception error ->
        signal_done number;
        (* It leaves what waited for the system. *)
        channels_unlock 2;
        raise error);
    run_signals ()
  end
[@@known signals_run]

let interrupted = -4

let rec read_despite_signals descriptor bytes start length =
  let count = io_read descriptor bytes start length in
  if count = interrupted then begin
    run_signals ();
    read_despite_signals descriptor bytes start length
  end
  else count
[@@known signals_read]

(* Nothing was written where a function of the program ran: it may have used the channel, so its user looks again. *)
let write_despite_signals descriptor bytes start length =
  let count = if signal_pending () then interrupted else io_write descriptor bytes start length in
  if count = interrupted then begin
    run_signals ();
    0
  end
  else count
[@@known signals_write]

(* The buffer is made at the first use, and is empty again when the channel is closed:
   then every access takes the slow way, which sees that the descriptor is -1. That of a channel that writes at once
   is as long as what a failure has left in it. Channels are themselves for comparisons, as OCaml's custom blocks. *)
type out_channel = {
  out_number : int;
  mutable out_descriptor : int;
  mutable out_buffer : bytes;
  mutable out_position : int;
  (* The place in the file of the buffer's start; [unknown_offset] if never asked. *)
  mutable out_offset : int;
}
[@@compared identity]

type in_channel = {
  in_number : int;
  mutable in_descriptor : int;
  mutable in_buffer : bytes;
  mutable in_position : int;
  mutable in_limit : int;
  (* The place in the file of the buffer's limit. *)
  mutable in_offset : int;
}
[@@compared identity]

let channel_buffer_size = 65536
let unknown_offset = -2

let broken_pipe = 32
let would_block = 11

let io_failure error =
  channels_unlock 2;
  if error = would_block then raise Sys_blocked_io;
  raise (Sys_error (sys_error_message error))

let io_check result = if result < 0 then io_failure (-result)

let closed_failure () =
  channels_unlock 2;
  raise (Sys_error "Bad file descriptor")

(* The number of the last value that is compared by its number. *)
let last_number = { contents = 0 }

let new_number () =
  atomic_lock last_number;
  let number = last_number.contents + 1 in
  last_number.contents <- number;
  atomic_unlock last_number;
  number

let make_out_channel descriptor offset =
  {
    out_number = new_number ();
    out_descriptor = descriptor;
    out_buffer = bytes_unsafe_create 0;
    out_position = 0;
    out_offset = offset;
  }

let make_in_channel descriptor offset =
  {
    in_number = new_number ();
    in_descriptor = descriptor;
    in_buffer = bytes_unsafe_create 0;
    in_position = 0;
    in_limit = 0;
    in_offset = offset;
  }

let stdin = make_in_channel 0 unknown_offset
let stdout = make_out_channel 1 unknown_offset
let stderr = make_out_channel 2 unknown_offset

(* Open output channels besides the standard ones, newest first. *)
let out_channels : out_channel list ref = ref []

type open_flag =
  | Open_rdonly
  | Open_wronly
  | Open_append
  | Open_creat
  | Open_trunc
  | Open_excl
  | Open_binary
  | Open_text
  | Open_nonblock

let open_descriptor name flags permissions =
  let bit = function
    | Open_wronly -> 1
    (* Who appends writes. *)
    | Open_append -> 3
    | Open_creat -> 4
    | Open_trunc -> 8
    | Open_excl -> 16
    | Open_nonblock -> 32
    | Open_rdonly | Open_binary | Open_text -> 0
  in
  let rec bits = function [] -> 0 | flag :: rest -> bit flag lor bits rest in
  let descriptor = io_open name (bits flags) permissions in
  if descriptor < 0 then raise (Sys_error (name ^ ": " ^ sys_error_message (-descriptor)))
  else descriptor

let descriptor_offset descriptor =
  let offset = io_seek descriptor 0 1 in
  if offset < 0 then -1 else offset

let open_out_gen flags permissions name =
  let descriptor = open_descriptor name flags permissions in
  let channel = make_out_channel descriptor (descriptor_offset descriptor) in
  channels_lock 0;
  out_channels := channel :: !out_channels;
  channels_unlock 0;
  channel

let open_out name = open_out_gen [ Open_wronly; Open_creat; Open_trunc; Open_text ] 0o666 name
let open_out_bin name = open_out_gen [ Open_wronly; Open_creat; Open_trunc; Open_binary ] 0o666 name

let out_start channel =
  if channel.out_offset = unknown_offset then
    channel.out_offset <- descriptor_offset channel.out_descriptor;
  channel.out_offset

(* How many bytes the system took, which may be fewer. *)
let write_some channel bytes start length =
  let written = io_write channel.out_descriptor bytes start length in
  if written > 0 && channel.out_offset <> unknown_offset then
    channel.out_offset <- channel.out_offset + written;
  written

(* Those that write at once. *)
let unbuffered : out_channel list ref = ref []

let rec is_among channel = function
  | [] -> false
  | other :: rest -> other == channel || is_among channel rest

let is_out_buffered channel = not (is_among channel !unbuffered)

(* A buffer of this size with what is in the buffer. *)
let resize_out_buffer channel size =
  let buffer = bytes_unsafe_create size in
  bytes_unsafe_blit channel.out_buffer 0 buffer 0 channel.out_position;
  channel.out_buffer <- buffer

(* Writes what is in the buffer, once: what the system did not take moves to its beginning, or stays after a failure. *)
let flush_part channel =
  let filled = channel.out_position in
  let written = write_some channel channel.out_buffer 0 filled in
  if written > 0 then begin
    let left = filled - written in
    if left > 0 then bytes_unsafe_blit channel.out_buffer written channel.out_buffer 0 left;
    channel.out_position <- left
  end
  (* Nobody will ever read what is left. *)
  else if written = -broken_pipe then channel.out_position <- 0;
  if not (is_out_buffered channel) then resize_out_buffer channel channel.out_position;
  io_check written

let rec flush_buffer channel =
  if channel.out_position > 0 && channel.out_descriptor >= 0 then begin
    flush_part channel;
    flush_buffer channel
  end

let flush channel =
  channels_lock 0;
  flush_buffer channel;
  channels_unlock 0

let put_text channel text start length =
  bytes_unsafe_blit_string text start channel.out_buffer channel.out_position length;
  channel.out_position <- channel.out_position + length

(* A text for which the buffer has no room, or that is the first. It fills up the buffer before that is written; what
   fills whole buffers after that is written from where it is, and a failure leaves a full buffer. A function that
   handles a signal may close the channel meanwhile, or use it. *)
let[@inline never] rec output_long channel text start length =
  if channel.out_descriptor < 0 then closed_failure ();
  let is_buffered = is_out_buffered channel in
  if is_buffered && bytes_length channel.out_buffer < channel_buffer_size then
    resize_out_buffer channel channel_buffer_size;
  if channel.out_position = 0 && ((not is_buffered) || length >= channel_buffer_size) then
    write_through channel text start
      (if is_buffered then length / channel_buffer_size * channel_buffer_size else length)
      length
  else begin
    if not is_buffered then begin
      let wanted = channel.out_position + length in
      resize_out_buffer channel (if wanted < channel_buffer_size then wanted else channel_buffer_size)
    end;
    let room = bytes_length channel.out_buffer - channel.out_position in
    if is_buffered && length < room then put_text channel text start length
    else begin
      let some = if length < room then length else room in
      put_text channel text start some;
      if is_buffered then flush_part channel else flush_buffer channel;
      if some < length then output_long channel text (start + some) (length - some)
    end
  end

(* Writes so much of a text, past the empty buffer, and the rest as others do. *)
and write_through channel text start whole length =
  if whole > 0 then begin
    let written = write_some channel (bytes_unsafe_of_string text) start whole in
    if written < 0 && written <> -broken_pipe then begin
      let left = if length < channel_buffer_size then length else channel_buffer_size in
      if bytes_length channel.out_buffer - channel.out_position < left then
        resize_out_buffer channel (channel.out_position + left);
      put_text channel text start left
    end;
    io_check written;
    write_through channel text (start + written) (whole - written) (length - written)
  end
  else if length > 0 then output_long channel text start length

let[@inline never] [@rare] output_first_char channel c =
  if channel.out_position > 0 && channel.out_descriptor >= 0 && is_out_buffered channel then
    flush_part channel;
  if channel.out_position < bytes_length channel.out_buffer then begin
    bytes_unsafe_set channel.out_buffer channel.out_position c;
    channel.out_position <- channel.out_position + 1
  end
  else begin
    let one = bytes_unsafe_create 1 in
    bytes_unsafe_set one 0 c;
    output_long channel (bytes_unsafe_to_string one) 0 1
  end

let output_char channel c =
  channels_lock 0;
  if channel.out_position >= bytes_length channel.out_buffer then output_first_char channel c
  else begin
    bytes_unsafe_set channel.out_buffer channel.out_position c;
    channel.out_position <- channel.out_position + 1
  end;
  channels_unlock 0

let output_byte channel n = output_char channel (unsafe_char_of_int n)

let unsafe_output_string channel text start length =
  channels_lock 0;
  if length < bytes_length channel.out_buffer - channel.out_position then
    put_text channel text start length
  else if length > 0 then output_long channel text start length;
  channels_unlock 0

let unsafe_output channel bytes start length =
  unsafe_output_string channel (bytes_unsafe_to_string bytes) start length

let output_string channel text = unsafe_output_string channel text 0 (string_length text)
let output_bytes channel bytes = unsafe_output channel bytes 0 (bytes_length bytes)

let output channel bytes start length =
  if start < 0 || length < 0 || start > bytes_length bytes - length then invalid_arg "output"
  else unsafe_output channel bytes start length

let output_substring channel text start length =
  if start < 0 || length < 0 || start > string_length text - length then
    invalid_arg "output_substring"
  else unsafe_output_string channel text start length

(* The decimal form of [n], without a string in between. *)
let output_int channel n =
  channels_lock 0;
  let size = if n >= 0 then -n else n in
  let digits = decimal_length size in
  if digits + 1 > bytes_length channel.out_buffer - channel.out_position then
    output_string channel (string_of_int n)
  else begin
    let start = channel.out_position in
    let start =
      if n >= 0 then start
      else begin
        bytes_unsafe_set channel.out_buffer start '-';
        start + 1
      end
    in
    put_decimal channel.out_buffer (start + digits - 1) size;
    channel.out_position <- start + digits
  end;
  channels_unlock 0

let output_binary_int channel n =
  output_byte channel (n asr 24);
  output_byte channel (n asr 16);
  output_byte channel (n asr 8);
  output_byte channel n

let pos_out channel = out_start channel + channel.out_position

let seek_out channel place =
  channels_lock 0;
  flush channel;
  if out_start channel <> place then begin
    io_check (io_seek channel.out_descriptor place 0);
    channel.out_offset <- place
  end;
  channels_unlock 0

let descriptor_size descriptor offset =
  let size = io_seek descriptor 0 2 in
  io_check size;
  io_check (io_seek descriptor offset 0);
  size

let out_channel_length channel = descriptor_size channel.out_descriptor (out_start channel)

let rec without_channel channel = function
  | [] -> []
  | other :: rest -> if other == channel then rest else other :: without_channel channel rest

let forget_out_channel channel =
  out_channels := without_channel channel !out_channels;
  if not (is_out_buffered channel) then unbuffered := without_channel channel !unbuffered

let set_out_buffered channel wanted =
  channels_lock 0;
  if wanted then unbuffered := without_channel channel !unbuffered
  else if is_out_buffered channel then begin
    flush channel;
    channel.out_buffer <- bytes_unsafe_create 0;
    channel.out_position <- 0;
    unbuffered := channel :: !unbuffered
  end;
  channels_unlock 0

let close_out_descriptor channel =
  channels_lock 0;
  if channel.out_descriptor >= 0 then begin
    let descriptor = channel.out_descriptor in
    channel.out_descriptor <- -1;
    channel.out_buffer <- bytes_unsafe_create 0;
    channel.out_position <- 0;
    forget_out_channel channel;
    io_check (io_close descriptor)
  end;
  channels_unlock 0

let close_out channel =
  flush channel;
  close_out_descriptor channel

let close_out_noerr channel =
  (try flush channel with _ -> ());
  try close_out_descriptor channel with _ -> ()

let set_binary_mode_out (_ : out_channel) (_ : bool) = ()

let flush_all () =
  let flush_one channel = try flush channel with Sys_error _ -> () in
  let rec flush_newest_first = function
    | [] -> ()
    | channel :: rest ->
        flush_one channel;
        flush_newest_first rest
  in
  flush_newest_first !out_channels;
  flush_one stderr;
  flush_one stdout
[@@known flush]

let open_in_gen flags permissions name =
  let descriptor = open_descriptor name flags permissions in
  make_in_channel descriptor (descriptor_offset descriptor)

let open_in name = open_in_gen [ Open_rdonly; Open_text ] 0 name
let open_in_bin name = open_in_gen [ Open_rdonly; Open_binary ] 0 name

(* Reads into the empty buffer; how many bytes came, 0 at the end. A failure leaves it empty. *)
let refill channel =
  if channel.in_descriptor < 0 then closed_failure ();
  if bytes_length channel.in_buffer = 0 then
    channel.in_buffer <- bytes_unsafe_create channel_buffer_size;
  let count = io_read channel.in_descriptor channel.in_buffer 0 channel_buffer_size in
  io_check count;
  if channel.in_offset <> unknown_offset then channel.in_offset <- channel.in_offset + count;
  channel.in_position <- 0;
  channel.in_limit <- count;
  count

let input_char channel =
  channels_lock 1;
  if channel.in_position >= channel.in_limit then
    if refill channel = 0 then begin
      channels_unlock 1;
      raise End_of_file
    end;
  let c = bytes_unsafe_get channel.in_buffer channel.in_position in
  channel.in_position <- channel.in_position + 1;
  channels_unlock 1;
  c

let input_byte channel = int_of_char (input_char channel)

let input_binary_int channel =
  let a = input_byte channel in
  let b = input_byte channel in
  let c = input_byte channel in
  let d = input_byte channel in
  let a = if a >= 128 then a - 256 else a in
  (a lsl 24) lor (b lsl 16) lor (c lsl 8) lor d

let unsafe_input channel bytes start length =
  if length = 0 then 0
  else begin
    channels_lock 1;
    if channel.in_position >= channel.in_limit then ignore (refill channel);
    let available = channel.in_limit - channel.in_position in
    let count = if length < available then length else available in
    bytes_unsafe_blit channel.in_buffer channel.in_position bytes start count;
    channel.in_position <- channel.in_position + count;
    channels_unlock 1;
    count
  end

let input channel bytes start length =
  if start < 0 || length < 0 || start > bytes_length bytes - length then invalid_arg "input"
  else unsafe_input channel bytes start length

let unsafe_really_input channel bytes start length =
  let rec loop start length =
    if length > 0 then begin
      let count = unsafe_input channel bytes start length in
      if count = 0 then raise End_of_file else loop (start + count) (length - count)
    end
  in
  loop start length

let really_input channel bytes start length =
  if start < 0 || length < 0 || start > bytes_length bytes - length then
    invalid_arg "really_input"
  else unsafe_really_input channel bytes start length

let really_input_string channel length =
  if not (int_ult length small_string) then check_bytes length;
  let bytes = bytes_unsafe_create length in
  unsafe_really_input channel bytes 0 length;
  bytes_unsafe_to_string bytes

let input_line channel =
  (* Takes [count] bytes out of the buffer. *)
  let take count =
    let piece = bytes_unsafe_create count in
    bytes_unsafe_blit channel.in_buffer channel.in_position piece 0 count;
    channel.in_position <- channel.in_position + count;
    piece
  in
  let join pieces total =
    let line = bytes_unsafe_create total in
    let rec place pieces stop =
      match pieces with
      | [] -> ()
      | piece :: rest ->
          let start = stop - bytes_length piece in
          bytes_unsafe_blit piece 0 line start (bytes_length piece);
          place rest start
    in
    place pieces total;
    bytes_unsafe_to_string line
  in
  (* What cannot go on is read again later, but for whole buffers. *)
  let rec put_back pieces stop =
    match pieces with
    | [] -> ()
    | piece :: rest ->
        let count = bytes_length piece in
        let count = if count < stop then count else stop in
        bytes_unsafe_blit piece (bytes_length piece - count) channel.in_buffer (stop - count) count;
        put_back rest (stop - count)
  in
  let refill_within pieces total =
    match refill channel with
    | count -> count
    | exception error ->
        if total > 0 && channel.in_position >= channel.in_limit && channel.in_descriptor >= 0 then begin
          let kept = total mod channel_buffer_size in
          put_back pieces kept;
          channel.in_position <- 0;
          channel.in_limit <- kept
        end;
        raise error
  in
  let rec scan pieces total =
    if channel.in_position >= channel.in_limit && refill_within pieces total = 0 then
      match pieces with
      | [] ->
          channels_unlock 1;
          raise End_of_file
      | _ -> join pieces total
    else begin
      let buffer = channel.in_buffer and limit = channel.in_limit in
      let rec find at =
        if at >= limit then at
        else if bytes_unsafe_get buffer at = '\n' then at
        else find (at + 1)
      in
      let stop = find channel.in_position in
      let piece = take (stop - channel.in_position) in
      if stop < limit then begin
        channel.in_position <- stop + 1;
        match pieces with
        | [] -> bytes_unsafe_to_string piece
        | _ -> join (piece :: pieces) (total + bytes_length piece)
      end
      else scan (piece :: pieces) (total + bytes_length piece)
    end
  in
  channels_lock 1;
  let line = scan [] 0 in
  channels_unlock 1;
  line

let in_end channel =
  if channel.in_offset = unknown_offset then
    channel.in_offset <- descriptor_offset channel.in_descriptor;
  channel.in_offset

let pos_in channel = in_end channel - (channel.in_limit - channel.in_position)

let seek_in channel place =
  channels_lock 1;
  let limit = in_end channel in
  if place >= limit - channel.in_limit && place <= limit && channel.in_descriptor >= 0 then
    channel.in_position <- channel.in_limit - (limit - place)
  else begin
    io_check (io_seek channel.in_descriptor place 0);
    channel.in_offset <- place;
    channel.in_position <- 0;
    channel.in_limit <- 0
  end;
  channels_unlock 1

let in_channel_length channel = descriptor_size channel.in_descriptor (in_end channel)

let close_in channel =
  channels_lock 1;
  if channel.in_descriptor >= 0 then begin
    let descriptor = channel.in_descriptor in
    channel.in_descriptor <- -1;
    channel.in_buffer <- bytes_unsafe_create 0;
    channel.in_position <- 0;
    channel.in_limit <- 0;
    io_check (io_close descriptor)
  end;
  channels_unlock 1

let close_in_noerr channel = try close_in channel with _ -> ()
let set_binary_mode_in (_ : in_channel) (_ : bool) = ()

(* Values as bytes. The head is the name of the format, in eight bytes, and the length of what follows; then comes the
   shape of the type, which must be that of the place where the value is read, and what the runtime
   writes, with a sum that tells whether the bytes are still the same. *)

external shape_of : 'a array -> string = "%marshal.shape"
external write_value : 'a array -> int -> string = "%marshal.write"
external read_value : string -> int -> 'a array = "%marshal.read"
external value_of : 'a array -> int -> 'a = "%array.unsafe_get"
external array_length : 'a array -> int = "%array.length"
external put_long : bytes -> int -> int64 -> unit = "%bytes.unsafe_set64"
external get_long : bytes -> int -> int64 = "%bytes.unsafe_get64"

let marshal_magic = 0x1BADB0_0B5EEDL
let marshal_header = 16
let marshal_shape = 16

let marshalled value shares =
  let root = [| value |] in
  let data = write_value root shares in
  if string_length data < 16 then
    invalid_arg
      (match data with
      | "e" -> "output_value: exception"
      | "c" -> "output_value: continuation value"
      | _ -> "output_value: functional value");
  let length = marshal_shape + string_length data in
  let bytes = bytes_unsafe_create (marshal_header + length) in
  put_long bytes 0 marshal_magic;
  put_long bytes 8 (int64_of_int length);
  bytes_unsafe_blit_string (shape_of root) 0 bytes marshal_header marshal_shape;
  bytes_unsafe_blit_string data 0 bytes (marshal_header + marshal_shape) (string_length data);
  bytes_unsafe_to_string bytes

(* How many bytes follow a head, which lies within the text; -1 if it is none. *)
let marshal_size text start =
  let bytes = bytes_unsafe_of_string text in
  let length = int_of_int64 (get_long bytes (start + 8)) in
  if get_long bytes start <> marshal_magic || length < marshal_shape then -1 else length

(* The value whose head and bytes lie within the text. *)
let unmarshalled (type a) text start : a =
  let none : a array = [||] in
  let shape = shape_of none in
  let rec is_same i =
    i >= marshal_shape
    || string_unsafe_get text (start + marshal_header + i) = string_unsafe_get shape i
       && is_same (i + 1)
  in
  if not (is_same 0) then failwith "input_value: a value of another type";
  let length = marshal_size text start - marshal_shape in
  let data = bytes_unsafe_create length in
  bytes_unsafe_blit_string text (start + marshal_header + marshal_shape) data 0 length;
  let root : a array = read_value (bytes_unsafe_to_string data) 0 in
  if array_length root = 0 then failwith "input_value: bad object";
  value_of root 0

let output_value channel value = output_string channel (marshalled value 1)

let input_value channel =
  let head = bytes_unsafe_create marshal_header in
  let first = unsafe_input channel head 0 marshal_header in
  if first = 0 then raise End_of_file;
  let rest bytes start length =
    try unsafe_really_input channel bytes start length
    with End_of_file -> failwith "input_value: truncated object"
  in
  rest head first (marshal_header - first);
  let length = marshal_size (bytes_unsafe_to_string head) 0 in
  if length < 0 || length > max_string_length - marshal_header || not (memory_fits length) then
    failwith "input_value: bad object";
  let bytes = bytes_unsafe_create (marshal_header + length) in
  bytes_unsafe_blit head 0 bytes 0 marshal_header;
  rest bytes marshal_header length;
  unmarshalled (bytes_unsafe_to_string bytes) 0

(* Arrays of floats, and arrays that do not change; both are arrays here. *)
type floatarray = float array

(* OCaml's own name for the type of effects, in scope everywhere. *)
type _ eff = ..
type 'a iarray = 'a array

(* Places in files as numbers of 64 bits; those of 63 reach as far. *)
module LargeFile = struct
  let seek_out channel place = seek_out channel (int_of_int64 place)
  let pos_out channel = int64_of_int (pos_out channel)
  let out_channel_length channel = int64_of_int (out_channel_length channel)
  let seek_in channel place = seek_in channel (int_of_int64 place)
  let pos_in channel = int64_of_int (pos_in channel)
  let in_channel_length channel = int64_of_int (in_channel_length channel)
end

(* The standard channels *)

let print_char c = output_char stdout c
let print_string text = output_string stdout text
let print_bytes bytes = output_bytes stdout bytes
let print_int n = output_int stdout n
let print_float x = output_string stdout (string_of_float x)

let print_newline () =
  output_char stdout '\n';
  flush stdout

let print_endline text =
  output_string stdout text;
  print_newline ()

let prerr_char c = output_char stderr c
let prerr_string text = output_string stderr text
let prerr_bytes bytes = output_bytes stderr bytes
let prerr_int n = output_int stderr n
let prerr_float x = output_string stderr (string_of_float x)

let prerr_newline () =
  output_char stderr '\n';
  flush stderr

let prerr_endline text =
  output_string stderr text;
  prerr_newline ()

let read_line () =
  flush stdout;
  input_line stdin

let read_int () = int_of_string (read_line ())
let read_int_opt () = int_of_string_opt (read_line ())
let read_float () = float_of_string (read_line ())
let read_float_opt () = float_of_string_opt (read_line ())

(* Formats. The compiler makes them from literals: [format_run] takes what to do with
   the finished pieces (last one first) and the pieces so far, then the arguments. *)

type format_box = Box_plain | Box_h | Box_v | Box_hv | Box_hov

(* What begins with [@]. *)
type format_mark =
  | Mark_open_box of format_box * int
  | Mark_close_box
  | Mark_open_tag of string
  | Mark_close_tag
  | Mark_break of int * int
  | Mark_flush
  | Mark_newline
  | Mark_end_line
  | Mark_size of int
  | Mark_char of char
  | Mark_indication of char

type ('b, 'c) format_piece =
  | Piece_text of string  (** text of the format itself *)
  | Piece_string of string
  | Piece_fun of ('b -> 'c)  (** [%a] and [%t]: runs when its turn to be put out comes *)
  | Piece_flush  (** [%!] *)
  | Piece_mark of string * format_mark  (** for [Format]; for others its text *)
  | Piece_open of bool * ('b, 'c) format_piece list
      (** a tag, or else a box, by what is to be put out first *)
[@@known format_piece]

(* A format that is known when the program runs. *)
type format_part =
  | Part_text of string
  | Part_mark of string * format_mark
  | Part_flush
  | Part_open of bool  (** what follows says which box or tag, up to [Part_close] *)
  | Part_close
  | Part_convert of string

(* What reading has found. *)
type format_value =
  | Value_int of int
  | Value_int32 of int32
  | Value_int64 of int64
  | Value_nativeint of nativeint
  | Value_float of float
  | Value_char of char
  | Value_bool of bool
  | Value_string of string

type format_values = { mutable format_values : format_value list }

(* What the type of a format tells: how the arguments are taken when the text is known later, and
   what becomes of values that were read (see [Oxbow_scan]). *)
type ('a, 'b, 'c, 'd, 'e, 'f) format_shape =
  | Shape_unread
  | Shape_known of {
      shape_type : unit -> string;
      shape_run :
        (format_part list -> ('b, 'c) format_piece list -> 'f) ->
        format_part list ->
        ('b, 'c) format_piece list ->
        'a;
      shape_read : (('b -> unit) list -> (format_values -> 'a -> 'f) -> 'e) -> 'd;
    }

type ('a, 'b, 'c, 'd, 'e, 'f) format6 = {
  format_text : string;
  format_run : (('b, 'c) format_piece list -> 'f) -> ('b, 'c) format_piece list -> 'a;
  format_shape : unit -> ('a, 'b, 'c, 'd, 'e, 'f) format_shape;
}

type ('a, 'b, 'c, 'd) format4 = ('a, 'b, 'c, 'c, 'c, 'd) format6
type ('a, 'b, 'c) format = ('a, 'b, 'c, 'c) format4

let string_of_format (format : ('a, 'b, 'c, 'd, 'e, 'f) format6) = format.format_text

let format_of_string (format : ('a, 'b, 'c, 'd, 'e, 'f) format6) :
    ('a, 'b, 'c, 'd, 'e, 'f) format6 =
  format

let rec append_actions first second =
  match first with [] -> second | it :: rest -> it :: append_actions rest second

let joined_shape (first : ('a, 'b, 'c, 'd, 'e, 'f) format_shape)
    (second : ('f, 'b, 'c, 'e, 'g, 'h) format_shape) : ('a, 'b, 'c, 'd, 'g, 'h) format_shape =
  match (first, second) with
  | Shape_known first, Shape_known second ->
      Shape_known
        {
          shape_type = (fun () -> first.shape_type () ^ second.shape_type ());
          shape_run =
            (fun finish parts pieces ->
              first.shape_run
                (fun parts pieces -> second.shape_run finish parts pieces)
                parts pieces);
          shape_read =
            (fun finish ->
              first.shape_read (fun readers apply ->
                  second.shape_read (fun more apply_more ->
                      finish (append_actions readers more) (fun values f ->
                          apply_more values (apply values f)))));
        }
  | _ -> Shape_unread

let ( ^^ ) (first : ('a, 'b, 'c, 'd, 'e, 'f) format6) (second : ('f, 'b, 'c, 'e, 'g, 'h) format6) :
    ('a, 'b, 'c, 'd, 'g, 'h) format6 =
  {
    format_text = first.format_text ^ "%," ^ second.format_text;
    format_run =
      (fun finish pieces ->
        first.format_run (fun pieces -> second.format_run finish pieces) pieces);
    format_shape = (fun () -> joined_shape (first.format_shape ()) (second.format_shape ()));
  }

(* The end of the program *)

external sys_exit : int -> 'a = "%sys.exit"
external exn_to_string : exn -> string = "%exn.to_string"

let exit_function = ref flush_all

let at_exit f =
  let earlier = !exit_function in
  let pending = ref true in
  exit_function :=
    fun () ->
      if !pending then begin
        pending := false;
        f ()
      end;
      earlier ()

let do_at_exit () = !exit_function ()
let do_domain_local_at_exit = ref (fun () -> ())

let exit code =
  do_at_exit ();
  sys_exit code

(* What [Printexc] registers. *)
let exn_printers : (exn -> string option) list ref = ref []
let uncaught_handler : (exn -> unit) option ref = ref None

let rec printed_by printers error =
  match printers with
  | [] -> None
  | printer :: rest -> (
      match (try printer error with _ -> None) with
      | None -> printed_by rest error
      | found -> found)

(* The text of an exception that ends the program: unlike [Printexc.to_string] it shows
   strings as they are and says nothing special about failed assertions. *)
let[@inline never] [@rare] fatal_text error =
  let place name file line column =
    name ^ "(\"" ^ file ^ "\", " ^ string_of_int line ^ ", " ^ string_of_int column ^ ")"
  in
  match error with
  | Failure text -> "Failure(\"" ^ text ^ "\")"
  | Invalid_argument text -> "Invalid_argument(\"" ^ text ^ "\")"
  | Sys_error text -> "Sys_error(\"" ^ text ^ "\")"
  | Match_failure (file, line, column) -> place "Match_failure" file line column
  | Assert_failure (file, line, column) -> place "Assert_failure" file line column
  | Undefined_recursive_module (file, line, column) ->
      place "Undefined_recursive_module" file line column
  | Out_of_memory -> "Out_of_memory"
  | Stack_overflow -> "Stack_overflow"
  | _ -> exn_to_string error

let[@inline] report_by show error =
  let text =
    match printed_by !exn_printers error with
    | Some text -> text
    | None -> show error
  in
  prerr_string "Fatal error: exception ";
  prerr_string text;
  prerr_newline ();
  traced_print error

let[@inline never] [@rare] report_uncaught error = report_by (fun error -> fatal_text error) error

(* Where [Printexc] is linked, strings are quoted. *)
let[@inline never] [@rare] report_quoted error = report_by (fun error -> exn_to_string error) error

let[@inline] uncaught_by report show (error : exn) : unit =
  (try do_at_exit () with _ -> ());
  (try
     match !uncaught_handler with
     | None -> report error
     | Some handler -> (
         try
           handler error;
           flush stderr
         with second ->
           report error;
           prerr_string "Fatal error in uncaught exception handler: exception ";
           prerr_endline (show second))
   with _ -> ());
  sys_exit 2

let oxbow_uncaught error =
  uncaught_by (fun error -> report_uncaught error) (fun error -> fatal_text error) error
[@@known uncaught]

let oxbow_uncaught_quoted error =
  uncaught_by (fun error -> report_quoted error) (fun error -> exn_to_string error) error
[@@known uncaught_quoted]

let oxbow_finish () = try do_at_exit () with error -> oxbow_uncaught error [@@known finish]

let oxbow_finish_quoted () = try do_at_exit () with error -> oxbow_uncaught_quoted error
[@@known finish_quoted]
