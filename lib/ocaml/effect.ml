(* Effects: a computation under a handler is a fibre, on a stack of its own. *)

[@@@hidden
  "fiber fiber_new fiber_resume fiber_suspend Unwind answer slot request pending next_body start unwinds outcome answer_of forward finished begin_body"]

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

(* What a fibre that waits is given. *)
type 'a answer = Waiting | Value of 'a | Failure_ of exn
type 'a slot = { mutable answer : 'a answer }
type request = Nothing | Request : 'a t * 'a slot -> request

let pending = ref Nothing
let next_body : (unit -> unit) ref = ref (fun () -> ())

let start () =
  let body = !next_body in
  next_body := (fun () -> ());
  body ()
[@@known fiber_start]

let answer_of slot =
  match slot.answer with
  | Value value -> value
  | Failure_ error -> raise error
  | Waiting -> assert false

let perform effect_ =
  let slot = { answer = Waiting } in
  pending := Request (effect_, slot);
  match fiber_suspend () with
  | 0 -> answer_of slot
  | 1 -> raise Unwind
  | _ ->
      pending := Nothing;
      raise (Unhandled effect_)

(* No handler of this fibre wants the effect: it is performed in the fibre around, with the same slot. *)
let forward effect_ slot =
  pending := Request (effect_, slot);
  match fiber_suspend () with
  | 0 -> ()
  | 1 -> raise Unwind
  | _ ->
      pending := Nothing;
      slot.answer <- Failure_ (Unhandled effect_)

type 'a outcome = Running | Returned of 'a | Raised of exn

(* What the fibre runs that is resumed next. *)
let begin_body outcome work =
  next_body :=
    fun () -> outcome := (match work () with value -> Returned value | exception error -> Raised error)

module Deep = struct
  type ('a, 'b) continuation = {
    slot : 'a slot;
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
    k.slot.answer <- Value value;
    k.resume ()

  let discontinue k error =
    if not k.is_there then raise Continuation_already_resumed;
    k.is_there <- false;
    k.slot.answer <- Failure_ error;
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
        let request = !pending in
        pending := Nothing;
        match request with
        | Request (effect_, slot) -> (
            match effc effect_ with
            | Some receive -> receive { slot; resume; is_there = true }
            | None ->
                forward effect_ slot;
                resume ())
        | Nothing -> assert false
      end
    in
    resume ()

  let try_with f x ({ effc } : 'a effect_handler) =
    match_with f x { retc = (fun value -> value); exnc = (fun error -> raise error); effc }
end

module Shallow = struct
  type ('a, 'b) continuation = {
    fiber : fiber;
    slot : 'a slot;
    outcome : 'b outcome ref;
    (* Of a fibre that has not begun. *)
    body : ('a slot -> 'b) option;
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
      slot = { answer = Waiting };
      outcome = ref Running;
      body = Some (fun slot -> f (answer_of slot));
      is_there = true;
    }

  let rec run fiber outcome ({ retc; exnc; effc } as handler : ('a, 'b) handler) =
    if fiber_resume fiber = 1 then
      match !outcome with
      | Returned value -> retc value
      | Raised error -> exnc error
      | Running -> assert false
    else begin
      let request = !pending in
      pending := Nothing;
      match request with
      | Request (effect_, slot) -> (
          match effc effect_ with
          | Some receive -> receive { fiber; slot; outcome; body = None; is_there = true }
          | None ->
              forward effect_ slot;
              run fiber outcome handler)
      | Nothing -> assert false
    end

  let give k answer handler =
    if not k.is_there then raise Continuation_already_resumed;
    k.is_there <- false;
    let slot = k.slot in
    slot.answer <- answer;
    (match k.body with
    | Some body -> begin_body k.outcome (fun () -> body slot)
    | None -> ());
    run k.fiber k.outcome handler

  let continue_with k value handler = give k (Value value) handler
  let discontinue_with k error handler = give k (Failure_ error) handler

  let discontinue_with_backtrace k error (_ : Printexc.raw_backtrace) handler =
    discontinue_with k error handler

  let get_callstack (_ : ('a, 'b) continuation) depth = Printexc.get_callstack depth
end
