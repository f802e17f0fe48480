(* In_channel, Out_channel, files, seeking *)
let () =
  let f = Filename.temp_file "ox" ".bin" in
  Out_channel.with_open_bin f (fun oc -> Out_channel.output_string oc "line one\nline two\r\nthree\n\nlast"; Printf.printf "%Ld\n" (Out_channel.pos oc));
  In_channel.with_open_text f (fun ic -> let rec go () = match In_channel.input_line ic with Some l -> Printf.printf "%S " l; go () | None -> print_newline () in go ());
  print_endline (String.concat "|" (In_channel.with_open_bin f In_channel.input_lines));
  Printf.printf "%d\n" (In_channel.with_open_bin f (fun ic -> In_channel.fold_lines (fun n _ -> n + 1) 0 ic));
  In_channel.with_open_bin f (fun ic ->
    Printf.printf "%Ld\n" (In_channel.length ic); In_channel.seek ic 5L;
    Printf.printf "%s\n" (match In_channel.really_input_string ic 3 with Some s -> s | None -> "none");
    Printf.printf "%Ld %s\n" (In_channel.pos ic) (match In_channel.input_char ic with Some c -> Char.escaped c | None -> "none");
    In_channel.seek ic 1000L; Printf.printf "%s\n" (match In_channel.input_byte ic with Some b -> string_of_int b | None -> "none");
    (try In_channel.seek ic (-1L) with Sys_error m -> print_endline m);
    In_channel.seek ic 0L; let b = Bytes.make 8 '.' in Printf.printf "%d %S\n" (In_channel.input ic b 2 4) (Bytes.to_string b);
    (match In_channel.input_bigarray ic (Bigarray.Array1.create Char C_layout 4) 0 9 with _ -> () | exception Invalid_argument m -> print_endline m);
    Printf.printf "%b\n" (In_channel.is_binary_mode ic));
  let oc = open_out_gen [Open_append; Open_wronly] 0 f in output_string oc "+more"; Printf.printf "%d %d\n" (pos_out oc) (out_channel_length oc); close_out oc; Printf.printf "%d\n" (In_channel.with_open_bin f In_channel.length |> Int64.to_int);
  (try output_string oc "x"; flush oc; print_endline "written to closed?" with Sys_error m -> print_endline m);
  (try flush oc; print_endline "flush ok" with Sys_error m -> print_endline m);
  (try seek_out oc 0; print_endline "seek ok" with Sys_error m -> print_endline m);
  
  close_out oc; close_out_noerr oc;
  let ic = open_in f in close_in ic; close_in ic;
  (try ignore (input_char ic) with Sys_error m -> print_endline m);
  (try ignore (input ic (Bytes.create 3) 0 3) with Sys_error m -> print_endline m);
  (try ignore (in_channel_length ic) with Sys_error m -> print_endline m);
  (try ignore (open_out "/nonexistent/a") with Sys_error m -> print_endline m);
  (try ignore (open_out_gen [Open_creat; Open_excl; Open_wronly] 0o600 f) with Sys_error m -> print_endline (String.sub m (String.length f) (String.length m - String.length f)));
  (try ignore (In_channel.with_open_bin "/tmp" In_channel.input_all) with Sys_error m -> print_endline m);
  Out_channel.with_open_bin f (fun oc -> output_binary_int oc (-2); output_byte oc 300; output_value oc [1;2;3]; output_char oc 'e');
  In_channel.with_open_bin f (fun ic -> let a = input_binary_int ic in let b = input_byte ic in let v : int list = input_value ic in Printf.printf "%d %d %s %c\n" a b (String.concat "," (List.map string_of_int v)) (input_char ic); (try ignore (input_binary_int ic) with End_of_file -> print_endline "eof"));
  (try let oc = open_out f in output oc (Bytes.create 3) 2 2 with Invalid_argument m -> print_endline m);
  Sys.remove f; (try Sys.remove f with Sys_error m -> print_endline "gone");
  Printf.printf "%s %s %s\n" (Filename.concat "a" "b") (Filename.remove_extension "x.tar.gz") (Filename.quote "it's");
  print_endline (Filename.quote_command "ls" ~stdout:"o" ["a b"; "c"]);
  let big = String.make 200_001 'q' in let f = Filename.temp_file "ox" "" in
  let oc = open_out f in Out_channel.set_buffered oc false; output_string oc "abc"; output_string oc big; Printf.printf "%b %d\n" (Out_channel.is_buffered oc) (In_channel.with_open_bin f In_channel.length |> Int64.to_int); output_char oc 'x'; seek_out oc 1; output_string oc "Z"; close_out oc; Printf.printf "%S\n" (String.sub (In_channel.with_open_bin f In_channel.input_all) 0 5);
  let oc = open_out f in output_string oc "pre"; output_string oc big; Printf.printf "%d\n" (In_channel.with_open_bin f In_channel.length |> Int64.to_int); output_string oc (String.make 65536 'w'); Printf.printf "%d\n" (In_channel.with_open_bin f In_channel.length |> Int64.to_int); close_out oc;
  let oc = open_out f in output_string oc (String.make 65536 'a'); Printf.printf "%d\n" (In_channel.with_open_bin f In_channel.length |> Int64.to_int); for _ = 1 to 65536 do output_char oc 'c' done; Printf.printf "%d\n" (In_channel.with_open_bin f In_channel.length |> Int64.to_int); output_char oc 'd'; Printf.printf "%d\n" (In_channel.with_open_bin f In_channel.length |> Int64.to_int); close_out oc; Sys.remove f
