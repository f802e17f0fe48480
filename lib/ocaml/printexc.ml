(* Exceptions as texts *)

[@@@links_printexc "raise_with_backtrace get_callstack"]
[@@@hidden "report hash restore_backtrace traced_restore traced_push traced_record traced_status traced_length traced_kind"]
[@@@hidden "traced_place frame place_of_frame kind_call format_frame stack_count stack_place frames set_frame no_frames"]
[@@@abstract "raw_backtrace backtrace_slot raw_backtrace_slot"]

type t = exn

(* What the runtime knows of the last exception: for each frame its kind and its place, which is a text: the function,
   the file, the first line, its first character, the last character in its line, the last line, and the last character
   counted from the start of the first line. *)
external traced_restore : exn -> unit = "%backtrace.restore"
external traced_push : int -> string -> unit = "%backtrace.push"
external traced_record : int -> unit = "%backtrace.record"
external traced_status : unit -> bool = "%backtrace.status"
external traced_length : unit -> int = "%backtrace.length"
external traced_kind : int -> int = "%backtrace.kind"
external traced_place : int -> string = "%backtrace.place"

type frame = { kind : int; place : string }
type raw_backtrace = frame array

let kind_call = 0

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

let record_backtrace wanted = traced_record (if wanted then 1 else 0)
let backtrace_status () = traced_status ()

let get_raw_backtrace () : raw_backtrace =
  Array.init (traced_length ()) (fun i -> { kind = traced_kind i; place = traced_place i })

(* The calls that are going on: a program that asks keeps them. It calls nothing: a call of it in tail position is shown,
   as one of OCaml's primitive is. *)
external stack_count : unit -> int = "%stack.count"
external stack_place : int -> string = "%stack.place"
external frames : int -> 'a array = "%array.unsafe_uninit"
external set_frame : 'a array -> int -> 'a -> unit = "%array.unsafe_set"

let no_frames : raw_backtrace = [||]

let get_callstack most : raw_backtrace =
  let all = stack_count () in
  let count = if most >= 0 && most < all then most else all in
  if count <= 0 then no_frames
  else begin
    let found = frames count in
    for i = 0 to count - 1 do
      set_frame found i { kind = kind_call; place = stack_place i }
    done;
    found
  end

let raw_backtrace_length (trace : raw_backtrace) = Array.length trace

let restore_backtrace error (trace : raw_backtrace) =
  traced_restore error;
  for i = 0 to Array.length trace - 1 do
    let { kind; place } = Array.unsafe_get trace i in
    traced_push kind place
  done

let raise_with_backtrace error (trace : raw_backtrace) =
  traced_note 4 "" error;
  restore_backtrace error trace;
  raise error

type raw_backtrace_entry = frame
type raw_backtrace_slot = frame
type backtrace_slot = frame

type location = {
  filename : string;
  line_number : int;
  start_char : int;
  end_char : int;
  end_line : int;
  end_col : int;
}

let place_of_frame { place; _ } =
  match String.split_on_char '\000' place with
  | [ name; file; line; first; last; end_line; last_from_start ] ->
      let number = int_of_string in
      ( name,
        {
          filename = file;
          line_number = number line;
          start_char = number first;
          end_char = number last_from_start;
          end_line = number end_line;
          end_col = number last;
        } )
  | _ -> invalid_arg "Printexc"

let format_frame index frame =
  let name, at = place_of_frame frame in
  let is_raise = frame.kind <> kind_call in
  let what =
    if index = 0 then if is_raise then "Raised at" else "Raised by primitive operation at"
    else if is_raise then "Re-raised at"
    else "Called from"
  in
  let lines =
    if at.line_number = at.end_line then " " ^ string_of_int at.line_number
    else "s " ^ string_of_int at.line_number ^ "-" ^ string_of_int at.end_line
  in
  what ^ " " ^ name ^ " in file \"" ^ at.filename ^ "\", line" ^ lines ^ ", characters "
  ^ string_of_int at.start_char ^ "-" ^ string_of_int at.end_col

let raw_backtrace_to_string (trace : raw_backtrace) =
  String.concat "" (Array.to_list (Array.mapi (fun i frame -> format_frame i frame ^ "\n") trace))

let get_backtrace () = raw_backtrace_to_string (get_raw_backtrace ())
let print_raw_backtrace channel trace = output_string channel (raw_backtrace_to_string trace)
let print_backtrace channel = print_raw_backtrace channel (get_raw_backtrace ())

let default_uncaught_exception_handler error (trace : raw_backtrace) =
  prerr_string "Fatal error: exception ";
  prerr_endline (to_string error);
  print_raw_backtrace stderr trace;
  flush stderr

let set_uncaught_exception_handler handler =
  uncaught_handler := Some (fun error -> handler error (get_raw_backtrace ()))

let raw_backtrace_entries (trace : raw_backtrace) : raw_backtrace_entry array = Array.copy trace

let backtrace_slots (trace : raw_backtrace) : backtrace_slot array option =
  if Array.length trace = 0 then None else Some (Array.copy trace)

let backtrace_slots_of_raw_entry (entry : raw_backtrace_entry) : backtrace_slot array option = Some [| entry |]
let get_raw_backtrace_slot (trace : raw_backtrace) index : raw_backtrace_slot = trace.(index)
let convert_raw_backtrace_slot (slot : raw_backtrace_slot) : backtrace_slot = slot
let get_raw_backtrace_next_slot (_ : raw_backtrace_slot) : raw_backtrace_slot option = None

module Slot = struct
  type t = backtrace_slot

  let is_raise (slot : t) = slot.kind <> kind_call
  let is_inline (_ : t) = false
  let location (slot : t) = Some (snd (place_of_frame slot))
  let name (slot : t) = Some (fst (place_of_frame slot))
  let format index (slot : t) = Some (format_frame index slot)
end

(* The name of an exception is its text up to what it holds. *)
let exn_slot_name error =
  let text = exn_to_string error in
  match String.index_opt text '(' with Some stop -> String.sub text 0 stop | None -> text

external hash : string -> int = "%hash"

let exn_slot_id error = hash (exn_slot_name error)
