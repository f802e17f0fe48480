(* Channels are flushed from the newest to the oldest. *)
let name = Filename.concat (Filename.get_temp_dir_name ()) (Printf.sprintf "flush_order_%d" (Hashtbl.hash Sys.executable_name + int_of_float (1e6 *. Sys.time ())))

let () =
  let channel () = open_out_gen [ Open_wronly; Open_creat; Open_append ] 0o600 name in
  let a = channel () in
  let b = channel () in
  output_string a "a\n";
  output_string b "b\n";
  flush_all ();
  let input = open_in name in
  print_string (really_input_string input (in_channel_length input));
  close_in input;
  Sys.remove name
