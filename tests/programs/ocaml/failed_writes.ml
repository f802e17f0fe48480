(* Failed writes, buffered and unbuffered. *)
let show name f = match f () with
  | x -> Printf.printf "%s: %s\n%!" name x
  | exception Sys_blocked_io -> Printf.printf "%s: blocked\n%!" name
  | exception Sys_error e -> Printf.printf "%s: Sys_error %s\n%!" name e
let full buffered =
  let oc = open_out "/dev/full" in
  if not buffered then Out_channel.set_buffered oc false;
  show "string" (fun () -> output_string oc "hello"; "ok");
  show "char" (fun () -> output_char oc 'c'; "ok");
  show "again" (fun () -> output_string oc "there"; "ok");
  show "big" (fun () -> output_string oc (String.make 200_000 'x'); "ok");
  Printf.printf "pos %d\n" (pos_out oc);
  show "flush" (fun () -> flush oc; "ok");
  show "close" (fun () -> close_out oc; "ok");
  show "close" (fun () -> close_out oc; "ok");
  show "after" (fun () -> output_string oc "x"; "ok");
  show "noerr" (fun () -> close_out_noerr oc; "ok")
let () = full true; print_endline "--"; full false
let pipe buffered =
  let r, w = Unix.pipe () in
  let oc = Unix.out_channel_of_descr w in
  if not buffered then Out_channel.set_buffered oc false;
  Unix.close r;
  show "string" (fun () -> output_string oc "hello"; "ok");
  show "flush" (fun () -> flush oc; "ok");
  show "flush" (fun () -> flush oc; "ok");
  show "more" (fun () -> output_string oc "more"; "ok");
  show "big" (fun () -> output_string oc (String.make 200_000 'x'); "ok");
  Printf.printf "pos %d\n" (pos_out oc);
  show "close" (fun () -> close_out oc; "ok")
let () = Sys.set_signal Sys.sigpipe Sys.Signal_ignore; print_endline "--"; pipe true; print_endline "--"; pipe false
let () =
  (* an unbuffered channel keeps what a failed write left *)
  let r, w = Unix.pipe () in
  Unix.set_nonblock w;
  let oc = Unix.out_channel_of_descr w in
  Out_channel.set_buffered oc false;
  let fill = Bytes.make 65536 'f' in
  Printf.printf "fill %d\n" (Unix.write w fill 0 65536);
  show "blocked" (fun () -> output_string oc "kept "; "ok");
  show "blocked 2" (fun () -> output_string oc "too "; "ok");
  show "char" (fun () -> output_char oc '!'; "ok");
  Printf.printf "pos %d\n" (pos_out oc);
  let b = Bytes.create 65536 in
  Printf.printf "drained %d\n" (Unix.read r b 0 65536);
  show "next" (fun () -> output_string oc "next"; "ok");
  show "flush" (fun () -> flush oc; "ok");
  let n = Unix.read r b 0 100 in
  Printf.printf "%S\n" (Bytes.sub_string b 0 n);
  close_out oc
