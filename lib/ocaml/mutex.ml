(* Mutual exclusion: the bytes of a mutex of C. *)

[@@@hidden "mutex_size mutex_init mutex_lock mutex_try_lock mutex_unlock error_message check"]
[@@@abstract "t"]

(* It is itself for comparisons, and no copy of it is made. *)
type t = { number : int; mutable bytes : bytes } [@@compared identity]

external mutex_size : unit -> int = "%mutex.size"
external mutex_init : bytes -> unit = "%mutex.init"
external mutex_lock : bytes -> int = "%mutex.lock"
external mutex_try_lock : bytes -> int = "%mutex.try_lock"
external mutex_unlock : bytes -> int = "%mutex.unlock"
external error_message : int -> string = "%sys.error_message"

let create () =
  let bytes = Bytes.create (mutex_size ()) in
  mutex_init bytes;
  { number = new_number (); bytes }

let check name error = if error <> 0 then raise (Sys_error (name ^ ": " ^ error_message error))
let lock mutex = check "Mutex.lock" (mutex_lock mutex.bytes)

(* What fails is that somebody has it, also this thread. *)
let try_lock mutex = mutex_try_lock mutex.bytes = 0
let unlock mutex = check "Mutex.unlock" (mutex_unlock mutex.bytes)

let protect mutex f =
  lock mutex;
  match f () with
  | result ->
      unlock mutex;
      result
  | exception error ->
      unlock mutex;
      raise error
