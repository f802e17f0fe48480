(* Effects: a computation under a handler is a fibre, on a stack of its own. *)

[@@@hidden
  "fiber fiber_new fiber_resume fiber_suspend retype Unwind given nothing_given pending next_body start unwinds answer performed forward outcome begin_body"]

[@@@abstract "continuation"]

type _ t = ..

exception Unhandled : 'a t -> exn
exception Continuation_already_resumed

(* The handle of a fibre is counted as exceptions are; it is none. *)
type fiber = exn

external fiber_new : unit -> fiber = "%fiber.new"

(* 0: it has suspended itself; 1: it has ended. *)
external fiber_resume : fiber -> int = "%fiber.resume"

(* 0: it was resumed; 1: nobody will, and it unwinds; 2: there is no fibre. *)
external fiber_suspend : unit -> int = "%fiber.suspend"

exception Unwind

let unwinds = function Unwind -> true | _ -> false [@@known fiber_unwinds]

external retype : 'a -> 'b = "%retype"

(* What passes between fibres lies in variables of the module: nothing else happens between the change of stacks and
   its use. *)
type given = Value : 'a -> given | Error : exn -> given

let nothing_given = Error Unwind
let given = ref nothing_given
let pending : exn ref = ref Unwind
let next_body : (unit -> unit) ref = ref (fun () -> ())

let start () =
  let body = !next_body in
  next_body := (fun () -> ());
  body ()
[@@known fiber_start]

(* What the fibre that was resumed has been given. *)
let[@inline] answer () =
  let it = !given in
  given := nothing_given;
  match it with Value value -> retype value | Error error -> raise error

let[@inline] perform (effect_ : 'a t) : 'a =
  pending := retype effect_;
  match fiber_suspend () with
  | 0 -> answer ()
  | 1 -> raise Unwind
  | _ ->
      pending := Unwind;
      raise (Unhandled effect_)

let[@inline] performed () : unit t =
  let effect_ = !pending in
  pending := Unwind;
  retype effect_

(* No handler of this fibre wants the effect: it is performed in the fibre around, whose answer is for this one. *)
let forward (effect_ : unit t) =
  pending := retype effect_;
  match fiber_suspend () with
  | 0 -> ()
  | 1 -> raise Unwind
  | _ ->
      pending := Unwind;
      given := Error (Unhandled effect_)

type 'a outcome = Running | Returned of 'a | Raised of exn

(* What the fibre runs that is resumed next. *)
let[@inline] begin_body outcome work =
  next_body :=
    fun () -> outcome := (match work () with value -> Returned value | exception error -> Raised error)

module Deep = struct
  type ('a, 'b) continuation = {
    resume : unit -> 'b;
    mutable is_there : bool;
  }

  type ('a, 'b) handler = {
    retc : 'a -> 'b;
    exnc : exn -> 'b;
    effc : 'c. 'c t -> (('c, 'b) continuation -> 'b) option;
  }

  type 'a effect_handler = { effc : 'b. 'b t -> (('b, 'a) continuation -> 'a) option }

  let continue k value =
    if not k.is_there then raise Continuation_already_resumed;
    k.is_there <- false;
    given := Value value;
    k.resume ()

  let discontinue k error =
    if not k.is_there then raise Continuation_already_resumed;
    k.is_there <- false;
    given := Error error;
    k.resume ()

  let discontinue_with_backtrace k error (_ : Printexc.raw_backtrace) = discontinue k error
  let get_callstack (_ : ('a, 'b) continuation) depth = Printexc.get_callstack depth

  let match_with f x ({ retc; exnc; effc } : ('a, 'b) handler) =
    let fiber = fiber_new () in
    let outcome = ref Running in
    begin_body outcome (fun () -> f x);
    let rec resume () =
      if fiber_resume fiber = 1 then
        match !outcome with
        | Returned value -> retc value
        | Raised error -> exnc error
        | Running -> assert false
      else begin
        let effect_ = performed () in
        match effc effect_ with
        | Some receive -> receive { resume; is_there = true }
        | None ->
            forward effect_;
            resume ()
      end
    in
    resume ()

  let try_with f x ({ effc } : 'a effect_handler) =
    match_with f x { retc = (fun value -> value); exnc = (fun error -> raise error); effc }
end

module Shallow = struct
  type ('a, 'b) continuation = {
    fiber : fiber;
    outcome : 'b outcome ref;
    (* Of a fibre that has not begun. *)
    body : (unit -> 'b) option;
    mutable is_there : bool;
  }

  type ('a, 'b) handler = {
    retc : 'a -> 'b;
    exnc : exn -> 'b;
    effc : 'c. 'c t -> (('c, 'a) continuation -> 'b) option;
  }

  let fiber f =
    {
      fiber = fiber_new ();
      outcome = ref Running;
      body = Some (fun () -> f (answer ()));
      is_there = true;
    }

  let rec run fiber outcome ({ retc; exnc; effc } as handler : ('a, 'b) handler) =
    if fiber_resume fiber = 1 then
      match !outcome with
      | Returned value -> retc value
      | Raised error -> exnc error
      | Running -> assert false
    else begin
      let effect_ = performed () in
      match effc effect_ with
      | Some receive -> receive { fiber; outcome; body = None; is_there = true }
      | None ->
          forward effect_;
          run fiber outcome handler
    end

  let give k answer handler =
    if not k.is_there then raise Continuation_already_resumed;
    k.is_there <- false;
    given := answer;
    (match k.body with Some body -> begin_body k.outcome body | None -> ());
    run k.fiber k.outcome handler

  let continue_with k value handler = give k (Value value) handler
  let discontinue_with k error handler = give k (Error error) handler

  let discontinue_with_backtrace k error (_ : Printexc.raw_backtrace) handler =
    discontinue_with k error handler

  let get_callstack (_ : ('a, 'b) continuation) depth = Printexc.get_callstack depth
end
