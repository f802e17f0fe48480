(* Effects: a computation under a handler is a fibre, on a stack of its own.

   What passes between fibres lies in variables of the module: nothing else happens between a change of stacks and
   its use. *)

[@@@links_printexc "perform get_callstack"]
[@@@hidden "fiber any fiber_new fiber_resume fiber_suspend retype cell failed failure pending next_body"]
[@@@hidden "start Unwind unwinds take_value take_failure answer forward begin_body Shallow.run Shallow.enter"]
[@@@abstract "cell Deep.continuation Shallow.continuation"]

type _ t = ..

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
external retype : 'a -> 'b = "%retype"

exception Unwind

let unwinds = function Unwind -> true | _ -> false [@@known fiber_unwinds]

(* What a fibre is given or gives. It is no `ref`: all references of a program would hold values of unknown type. *)
type cell = { mutable value : any }

let cell = { value = retype () }
let failed = ref false
let failure = ref Unwind

(* The last effect: it stays until the next, since to forget it at once would cost as much as to perform it. *)
let pending : exn ref = ref Unwind

(* What the fibre runs that is resumed next. *)
let next_body : (unit -> unit) ref = ref (fun () -> ())

let start () =
  let body = !next_body in
  next_body := (fun () -> ());
  body ()
[@@known fiber_start]

let[@inline] take_value () =
  let it = cell.value in
  cell.value <- retype ();
  retype it

let take_failure () =
  let it = !failure in
  failed := false;
  failure := Unwind;
  it

let[@inline] answer () = if !failed then raise (take_failure ()) else take_value ()

let[@inline] perform (effect_ : 'a t) : 'a =
  pending := retype effect_;
  match fiber_suspend () with
  | 0 -> answer ()
  | 1 -> raise Unwind
  | _ -> raise (Unhandled (retype !pending : 'a t))

(* No handler of this fibre wants the last effect: it is performed in the fibre around, whose answer is for this one. *)
let forward () =
  match fiber_suspend () with
  | 0 -> ()
  | 1 -> raise Unwind
  | _ ->
      failed := true;
      failure := Unhandled (retype !pending : unit t)

let[@inline] begin_body work =
  next_body :=
    fun () ->
      match work () with
      | it -> cell.value <- retype it
      | exception error ->
          failed := true;
          failure := error

module Deep = struct
  type ('a, 'b) continuation = { resume : unit -> 'b; mutable is_there : bool }

  type ('a, 'b) handler = {
    retc : 'a -> 'b;
    exnc : exn -> 'b;
    effc : 'c. 'c t -> (('c, 'b) continuation -> 'b) option;
  }

  type 'a effect_handler = { effc : 'b. 'b t -> (('b, 'a) continuation -> 'a) option }

  let[@inline] continue (k : ('a, 'b) continuation) (given : 'a) =
    if not k.is_there then raise Continuation_already_resumed;
    k.is_there <- false;
    cell.value <- retype given;
    k.resume ()

  let discontinue k error =
    if not k.is_there then raise Continuation_already_resumed;
    k.is_there <- false;
    failed := true;
    failure := error;
    k.resume ()

  let discontinue_with_backtrace k error (_ : Printexc.raw_backtrace) = discontinue k error
  let get_callstack (_ : ('a, 'b) continuation) depth = Printexc.get_callstack depth

  let match_with (f : 'c -> 'a) x ({ retc; exnc; effc } : ('a, 'b) handler) : 'b =
    let fiber = fiber_new () in
    begin_body (fun () -> f x);
    let rec resume () =
      if fiber_resume fiber = 1 then
        if !failed then exnc (take_failure ()) else retc (take_value () : 'a)
      else
        match effc (retype !pending : unit t) with
        | Some receive -> receive { resume; is_there = true }
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
    mutable is_there : bool;
  }

  type ('a, 'b) handler = {
    retc : 'a -> 'b;
    exnc : exn -> 'b;
    effc : 'c. 'c t -> (('c, 'a) continuation -> 'b) option;
  }

  let fiber (f : 'a -> 'b) : ('a, 'b) continuation =
    { fiber = fiber_new (); body = Some (fun () -> f (answer ())); is_there = true }

  let rec run fiber ({ retc; exnc; effc } as handler : ('a, 'b) handler) : 'b =
    if fiber_resume fiber = 1 then
      if !failed then exnc (take_failure ()) else retc (take_value () : 'a)
    else
      match effc (retype !pending : unit t) with
      | Some receive -> receive { fiber; body = None; is_there = true }
      | None ->
          forward ();
          run fiber handler

  let[@inline] enter (k : ('c, 'a) continuation) (handler : ('a, 'b) handler) =
    (match k.body with Some body -> begin_body body | None -> ());
    run k.fiber handler

  let continue_with (k : ('c, 'a) continuation) (given : 'c) handler =
    if not k.is_there then raise Continuation_already_resumed;
    k.is_there <- false;
    cell.value <- retype given;
    enter k handler

  let discontinue_with k error handler =
    if not k.is_there then raise Continuation_already_resumed;
    k.is_there <- false;
    failed := true;
    failure := error;
    enter k handler

  let discontinue_with_backtrace k error (_ : Printexc.raw_backtrace) handler =
    discontinue_with k error handler

  let get_callstack (_ : ('a, 'b) continuation) depth = Printexc.get_callstack depth
end
