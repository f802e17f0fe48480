(* Errors, handlers, continuations, the process. *)

open Eshkol_value

(* Error objects *)

let make_error place message irritants = Err { kind = kind_error; message; irritants; place = known_place place }

let[@inline never] [@cold] error place args =
  match args with
  | Pair { car = who; cdr = Pair { car = Str _ as message; cdr } } when is_symbol who ->
      (* (error 'who "message" …), the older custom *)
      fail (make_error place (string_of_utf8 (symbol_name who ^ ": " ^ utf8_of message)) cdr)
  | Pair { car = message; cdr } -> fail (make_error place message cdr)
  | _ -> fail (make_error place (string_of_utf8 "error") Nil)

(* For procedures of the library that know the place of their call. *)
let error_at place args = error (utf8_of place) args

let assertion_failed place shown = fail (error_object place "assertion failed:" (cons shown Nil))
let no_match place v = fail (error_object place "match: no clause fits" (cons v Nil))
let is_error v = match v with Err _ -> true | _ -> false
let error_message v = match v with Err e -> e.message | _ -> string_of_utf8 ""
let error_irritants v = match v with Err e -> e.irritants | _ -> Nil
let is_file_error v = match v with Err e -> e.kind = kind_file | _ -> false
let is_read_error v = match v with Err e -> e.kind = kind_read | _ -> false
let condition_text v = string_of_utf8 (Eshkol_print.error_text v)

(* The last object that was raised and is no error object, and where: what a program that ends by it says. *)
let raised : dyn ref = ref Nil
let raised_at = ref ""

let[@inline never] note_raise place obj =
  match obj with
  | Err _ -> ()
  | _ ->
      raised := obj;
      raised_at := place

let raise_ place obj =
  note_raise place obj;
  fail obj

let raise_continuable place obj =
  note_raise place obj;
  raise_object obj true

(* Goes on with an object that a guard did not take. Programs in which a handler might give a value to where the
   object was raised have continuations as values, and do not come here. *)
let reraise obj = raise_object obj false

let with_handler place handler thunk =
  let saved = !handlers in
  handlers := cons handler saved;
  match call0 place thunk with
  | v ->
      handlers := saved;
      v
  | exception error ->
      handlers := saved;
      raise error

let guard_enter () = handlers := cons False !handlers
let get_handlers () = !handlers
let set_handlers v = handlers := v
let get_winds () = !winds
let set_winds v = winds := v
let rewind_to v = rewind v

(* Continuations that are only used to leave *)

let[@inline] call_cc_with f =
  let number = next_number () in
  let k =
    if !handlers == Nil && !winds == Nil && not !first_class then Exit { reachable = true; exit_number = number }
    else Cont { alive = true; number; saved_handlers = !handlers; saved_winds = !winds; resume = Absent }
  in
  let over () = match k with Exit e -> e.reachable <- false | Cont c -> c.alive <- false | _ -> () in
  match f k with
  | v ->
      over ();
      v
  | exception Thrown when !thrown_to = number ->
      over ();
      thrown ()
  | exception error ->
      over ();
      raise error

let call_cc place f = call_cc_with (fun k -> call1 place f k)

let is_continuation v = match v with Cont _ | Exit _ -> true | _ -> false

(* Procedures *)

let apply place f args = apply_list place f (spread place args)
let apply_values place f v = match v with Values a -> apply_list place f (Eshkol_data.list_of_array a 0 (length_of a)) | _ -> call1 place f v

let procedure_arity v =
  let pair a b = cons (of_int a) (if b < 0 then False else of_int b) in
  match v with
  | P0 _ | Param _ -> pair 0 0
  | P1 _ -> pair 1 1
  | P2 _ -> pair 2 2
  | P3 _ -> pair 3 3
  | P4 _ -> pair 4 4
  | PN (least, most, _, _) -> pair least most
  | PK (least, most, _, _) -> pair least most
  | _ -> pair 0 (-1)

(* The process *)

external argument_count : unit -> int = "%sys.argc"
external argument : int -> string = "%sys.argv"
external has_env : string -> bool = "%sys.has_env"
external getenv : string -> string = "%sys.getenv"
external wall_time : unit -> float = "%sys.wall_time"
external cpu_time : unit -> float = "%sys.time"

let command_line () =
  let n = argument_count () in
  let rec go i acc = if i < 0 then acc else go (i - 1) (cons (string_of_utf8 (argument i)) acc) in
  go (n - 1) Nil

let environment_variable place v =
  let name = match v with Str _ -> utf8_of v | _ -> wrong place "get-environment-variable" "a string" v in
  if has_env name then string_of_utf8 (getenv name) else False

(* All of them, as the system shows them in a file: `name=value`, each with a zero at its end. *)
let environment_variables () =
  match open_in_bin "/proc/self/environ" with
  | exception Sys_error _ -> Nil
  | channel ->
      let name = builder () and value = builder () in
      let buffer = bytes_create 4096 in
      let rec read all in_value =
        let n = input channel buffer 0 4096 in
        if n = 0 then all else each 0 n all in_value
      and each i n all in_value =
        if i >= n then read all in_value
        else
          let c = narrow_get buffer i in
          if c = 0 then begin
            let entry = cons (string_of_utf8 (builder_bytes name)) (string_of_utf8 (builder_bytes value)) in
            name.used <- 0;
            value.used <- 0;
            each (i + 1) n (cons entry all) false
          end
          else if c = 61 && not in_value then each (i + 1) n all true
          else begin
            add_byte (if in_value then value else name) c;
            each (i + 1) n all in_value
          end
      in
      let all = read Nil false in
      close_in channel;
      Eshkol_data.reverse_fresh all

let exit_code v =
  match v with
  | Absent | True -> 0
  | False -> 1
  | _ -> if is_int v then to_int v land 255 else 1

let exit_process v =
  (match v with _ -> ());
  rewind Nil;
  exit (exit_code v)

let emergency_exit v = exit (exit_code v)
(* For the prompt: an interrupt is an error of what is done then. *)
let catch_interrupts () =
  Sys.set_signal Sys.sigint (Sys.Signal_handle (fun _ -> fail (placed_error "" "interrupted" Nil)))

let current_second () = wall_time ()
let current_jiffy () = of_int (int_of_float (wall_time () *. 1000000.0))
let jiffies_per_second () = 1000000
let runtime () = cpu_time ()
let real_time () = of_int (int_of_float (wall_time () *. 1000.0))
let current_seconds () = of_int (int_of_float (wall_time ()))

(* The end of a program *)

let[@inline never] [@rare] report obj =
  flush_all ();
  let place = match obj with Err e -> e.place | _ -> if obj == !raised then !raised_at else "" in
  prerr_string ((if place = "" then "" else place ^ ": ") ^ "error: " ^ Eshkol_print.error_text obj ^ "\n")

let[@inline never] [@rare] uncaught error =
  match error with
  | Raised obj -> report obj
  | Thrown -> report (placed_error "" "a continuation was called outside of its extent" Nil)
  | Stack_overflow -> report (placed_error "" "stack overflow: the recursion is too deep" Nil)
  | _ -> report_uncaught error

(* Before the first item of a program. *)
let start () = uncaught_handler := Some uncaught

(* The result of [main] is the exit code if it is an integer. *)
let finish v = if is_int v then exit (to_int v land 255)

(* Procedures of any number of arguments, where they are values *)

let fold_args f identity args =
  match args with
  | Nil -> identity
  | Pair { car = only; cdr = Nil } -> f identity only
  | Pair p ->
      let rec go left rest = match rest with Pair p -> go (f left p.car) p.cdr | _ -> left in
      go p.car p.cdr
  | _ -> identity

(* The same where there is no number for none: [f] of an argument and itself is the argument. *)
let fold1_args f (_ : dyn) args =
  match args with Pair { car = only; cdr = Nil } -> f only only | _ -> fold_args f Nil args

(* [(- 0.0)] is -0.0, which is not 0 - 0.0. *)
let inverse_args f identity args =
  match args with
  | Pair { car = Zero; cdr = Nil } when is_int identity && to_int identity = 0 -> Minus_zero
  | Pair { car = only; cdr = Nil } -> f identity only
  | Pair p ->
      let rec go left rest = match rest with Pair p -> go (f left p.car) p.cdr | _ -> left in
      go p.car p.cdr
  | _ -> identity

let chain_args f (_ : dyn) args =
  let rec go left rest = match rest with Pair p -> if f left p.car then go p.car p.cdr else False | _ -> True in
  match args with Pair p -> go p.car p.cdr | _ -> True

(* A program whose continuations are values. What leaves its direct parts comes here, and it goes on with
   the handler or the continuation. *)

let raise_uncaught obj =
  report obj;
  exit 2

let not_continuable obj =
  raise
    (Raised
       (error_object "" "an exception handler returned from a raise that is not continuable:"
          (cons obj Nil)))

let run_program body throw handle =
  first_class := true;
  throw_hook := throw;
  let rec drive f args =
    match cps_call "" f identity args with
    | _ -> ()
    | exception Raised obj -> drive handle (cons obj Nil)
    | exception Thrown ->
        let k = !thrown_continuation in
        thrown_continuation := Nil;
        drive k (cons (thrown ()) Nil)
  in
  drive body Nil
