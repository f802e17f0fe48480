(* Exceptions as texts *)

[@@@links_printexc "raise_with_backtrace get_callstack"]
[@@@hidden "report hash"]
[@@@abstract "raw_backtrace backtrace_slot raw_backtrace_slot"]

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

(* Slots of backtraces, of which there are none *)

type raw_backtrace_entry = int
type backtrace_slot = No_slot
type raw_backtrace_slot = No_raw_slot

type location = {
  filename : string;
  line_number : int;
  start_char : int;
  end_char : int;
  end_line : int;
  end_col : int;
}

let raw_backtrace_entries (_ : raw_backtrace) : raw_backtrace_entry array = [||]
let backtrace_slots (_ : raw_backtrace) : backtrace_slot array option = None
let backtrace_slots_of_raw_entry (_ : raw_backtrace_entry) : backtrace_slot array option = None

let get_raw_backtrace_slot (_ : raw_backtrace) (_ : int) : raw_backtrace_slot =
  invalid_arg "index out of bounds"

let convert_raw_backtrace_slot (_ : raw_backtrace_slot) = No_slot
let get_raw_backtrace_next_slot (_ : raw_backtrace_slot) : raw_backtrace_slot option = None

module Slot = struct
  type t = backtrace_slot

  let is_raise (_ : t) = false
  let is_inline (_ : t) = false
  let location (_ : t) : location option = None
  let name (_ : t) : string option = None
  let format (_ : int) (_ : t) : string option = None
end

(* The name of an exception is its text up to what it holds. *)
let exn_slot_name error =
  let text = exn_to_string error in
  match String.index_opt text '(' with Some stop -> String.sub text 0 stop | None -> text

external hash : string -> int = "%hash"

let exn_slot_id error = hash (exn_slot_name error)
