(* The system *)

[@@@hidden "argument_count argument has_env unchecked_getenv unchecked_is_directory"]
[@@@hidden "unchecked_remove fault checked numbers names unchecked_set behaviors"]

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

(* Files *)

let fault name error = raise (Sys_error (name ^ ": " ^ sys_error_message error))

let is_directory name =
  if file_exists name then unchecked_is_directory name else fault name Oxbow_system.no_such_file

let is_regular_file name =
  match Oxbow_system.status name with
  | Ok status -> Oxbow_system.mode status land 0o170000 = 0o100000
  | Error error -> fault name error

let remove name =
  let error = unchecked_remove name in
  if error <> 0 then fault name error

(* Calls a function of C that takes the name and gives a negative number if it fails. *)
let checked name call =
  if not (Oxbow_system.is_name name) then fault name Oxbow_system.no_such_file
  else if call name < 0l then fault name (Oxbow_system.last_error ())

let rename from into =
  if not (Oxbow_system.is_name from) then fault from Oxbow_system.no_such_file
  else if not (Oxbow_system.is_name into) then fault into Oxbow_system.no_such_file
  else if Oxbow_system.c_rename from into < 0l then
    raise (Sys_error (sys_error_message (Oxbow_system.last_error ())))

let chdir name = checked name Oxbow_system.c_chdir
let mkdir name mode = checked name (fun name -> Oxbow_system.c_mkdir name (Int32.of_int mode))
let rmdir name = checked name Oxbow_system.c_rmdir

let getcwd () =
  let buffer = Bytes.make 4097 '\000' in
  if Oxbow_system.c_getcwd (Bytes.unsafe_to_string buffer) 4097n = 0n then
    raise (Sys_error (sys_error_message (Oxbow_system.last_error ())));
  Oxbow_system.text_of buffer

let readdir name =
  let folder = if Oxbow_system.is_name name then Oxbow_system.c_opendir name else 0n in
  if folder = 0n then
    fault name
      (if Oxbow_system.is_name name then Oxbow_system.last_error () else Oxbow_system.no_such_file);
  let rec names found =
    match Oxbow_system.next_name folder with
    | None -> found
    | Some ("." | "..") -> names found
    | Some name -> names (name :: found)
  in
  let found = names [] in
  ignore (Oxbow_system.c_closedir folder);
  Array.of_list (List.rev found)

(* The exit code of a command; 255 if a signal ended it. *)
let command text =
  if not (Oxbow_system.is_name text) then fault text Oxbow_system.no_such_file;
  let status = Int32.to_int (Oxbow_system.c_system text) in
  if status = -1 then fault text (Oxbow_system.last_error ())
  else if status land 127 = 0 then (status lsr 8) land 255
  else 255

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
let io_buffer_size = 65536
let ocaml_version = "5.4.1"
let development_version = false

type extra_prefix = Plus | Tilde
type extra_info = extra_prefix * string

type ocaml_release_info = { major : int; minor : int; patchlevel : int; extra : extra_info option }

let ocaml_release = { major = 5; minor = 4; patchlevel = 1; extra = None }
let enable_runtime_warnings (_ : bool) = ()
let runtime_warnings_enabled () = false
let runtime_variant () = ""

let runtime_parameters () =
  "b=0,c=0,e=16,l=134217728,M=44,m=100,n=70000,o=120,p=0,s=262144,t=0,v=0,V=0,W=0"

let poll_actions () = run_signals ()

(* Signals have negative numbers of their own; the system's are positive. *)

type signal = int

let sigabrt = -1
let sigalrm = -2
let sigfpe = -3
let sighup = -4
let sigill = -5
let sigint = -6
let sigkill = -7
let sigpipe = -8
let sigquit = -9
let sigsegv = -10
let sigterm = -11
let sigusr1 = -12
let sigusr2 = -13
let sigchld = -14
let sigcont = -15
let sigstop = -16
let sigtstp = -17
let sigttin = -18
let sigttou = -19
let sigvtalrm = -20
let sigprof = -21
let sigbus = -22
let sigpoll = -23
let sigsys = -24
let sigtrap = -25
let sigurg = -26
let sigxcpu = -27
let sigxfsz = -28
let sigio = -29
let sigwinch = -30

(* The system's number of -1, -2, … *)
let numbers =
  [|
    6; 14; 8; 1; 4; 2; 9; 13; 3; 11; 15; 10; 12; 17; 18; 19; 20; 21; 22; 26; 27; 7; 29; 31; 5; 23;
    24; 25; 29; 28;
  |]

let names =
  [|
    "ABRT"; "ALRM"; "FPE"; "HUP"; "ILL"; "INT"; "KILL"; "PIPE"; "QUIT"; "SEGV"; "TERM"; "USR1";
    "USR2"; "CHLD"; "CONT"; "STOP"; "TSTP"; "TTIN"; "TTOU"; "VTALRM"; "PROF"; "BUS"; "POLL"; "SYS";
    "TRAP"; "URG"; "XCPU"; "XFSZ"; "IO"; "WINCH";
  |]

let signal_to_int s =
  if s >= 0 then s
  else if s >= -Array.length numbers then numbers.(-s - 1)
  else invalid_arg "Sys.signal_to_int"

let signal_of_int n =
  if n < 0 then invalid_arg "Sys.signal_of_int";
  let rec search i =
    if i >= Array.length numbers then n else if numbers.(i) = n then -i - 1 else search (i + 1)
  in
  search 0

let signal_to_string s =
  if s < 0 && s >= -Array.length names then "SIG" ^ names.(-s - 1)
  else if s < 0 then invalid_arg "Sys.signal_to_string"
  else "SIG(" ^ string_of_int s ^ ")"

type signal_behavior =
  | Signal_default
  | Signal_ignore
  | Signal_handle of (int -> unit)

external unchecked_set : int -> int -> int = "%signal.set"

(* What the program has asked for, by the system's numbers. *)
let behaviors : signal_behavior array ref = ref [||]

let signal s behavior =
  let number = signal_to_int s in
  if number < 1 || number > 64 then invalid_arg "Sys.signal: unavailable signal";
  if Array.length !behaviors = 0 then begin
    behaviors := Array.make 65 Signal_default;
    signal_handlers := Array.make 65 (fun () -> ())
  end;
  let wanted =
    match behavior with
    | Signal_default -> 0
    | Signal_ignore -> 1
    | Signal_handle f ->
        let s = signal_of_int number in
        Array.set !signal_handlers number (fun () -> f s);
        2
  in
  let before = unchecked_set number wanted in
  if before < 0 then raise (Sys_error (sys_error_message (-before)));
  let asked = Array.get !behaviors number in
  Array.set !behaviors number behavior;
  match before with 0 -> Signal_default | 1 -> Signal_ignore | _ -> asked
[@@known signals_set]

let set_signal s behavior = ignore (signal s behavior)

let catch_break on =
  if on then set_signal sigint (Signal_handle (fun _ -> raise Break))
  else set_signal sigint Signal_default

module Immediate64 = struct
  module type Non_immediate = sig
    type t
  end

  module type Immediate = sig
    type t
  end

  module Make (Immediate : Immediate) (Non_immediate : Non_immediate) = struct
    type t = Immediate.t

    type 'a repr =
      | Immediate : Immediate.t repr
      | Non_immediate : Non_immediate.t repr

    let repr = Immediate
  end
end
