(* Effects: a computation under a handler is a fibre, on a stack of its own.

   What passes between fibres lies in variables of the module: nothing else happens between a change of stacks and
   its use. In programs with domains each thread has such variables. *)

[@@@links_printexc "perform get_callstack"]
[@@@hidden "fiber any fiber_new fiber_resume fiber_suspend retype cell failed failure pending next flag error work"]
[@@@hidden "start Unwind unwinds take_value take_failure answer forward begin_body Shallow.handle Shallow.enter"]
[@@@hidden "slot state states no_state own value set_value is_failed fail pending_effect note body_to_run set_body"]
[@@@hidden "stack_kept stack_own stack_place stack_enter stack_leave stack_begin stack_end suspend_calls suspend run"]
[@@@hidden "check_owner fiber_is_own foreign here Deep.take Shallow.take print_unhandled"]
[@@@abstract "cell flag error work state Deep.continuation Shallow.continuation"]

type 'a t = 'a eff = ..

exception Unhandled : 'a t -> exn
exception Continuation_already_resumed

(* The handle of a fibre is counted as exceptions are; it is none. *)
type fiber = exn
type any [@@known any]

external fiber_new : unit -> fiber = "%fiber.new"

(* 0: it has suspended itself; 1: it has ended. *)
external fiber_resume : fiber -> int = "%fiber.resume"

(* 0: it was resumed; 1: nobody will, and it unwinds; 2: there is no fibre. *)
external fiber_suspend : unit -> int = "%fiber.suspend"
external fiber_is_own : fiber -> bool = "%fiber.is_own"
external retype : 'a -> 'b = "%retype"

exception Unwind

let unwinds = function Unwind -> true | _ -> false [@@known fiber_unwinds]

(* What a fibre is given or gives. None of these is a `ref`: if the references of a program hold values of unknown
   type, these do not. *)
type cell = { mutable value : any }

let cell = { value = retype () }

type flag = { mutable is_set : bool }

let failed = { is_set = false }

type error = { mutable error : exn }

let failure = { error = Unwind }

(* The last effect: it stays until the next, since to forget it at once would cost as much as to perform it. *)
let pending = { error = Unwind }

(* What the fibre runs that is resumed next. *)
type work = { mutable body : unit -> unit }

let next = { body = (fun () -> ()) }

(* The same for one thread of a program with domains. *)
type state = {
  mutable own_value : any;
  mutable own_failed : bool;
  mutable own_failure : exn;
  mutable own_pending : exn;
  mutable own_body : unit -> unit;
}

external slot : unit -> int = "%domain.slot"

let no_state () =
  {
    own_value = retype ();
    own_failed = false;
    own_failure = Unwind;
    own_pending = Unwind;
    own_body = (fun () -> ());
  }

(* By the slots of threads, which are small numbers. *)
let states : state array Atomic.t = Atomic.make [||]

let rec own () =
  let all = Atomic.get states in
  let place = slot () in
  if place < Array.length all then all.(place)
  else begin
    let size = Array.length all in
    let more =
      Array.init (place + 1) (fun i -> if i < size then all.(i) else no_state ())
    in
    ignore (Atomic.compare_and_set states all more);
    own ()
  end

let[@inline] value () = if domain_any () then (own ()).own_value else cell.value

let[@inline] set_value it =
  if domain_any () then (own ()).own_value <- it else cell.value <- it

let[@inline] is_failed () = if domain_any () then (own ()).own_failed else failed.is_set

let[@inline] fail error =
  if domain_any () then begin
    let own = own () in
    own.own_failed <- true;
    own.own_failure <- error
  end
  else begin
    failed.is_set <- true;
    failure.error <- error
  end

let[@inline] pending_effect () = if domain_any () then (own ()).own_pending else pending.error

let[@inline] note effect_ =
  if domain_any () then (own ()).own_pending <- effect_ else pending.error <- effect_

let[@inline] set_body body =
  if domain_any () then (own ()).own_body <- body else next.body <- body

(* A fibre belongs to the thread that made it, with all that its frames count. *)
let foreign () = failwith "a continuation is resumed in another domain than its own"
let[@inline] check_owner fiber = if domain_any () then if not (fiber_is_own fiber) then foreign ()

(* Where a continuation was captured. Nobody else takes it: it stays there to be resumed. *)
let[@inline] here () = if domain_any () then slot () else 0

let start () =
  let body = if domain_any () then (own ()).own_body else next.body in
  set_body (fun () -> ());
  body ()
[@@known fiber_start]

let[@inline] take_value () =
  let it = value () in
  set_value (retype ());
  retype it

let take_failure () =
  if domain_any () then begin
    let own = own () in
    let it = own.own_failure in
    own.own_failed <- false;
    own.own_failure <- Unwind;
    it
  end
  else begin
    let it = failure.error in
    failed.is_set <- false;
    failure.error <- Unwind;
    it
  end

let[@inline] answer () = if is_failed () then raise (take_failure ()) else take_value ()

(* Effects are what exceptions are, and shown as those. *)
let print_unhandled = function
  | Unhandled effect_ ->
      Some ("Stdlib.Effect.Unhandled(" ^ exn_to_string (retype effect_ : exn) ^ ")")
  | _ -> None

;;
exn_printers := print_unhandled :: !exn_printers

