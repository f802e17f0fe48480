(* Mutexes and conditions: a bounded buffer, and the errors of mutexes. *)

let room = 8
let queue = Queue.create ()
let mutex = Mutex.create ()
let not_empty = Condition.create ()
let not_full = Condition.create ()

let put x =
  Mutex.lock mutex;
  while Queue.length queue >= room do
    Condition.wait not_full mutex
  done;
  Queue.push x queue;
  Condition.signal not_empty;
  Mutex.unlock mutex

let take () =
  Mutex.protect mutex (fun () ->
      while Queue.is_empty queue do
        Condition.wait not_empty mutex
      done;
      let x = Queue.pop queue in
      Condition.signal not_full;
      x)

let () =
  let produce k () =
    for i = 1 to 300 do
      put (Printf.sprintf "%d" (i * k))
    done
  in
  let consume n () =
    let sum = ref 0 in
    for _ = 1 to n do
      sum := !sum + int_of_string (take ())
    done;
    !sum
  in
  let producers = List.map (fun k -> Domain.spawn (produce k)) [ 1; 2; 3 ] in
  let consumers = List.map (fun n -> Domain.spawn (consume n)) [ 500; 400 ] in
  List.iter Domain.join producers;
  Printf.printf "%d\n" (List.fold_left (fun sum d -> sum + Domain.join d) 0 consumers)

let () =
  let report f = try f () with Sys_error text -> print_endline text in
  Mutex.lock mutex;
  report (fun () -> Mutex.lock mutex);
  Printf.printf "%b\n" (Mutex.try_lock mutex);
  Printf.printf "%b\n" (Domain.join (Domain.spawn (fun () -> Mutex.try_lock mutex)));
  Domain.join (Domain.spawn (fun () -> report (fun () -> Mutex.unlock mutex)));
  Mutex.unlock mutex;
  report (fun () -> Mutex.unlock mutex);
  (try Mutex.protect mutex (fun () -> failwith "inside") with Failure text -> print_endline text);
  Printf.printf "%b\n" (Mutex.try_lock mutex);
  Mutex.unlock mutex

(* Waiting for all at a barrier. *)
let () =
  let waiting = ref 0 and round = ref 0 in
  let changed = Condition.create () in
  let barrier () =
    Mutex.lock mutex;
    incr waiting;
    let mine = !round in
    if !waiting = 3 then begin
      waiting := 0;
      incr round;
      Condition.broadcast changed
    end
    else
      while !round = mine do
        Condition.wait changed mutex
      done;
    Mutex.unlock mutex
  in
  let steps = Array.make 3 0 and faults = Atomic.make 0 in
  let work k () =
    for step = 1 to 20 do
      steps.(k) <- step;
      barrier ();
      Array.iter (fun it -> if it <> step then Atomic.incr faults) steps;
      barrier ()
    done
  in
  List.iter Domain.join (List.init 3 (fun k -> Domain.spawn (work k)));
  Printf.printf "%d %d\n" !round (Atomic.get faults)
