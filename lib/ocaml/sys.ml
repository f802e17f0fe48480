(* The system *)

[@@@hidden "argument_count argument has_env unchecked_getenv unchecked_is_directory"]
[@@@hidden "unchecked_remove"]

external argument_count : unit -> int = "%sys.argc"
external argument : int -> string = "%sys.argv"
external has_env : string -> bool = "%sys.has_env"
external unchecked_getenv : string -> string = "%sys.getenv"
external time : unit -> float = "%sys.time"
external file_exists : string -> bool = "%sys.file_exists"
external unchecked_is_directory : string -> bool = "%sys.is_directory"
external unchecked_remove : string -> int = "%sys.remove"
external opaque_identity : 'a -> 'a = "%opaque"

exception Break

let argv = Array.init (argument_count ()) (fun i -> argument i)
let executable_name = if Array.length argv > 0 then Array.unsafe_get argv 0 else ""
let getenv_opt name = if has_env name then Some (unchecked_getenv name) else None
let getenv name = if has_env name then unchecked_getenv name else raise Not_found

let is_directory name =
  if file_exists name then unchecked_is_directory name
  else raise (Sys_error (name ^ ": No such file or directory"))

let remove name =
  let error = unchecked_remove name in
  if error <> 0 then raise (Sys_error (name ^ ": " ^ sys_error_message error))

type backend_type =
  | Native
  | Bytecode
  | Other of string

let backend_type = Native
let interactive = ref false
let os_type = "Unix"
let unix = true
let win32 = false
let cygwin = false
let word_size = 64
let int_size = 63
let big_endian = false
let max_string_length = max_string_length
let max_array_length = max_array_length
let max_floatarray_length = max_array_length
let ocaml_version = "4.13.1"
let enable_runtime_warnings (_ : bool) = ()
let runtime_warnings_enabled () = false
let catch_break (_ : bool) = ()
