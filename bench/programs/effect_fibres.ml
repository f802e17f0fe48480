(* needs OCaml 5 *)
(* A million fibres that take turns. *)
open Effect
open Effect.Deep
type _ Effect.t += Yield : unit Effect.t | Fork : (unit -> unit) -> unit Effect.t
let yield () = perform Yield
let fork f = perform (Fork f)
let run main =
  let queue : (unit -> unit) Queue.t = Queue.create () in
  let next () = match Queue.take_opt queue with Some f -> f () | None -> () in
  let rec spawn f =
    match f () with
    | () -> next ()
    | effect Yield, k -> Queue.add (fun () -> continue k ()) queue; next ()
    | effect (Fork f), k -> Queue.add (fun () -> spawn f) queue; continue k ()
  in
  spawn main
let total = ref 0
let () =
  run (fun () ->
    for i = 1 to 1_000_000 do
      fork (fun () -> for j = 1 to 5 do total := !total + (i land j); yield () done)
    done);
  Printf.printf "%d\n" !total
