(* Threads of `threads.posix`: each is one of the system's, and all run at the same time (decision 112). *)

[@@@hidden "domain_self thread_mutex threads new_thread"]
[@@@hidden "handler report"]
[@@@abstract "t"]

external delay : float -> unit = "%domain.delay"
external yield : unit -> unit = "%domain.yield"
external domain_self : unit -> int = "%domain.self"

exception Exit

type t = { thread : int; mutex : Mutex.t; ended : Condition.t; mutable has_ended : bool }

(* Those that run, or have been asked for, by the numbers that the runtime keeps. *)
let threads : (int * t) list ref = ref []
let thread_mutex = Mutex.create ()

let new_thread thread =
  { thread; mutex = Mutex.create (); ended = Condition.create (); has_ended = false }

let self () =
  let number = domain_self () in
  Mutex.lock thread_mutex;
  let thread =
    match List.assoc_opt number !threads with
    | Some thread -> thread
    | None ->
        (* The first of its domain. *)
        let thread = new_thread (Domain.first_thread ()) in
        threads := (number, thread) :: !threads;
        thread
  in
  Mutex.unlock thread_mutex;
  thread

let id thread = thread.thread
let exit () = raise Exit
let set_current_thread_name (_ : string) = ()

let default_uncaught_exception_handler error =
  prerr_string
    ("Thread " ^ string_of_int (id (self ())) ^ " killed on uncaught exception "
   ^ Printexc.to_string error ^ "\n");
  flush stderr

let handler = Atomic.make default_uncaught_exception_handler
let set_uncaught_exception_handler f = Atomic.set handler f

let report error =
  match error with
  | Exit -> ()
  | _ -> (
      flush stdout;
      flush stderr;
      try (Atomic.get handler) error
      with second ->
        prerr_string
          ("Thread " ^ string_of_int (id (self ())) ^ " killed on uncaught exception "
         ^ Printexc.to_string error ^ "\n");
        prerr_string
          ("Thread " ^ string_of_int (id (self ())) ^ " uncaught exception handler raised "
         ^ Printexc.to_string second ^ "\n");
        flush stderr)

let create f x =
  let own = Domain.next_thread () in
  let number = (Domain.self () lsl Domain.thread_bits) lor own in
  let thread = new_thread own in
  Mutex.lock thread_mutex;
  threads := (number, thread) :: !threads;
  Mutex.unlock thread_mutex;
  let forget () =
    Mutex.lock thread_mutex;
    threads := List.remove_assoc number !threads;
    Mutex.unlock thread_mutex
  in
  let body () =
    (match f x with _ -> () | exception error -> report error);
    forget ();
    Mutex.lock thread.mutex;
    thread.has_ended <- true;
    Condition.broadcast thread.ended;
    Mutex.unlock thread.mutex
  in
  let error = Domain.start_thread number body in
  if error <> 0 then begin
    forget ();
    raise (Sys_error ("Thread.create: " ^ Mutex.error_message error))
  end;
  thread

let join thread =
  Mutex.lock thread.mutex;
  while not thread.has_ended do
    Condition.wait thread.ended thread.mutex
  done;
  Mutex.unlock thread.mutex

(* A thread waits in the system as the whole program does elsewhere: the others run on. *)
let wait_timed_read file seconds =
  match Unix.select [ file ] [] [] seconds with [], _, _ -> false | _ -> true

let wait_timed_write file seconds =
  match Unix.select [] [ file ] [] seconds with _, [], _ -> false | _ -> true

let select = Unix.select
let wait_pid pid = Unix.waitpid [] pid

(* The mask belongs to the thread that calls. *)
let sigmask = Unix.sigprocmask
let wait_signal = Unix.sigwait
