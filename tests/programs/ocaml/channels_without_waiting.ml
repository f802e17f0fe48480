(* Non-blocking descriptors through channels. *)
let show name f = match f () with
  | x -> Printf.printf "%s: %s\n%!" name x
  | exception Sys_blocked_io -> Printf.printf "%s: blocked\n%!" name
  | exception Sys_error e -> Printf.printf "%s: Sys_error %s\n%!" name e
  | exception End_of_file -> Printf.printf "%s: end\n%!" name
let () =
  Sys.set_signal Sys.sigpipe Sys.Signal_ignore;
  let r, w = Unix.pipe () in
  Unix.set_nonblock r; Unix.set_nonblock w;
  let ic = Unix.in_channel_of_descr r and oc = Unix.out_channel_of_descr w in
  show "empty char" (fun () -> String.make 1 (input_char ic));
  show "empty line" (fun () -> input_line ic);
  show "empty really" (fun () -> really_input_string ic 4);
  show "empty input" (fun () -> string_of_int (input ic (Bytes.create 5) 0 5));
  output_string oc "ab"; flush oc;
  show "part of a line" (fun () -> input_line ic);
  output_string oc "cd\nrest"; flush oc;
  show "line" (fun () -> input_line ic);
  show "line 2" (fun () -> input_line ic);
  show "char" (fun () -> String.make 1 (input_char ic));
  output_string oc "wxyz"; flush oc;
  show "really 20" (fun () -> really_input_string ic 20);
  output_string oc "0123456789"; flush oc;
  show "really 5" (fun () -> really_input_string ic 5);
  show "in_channel.input_all" (fun () -> In_channel.input_all ic);
  (* full pipe *)
  let big = String.make 100_000 'x' in
  show "write big" (fun () -> output_string oc big; "done");
  show "flush" (fun () -> flush oc; "done");
  show "flush again" (fun () -> flush oc; "done");
  Printf.printf "pos %d\n" (pos_out oc);
  let buf = Bytes.create 70000 in
  let n = ref 0 in
  (try while true do n := !n + Unix.read r buf 0 70000 done with Unix.Unix_error (e, _, _) -> print_endline (Unix.error_message e));
  Printf.printf "read %d\n" !n;
  show "flush after" (fun () -> flush oc; "done");
  show "big 2" (fun () -> output_string oc big; "done");
  show "close" (fun () -> close_out oc; "closed");
  show "close_noerr" (fun () -> close_out_noerr oc; "closed");
  n := 0;
  (try while true do let k = Unix.read r buf 0 70000 in if k = 0 then raise Exit; n := !n + k done with Exit -> print_endline "eof" | Unix.Unix_error (e, _, _) -> print_endline (Unix.error_message e));
  Printf.printf "read %d\n" !n;
  show "at exit" (fun () -> "fine")
