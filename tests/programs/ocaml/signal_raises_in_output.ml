(* A function that handles a signal raises while a channel is written: other domains can go on to write. *)
exception Stop
let () =
  let r, w = Unix.pipe () in
  let c = Unix.out_channel_of_descr w in
  let d = Domain.spawn (fun () -> Unix.sleepf 0.6; print_endline "domain prints"; flush stdout) in
  Sys.set_signal Sys.sigalrm (Sys.Signal_handle (fun _ -> raise Stop));
  ignore (Unix.setitimer Unix.ITIMER_REAL { Unix.it_value = 0.2; it_interval = 0.0 });
  ignore r;
  let big = String.make 60000 'x' in
  (try for _ = 1 to 10 do output_string c big done with Stop -> print_endline "stopped");
  flush stdout;
  Domain.join d;
  Sys.set_signal Sys.sigalrm Sys.Signal_default;
  print_endline "done"; flush stdout; Unix._exit 0
