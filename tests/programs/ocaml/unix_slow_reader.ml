(* A pipe whose reader is slow, while signals come: nothing is lost, nothing is written twice. *)
let size = 400_000
let () =
  let r, w = Unix.pipe () in
  match Unix.fork () with
  | 0 ->
      Unix.close w;
      let ic = Unix.in_channel_of_descr r in
      let lines = ref 0 and wrong = ref 0 and ticks = ref 0 in
      (try
         while true do
           let line = input_line ic in
           if line = "tick" then incr ticks
           else begin
             if int_of_string line <> !lines then incr wrong;
             incr lines
           end;
           if !lines land 0x3fff = 0 then Unix.sleepf 0.005
         done
       with End_of_file -> ());
      Printf.printf "%d lines, %d wrong, ticks: %b\n" !lines !wrong (!ticks > 0)
  | pid ->
      Unix.close r;
      let oc = Unix.out_channel_of_descr w in
      let ticks = ref 0 in
      Sys.set_signal Sys.sigalrm (Sys.Signal_handle (fun _ -> incr ticks));
      ignore (Unix.setitimer Unix.ITIMER_REAL { Unix.it_interval = 0.002; it_value = 0.002 });
      let told = ref 0 in
      for i = 0 to size - 1 do
        if !ticks > !told then begin
          told := !ticks;
          output_string oc "tick\n"
        end;
        output_string oc (string_of_int i);
        output_char oc '\n'
      done;
      close_out oc;
      ignore (Unix.setitimer Unix.ITIMER_REAL { Unix.it_interval = 0.0; it_value = 0.0 });
      let rec wait () = try ignore (Unix.waitpid [] pid) with Unix.Unix_error (Unix.EINTR, _, _) -> wait () in
      wait ()
