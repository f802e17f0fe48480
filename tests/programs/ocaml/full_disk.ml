(* A channel to a disk that is full: what it keeps, and who is told. *)
let t f = try f (); print_endline "ok" with e -> print_endline (Printexc.to_string e)
let () =
  let oc = open_out "/dev/full" in
  output_string oc "hello";
  t (fun () -> flush oc);
  t (fun () -> flush oc);
  t (fun () -> output_string oc (String.make 70000 'x'));
  t (fun () -> output_string oc (String.make 70000 'x'));
  Printf.printf "%d\n" (pos_out oc);
  t (fun () -> close_out oc);
  t (fun () -> close_out oc);
  t (fun () -> output_string oc "x");
  t (fun () -> flush oc);
  close_out_noerr oc;
  let oc = open_out "/dev/full" in
  t (fun () -> Printf.fprintf oc "%s%!" "abc");
  t (fun () -> Format.fprintf (Format.formatter_of_out_channel oc) "abc@.");
  t (fun () -> Out_channel.with_open_bin "/dev/full" (fun oc -> output_string oc "abc"));
  let oc = open_out "/dev/full" in
  output_string oc "lost at exit"
(* The same by characters and numbers, and without a buffer *)
let () =
  let oc = open_out "/dev/full" in
  t (fun () -> for i = 1 to 100_000 do output_char oc 'c' done);
  Printf.printf "%d\n" (pos_out oc);
  t (fun () -> for i = 1 to 100_000 do Printf.fprintf oc "%d\n" i done);
  t (fun () -> output_binary_int oc 5);
  close_out_noerr oc;
  let oc = open_out "/dev/full" in
  Out_channel.set_buffered oc false;
  t (fun () -> output_string oc "at once");
  close_out_noerr oc;
  let b = Buffer.create 10 in
  Buffer.add_string b "text";
  let oc = open_out "/dev/full" in
  t (fun () -> Buffer.output_buffer oc b);
  t (fun () -> close_out oc);
  Out_channel.with_open_text "/dev/full" (fun oc -> t (fun () -> Out_channel.output_string oc "x"; Out_channel.flush oc))
