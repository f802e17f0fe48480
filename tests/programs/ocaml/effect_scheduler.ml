(* Threads that take turns. *)
open Effect
open Effect.Deep

type _ Effect.t += Fork : (unit -> unit) -> unit t | Yield : unit t | Name : string t

let run main =
  let queue = Queue.create () in
  let enqueue k v = Queue.push (fun () -> continue k v) queue in
  let dequeue () = if Queue.is_empty queue then () else (Queue.pop queue) () in
  let count = ref 0 in
  let rec spawn f =
    incr count;
    let name = "t" ^ string_of_int !count in
    match f () with
    | () -> Printf.printf "%s done\n" name; dequeue ()
    | exception e -> Printf.printf "%s died of %s\n" name (Printexc.to_string e); dequeue ()
    | effect Yield, k -> enqueue k (); dequeue ()
    | effect Fork f, k -> enqueue k (); spawn f
    | effect Name, k -> continue k name in
  spawn main

let fork f = perform (Fork f)
let yield () = perform Yield
let name () = perform Name

let worker n () =
  for i = 1 to n do
    Printf.printf "%s: %d\n" (name ()) i;
    yield ()
  done;
  if n = 3 then failwith "three"

(* a channel between them *)
let channel = Queue.create ()
let rec receive () = if Queue.is_empty channel then (yield (); receive ()) else Queue.pop channel
let send x = Queue.push x channel; yield ()

let rec tree depth =
  if depth > 0 then begin
    fork (fun () -> tree (depth - 1));
    yield ();
    fork (fun () -> tree (depth - 1))
  end

let () =
  run (fun () ->
    fork (worker 2);
    fork (worker 3);
    worker 1 ());
  run (fun () ->
    fork (fun () -> for i = 1 to 4 do send (i * i) done);
    for _ = 1 to 4 do Printf.printf "got %d\n" (receive ()) done);
  run (fun () -> tree 3);
  (* many *)
  let total = ref 0 in
  let queue = Queue.create () in
  for i = 1 to 2000 do
    match for j = 1 to 3 do total := !total + i * j; yield () done with
    | () -> ()
    | effect Yield, k -> Queue.push (fun () -> continue k ()) queue
  done;
  while not (Queue.is_empty queue) do (Queue.pop queue) () done;
  Printf.printf "%d\n" !total
