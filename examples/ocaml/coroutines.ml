(* Threads that take turns, in a few lines: an effect suspends the one that runs, and a queue holds the others. *)
open Effect
open Effect.Deep

type _ Effect.t +=
  | Fork : (unit -> unit) -> unit t
  | Yield : unit t

let fork f = perform (Fork f)
let yield () = perform Yield

let run main =
  let ready : (unit -> unit) Queue.t = Queue.create () in
  let next () = if not (Queue.is_empty ready) then (Queue.pop ready) () in
  let rec spawn f =
    match f () with
    | () -> next ()
    | effect Yield, k ->
        Queue.push (continue k) ready;
        next ()
    | effect Fork child, k ->
        Queue.push (continue k) ready;
        spawn child
  in
  spawn main

(* A bounded buffer between two of them. *)
let buffer : int Queue.t = Queue.create ()

let rec put x =
  if Queue.length buffer >= 2 then begin
    yield ();
    put x
  end
  else Queue.push x buffer

let rec take () =
  if Queue.is_empty buffer then begin
    yield ();
    take ()
  end
  else Queue.pop buffer

let () =
  run (fun () ->
      fork (fun () ->
          for i = 1 to 6 do
            Printf.printf "put %d\n" i;
            put i
          done);
      for _ = 1 to 6 do
        Printf.printf "took %d\n" (take ())
      done);
  let finished = ref 0 in
  run (fun () ->
      for _ = 1 to 1000 do
        fork (fun () ->
            for _ = 1 to 10 do yield () done;
            incr finished)
      done);
  Printf.printf "%d threads have finished\n" !finished
