(* Conditions to wait for: the bytes of a condition variable of C. *)

[@@@hidden "condition_size condition_init condition_wait condition_signal error_message"]
[@@@abstract "t"]

type t = { number : int; mutable bytes : bytes } [@@compared identity]

external condition_size : unit -> int = "%condition.size"
external condition_init : bytes -> unit = "%condition.init"
external condition_wait : bytes -> bytes -> int = "%condition.wait"
external condition_signal : bytes -> int -> unit = "%condition.signal"
external error_message : int -> string = "%sys.error_message"

let create () =
  let bytes = Bytes.create (condition_size ()) in
  condition_init bytes;
  { number = new_number (); bytes }

let wait condition mutex =
  let error = condition_wait condition.bytes mutex.Mutex.bytes in
  if error <> 0 then raise (Sys_error ("Condition.wait: " ^ error_message error))

let signal condition = condition_signal condition.bytes 0
let broadcast condition = condition_signal condition.bytes 1
