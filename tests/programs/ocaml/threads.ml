(* Threads, semaphores, and a thread that fails. *)

let mutex = Mutex.create ()
let total = ref 0

let () =
  let work n =
    for _ = 1 to n do
      Mutex.lock mutex;
      incr total;
      Mutex.unlock mutex
    done
  in
  let threads = List.map (Thread.create work) [ 100; 200; 300 ] in
  List.iter Thread.join threads;
  Printf.printf "%d\n" !total;
  Printf.printf "%d %b\n" (Thread.id (Thread.self ())) (List.for_all (fun t -> Thread.id t > 0) threads)

let () =
  let t = Thread.create (fun () -> if !total > 0 then raise Thread.Exit else print_endline "no") () in
  Thread.join t;
  Thread.set_uncaught_exception_handler (fun error -> print_endline (Printexc.to_string error));
  Thread.join (Thread.create (fun () -> failwith "inside") ());
  Thread.delay 0.001;
  Thread.yield ();
  print_endline "still here"

let () =
  let free = Semaphore.Counting.make 2 and inside = Atomic.make 0 and most = Atomic.make 0 in
  let visit () =
    Semaphore.Counting.acquire free;
    let now = 1 + Atomic.fetch_and_add inside 1 in
    if now > Atomic.get most then Atomic.set most now;
    Thread.yield ();
    Atomic.decr inside;
    Semaphore.Counting.release free
  in
  List.iter Thread.join (List.init 6 (fun _ -> Thread.create visit ()));
  Printf.printf "%b %d\n" (Atomic.get most <= 2) (Semaphore.Counting.get_value free);
  let gate = Semaphore.Binary.make false in
  let t = Thread.create (fun () -> Semaphore.Binary.acquire gate; print_endline "through") () in
  Printf.printf "%b\n" (Semaphore.Binary.try_acquire gate);
  Semaphore.Binary.release gate;
  Thread.join t;
  (match Semaphore.Counting.make (-1) with
  | _ -> print_endline "no"
  | exception Invalid_argument text -> print_endline text)

(* Two threads take turns. *)
let () =
  let changed = Condition.create () and turn = ref 0 in
  let play me text () =
    for _ = 1 to 3 do
      Mutex.lock mutex;
      while !turn <> me do
        Condition.wait changed mutex
      done;
      print_endline text;
      turn := 1 - me;
      Condition.broadcast changed;
      Mutex.unlock mutex
    done
  in
  let a = Thread.create (play 0 "ping") () and b = Thread.create (play 1 "pong") () in
  Thread.join a;
  Thread.join b