(* Where a program asks for the calls that are going on, those of a fibre are put aside while it is suspended. *)
external stack_kept : unit -> bool = "%stack.kept"
external stack_own : unit -> int = "%stack.own"
external stack_place : int -> string = "%stack.place"
external stack_enter : string -> unit = "%stack.enter"
external stack_leave : unit -> unit = "%stack.leave"
external stack_begin : unit -> int = "%stack.begin"
external stack_end : int -> unit = "%stack.end"

let suspend_calls () =
  let count = stack_own () in
  let places = Array.init count stack_place in
  for _ = 1 to count do
    stack_leave ()
  done;
  let answer = fiber_suspend () in
  for i = count - 1 downto 0 do
    stack_enter places.(i)
  done;
  answer

let[@inline] suspend () = if stack_kept () then suspend_calls () else fiber_suspend ()

let[@inline] run fiber =
  if stack_kept () then begin
    let before = stack_begin () in
    let answer = fiber_resume fiber in
    stack_end before;
    answer
  end
  else fiber_resume fiber

let[@inline] perform (effect_ : 'a t) : 'a =
  note (retype effect_);
  match suspend () with
  | 0 -> answer ()
  | 1 -> raise Unwind
  | _ -> raise (Unhandled (retype (pending_effect ()) : 'a t))

(* No handler of this fibre wants the last effect: it is performed in the fibre around, whose answer is for this one. *)
let forward () =
  match suspend () with
  | 0 -> ()
  | 1 -> raise Unwind
  | _ -> fail (Unhandled (retype (pending_effect ()) : unit t))

let[@inline] begin_body work =
  set_body (fun () ->
      match work () with it -> set_value (retype it) | exception error -> fail error)

module Deep = struct
  type ('a, 'b) continuation = { resume : unit -> 'b; owner : int; mutable is_there : bool }

  type ('a, 'b) handler = {
    retc : 'a -> 'b;
    exnc : exn -> 'b;
    effc : 'c. 'c t -> (('c, 'b) continuation -> 'b) option;
  }

  type 'a effect_handler = { effc : 'b. 'b t -> (('b, 'a) continuation -> 'a) option }

  let[@inline] take k =
    if not k.is_there then raise Continuation_already_resumed;
    if domain_any () && k.owner <> slot () then foreign ();
    k.is_there <- false

  let[@inline] continue (k : ('a, 'b) continuation) (given : 'a) =
    take k;
    set_value (retype given);
    k.resume ()

  let discontinue k error =
    take k;
    fail error;
    k.resume ()

  let discontinue_with_backtrace k error (_ : Printexc.raw_backtrace) = discontinue k error
  let get_callstack (_ : ('a, 'b) continuation) (_ : int) = Printexc.no_frames

  let match_with (f : 'c -> 'a) x ({ retc; exnc; effc } : ('a, 'b) handler) : 'b =
    let fiber = fiber_new () in
    begin_body (fun () -> f x);
    let rec resume () =
      check_owner fiber;
      if run fiber = 1 then
        if is_failed () then exnc (take_failure ()) else retc (take_value () : 'a)
      else
        match effc (retype (pending_effect ()) : unit t) with
        | Some receive -> receive { resume; owner = here (); is_there = true }
        | None ->
            forward ();
            resume ()
    in
    resume ()

  let try_with f x ({ effc } : 'a effect_handler) =
    match_with f x { retc = (fun it -> it); exnc = (fun error -> raise error); effc }
end

module Shallow = struct
  type ('a, 'b) continuation = {
    fiber : fiber;
    (* Of a fibre that has not begun. *)
    body : (unit -> 'b) option;
    owner : int;
    mutable is_there : bool;
  }

  type ('a, 'b) handler = {
    retc : 'a -> 'b;
    exnc : exn -> 'b;
    effc : 'c. 'c t -> (('c, 'a) continuation -> 'b) option;
  }

  let fiber (f : 'a -> 'b) : ('a, 'b) continuation =
    { fiber = fiber_new (); body = Some (fun () -> f (answer ())); owner = here (); is_there = true }

  let rec handle fiber ({ retc; exnc; effc } as handler : ('a, 'b) handler) : 'b =
    if run fiber = 1 then
      if is_failed () then exnc (take_failure ()) else retc (take_value () : 'a)
    else
      match effc (retype (pending_effect ()) : unit t) with
      | Some receive -> receive { fiber; body = None; owner = here (); is_there = true }
      | None ->
          forward ();
          handle fiber handler

  let[@inline] enter (k : ('c, 'a) continuation) (handler : ('a, 'b) handler) =
    check_owner k.fiber;
    (match k.body with Some body -> begin_body body | None -> ());
    handle k.fiber handler

  let[@inline] take k =
    if not k.is_there then raise Continuation_already_resumed;
    if domain_any () && k.owner <> slot () then foreign ();
    k.is_there <- false

  let continue_with (k : ('c, 'a) continuation) (given : 'c) handler =
    take k;
    set_value (retype given);
    enter k handler

  let discontinue_with k error handler =
    take k;
    fail error;
    enter k handler

  let discontinue_with_backtrace k error (_ : Printexc.raw_backtrace) handler =
    discontinue_with k error handler

  let get_callstack (_ : ('a, 'b) continuation) (_ : int) = Printexc.no_frames
end
