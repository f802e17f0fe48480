(* The program ends when its first domain does, whatever the others wait for: what was written is there, functions for
   the end have run, and nothing hangs. *)
let () =
  let mutex = Mutex.create () and condition = Condition.create () and never = Atomic.make false in
  let here = Atomic.make 0 in
  at_exit (fun () -> print_endline "at exit");
  ignore
    (Domain.spawn (fun () ->
         Mutex.lock mutex;
         Atomic.incr here;
         while not (Atomic.get never) do
           Condition.wait condition mutex
         done));
  ignore
    (Domain.spawn (fun () ->
         Atomic.incr here;
         while not (Atomic.get never) do
           Domain.cpu_relax ()
         done));
  let held = Mutex.create () in
  Mutex.lock held;
  ignore
    (Domain.spawn (fun () ->
         Atomic.incr here;
         Mutex.lock held));
  while Atomic.get here < 3 do
    Domain.cpu_relax ()
  done;
  let failing = Domain.spawn (fun () -> print_string "written by a domain; "; raise Not_found) in
  (try Domain.join failing with Not_found -> print_string "joined; ");
  print_string "not flushed; "
