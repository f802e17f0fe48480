(* Computations that wait and go on later, for Clef: generators, whose elements are asked for one by one, and jobs,
   which a scheduler resumes. Each kind has an effect of its own, so that a job may wait inside of a generator. *)

type _ Effect.t += Yield : unit Effect.t
type _ Effect.t += Wait : unit Effect.t

type rest =
  | Fresh of (unit -> unit)
  | Paused of (unit, unit) Effect.Shallow.continuation
  | Gone

type t = { mutable rest : rest }

let make body = { rest = Fresh body }
let give () = Effect.perform Yield
let wait () = Effect.perform Wait
let is_gone it = match it.rest with Gone -> true | Fresh _ | Paused _ -> false

let ended () = ()

let generator it : (unit, unit) Effect.Shallow.handler =
  {
    retc = ended;
    exnc = (fun error -> raise error);
    effc =
      (fun (type a) (effect_ : a Effect.t) ->
        match effect_ with
        | Yield -> Some (fun (k : (a, unit) Effect.Shallow.continuation) -> it.rest <- Paused k)
        | _ -> None);
  }

let job it : (unit, unit) Effect.Shallow.handler =
  {
    retc = ended;
    exnc = (fun error -> raise error);
    effc =
      (fun (type a) (effect_ : a Effect.t) ->
        match effect_ with
        | Wait -> Some (fun (k : (a, unit) Effect.Shallow.continuation) -> it.rest <- Paused k)
        | _ -> None);
  }

(* Runs it until it pauses or ends. *)
let resume it handler =
  let rest = it.rest in
  it.rest <- Gone;
  match rest with
  | Fresh body -> Effect.Shallow.continue_with (Effect.Shallow.fiber body) () handler
  | Paused k -> Effect.Shallow.continue_with k () handler
  | Gone -> ()

(* It does not go on. What its frames hold is given back. *)
let drop it = it.rest <- Gone

let next it = resume it (generator it)
let run it = resume it (job it)

(* The process rests; signals end that early. *)
external c_nanosleep : string -> string -> int32 = "%c.2.libm+libc.nanosleep"

let sleep seconds =
  let whole = Float.of_int (int_of_float seconds) in
  let bytes = Bytes.create 16 in
  Bytes.set_int64_le bytes 0 (Int64.of_float whole);
  Bytes.set_int64_le bytes 8 (Int64.of_float ((seconds -. whole) *. 1e9));
  ignore (c_nanosleep (Bytes.to_string bytes) (String.make 16 '\000'))
