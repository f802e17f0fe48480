(* Reads of threads while signals come *)
let () =
  let r, w = Unix.pipe () in
  let ticks = Atomic.make 0 in
  Sys.set_signal Sys.sigalrm (Sys.Signal_handle (fun _ -> Atomic.incr ticks));
  ignore (Unix.setitimer Unix.ITIMER_REAL { Unix.it_interval = 0.002; it_value = 0.002 });
  let lines = ref 0 and bytes = ref 0 in
  let reader =
    Thread.create
      (fun () ->
        let ic = Unix.in_channel_of_descr r in
        try
          while true do
            bytes := !bytes + String.length (input_line ic);
            incr lines
          done
        with End_of_file -> ())
      ()
  in
  let oc = Unix.out_channel_of_descr w in
  for i = 1 to 200 do
    output_string oc (String.make (i * 7) 'x');
    output_char oc '\n';
    flush oc;
    if i mod 50 = 0 then Thread.delay 0.01
  done;
  close_out oc;
  Thread.join reader;
  ignore (Unix.setitimer Unix.ITIMER_REAL { Unix.it_interval = 0.0; it_value = 0.0 });
  Printf.printf "%d lines, %d bytes, ticks: %b\n" !lines !bytes (Atomic.get ticks > 0)
