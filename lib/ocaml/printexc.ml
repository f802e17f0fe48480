(* Exceptions as texts *)

[@@@hidden "report"]
[@@@abstract "raw_backtrace"]

type t = exn

(* There are no backtraces. *)
type raw_backtrace = No_backtrace

let to_string_default = exn_to_string
let use_printers error = printed_by !exn_printers error

let to_string error =
  match use_printers error with
  | Some text -> text
  | None -> exn_to_string error

let register_printer printer = exn_printers := printer :: !exn_printers

let report error =
  prerr_string "Uncaught exception: ";
  prerr_endline (to_string error)

let print f x =
  try f x
  with error ->
    report error;
    raise error

let catch f x =
  try f x
  with error ->
    flush stdout;
    report error;
    exit 2

let record_backtrace (_ : bool) = ()
let backtrace_status () = false
let get_backtrace () = ""
let print_backtrace (_ : out_channel) = ()
let get_raw_backtrace () = No_backtrace
let get_callstack (_ : int) = No_backtrace
let print_raw_backtrace (_ : out_channel) (_ : raw_backtrace) = ()
let raw_backtrace_to_string (_ : raw_backtrace) = ""
let raw_backtrace_length (_ : raw_backtrace) = 0
let raise_with_backtrace error (_ : raw_backtrace) = raise error

let default_uncaught_exception_handler error (_ : raw_backtrace) =
  prerr_string "Fatal error: exception ";
  prerr_endline (to_string error)

let set_uncaught_exception_handler handler =
  uncaught_handler := Some (fun error -> handler error No_backtrace)
