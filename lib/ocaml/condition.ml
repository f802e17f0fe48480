(* Conditions to wait for: the bytes of a condition variable of C. *)

[@@@hidden "condition_size condition_init condition_wait condition_signal error_message"]
[@@@abstract "t"]

type t = bytes

external condition_size : unit -> int = "%condition.size"
external condition_init : bytes -> unit = "%condition.init"
external condition_wait : bytes -> Mutex.t -> int = "%condition.wait"
external condition_signal : bytes -> int -> unit = "%condition.signal"
external error_message : int -> string = "%sys.error_message"

let create () =
  let condition = Bytes.create (condition_size ()) in
  condition_init condition;
  condition

let wait condition mutex =
  let error = condition_wait condition mutex in
  if error <> 0 then raise (Sys_error ("Condition.wait: " ^ error_message error))

let signal condition = condition_signal condition 0
let broadcast condition = condition_signal condition 1
