(* The standard formatter between other output; formatters of one's own; what is left at the end is flushed. *)
let () = at_exit (fun () -> Format.printf "at exit@ ")

let () =
  print_string "1 plain\n";
  Format.printf "2 format";
  print_string "3 plain, and the formatter has kept its text?\n";
  Format.print_flush ();
  print_string "\n";
  Format.printf "@[<v>4@ 5@]%!";
  print_endline "";
  let log = Buffer.create 10 in
  let ppf =
    Format.make_formatter
      (fun s pos len -> Buffer.add_string log (Printf.sprintf "[%s]" (String.sub s pos len)))
      (fun () -> Buffer.add_string log "<flush>\n")
  in
  Format.pp_set_margin ppf 30;
  Format.fprintf ppf "a %% b@ @[<hov 2>%d@ %s@]@;<90 0>%c@@ @%% @[<v 2>x@,y@]" 12 "text" 'c';
  Format.pp_print_flush ppf ();
  Format.pp_print_newline ppf ();
  print_string (Buffer.contents log);
  let show = function
    | Format.Output_flush -> "flush"
    | Output_newline -> "newline"
    | Output_string s -> Printf.sprintf "%S" s
    | Output_spaces n -> Printf.sprintf "spaces %d" n
    | Output_indent n -> Printf.sprintf "indent %d" n
  in
  let sob = Format.make_symbolic_output_buffer () in
  let ppf = Format.formatter_of_symbolic_output_buffer sob in
  Format.fprintf ppf "@[<v 2>let x =@ %a@]@." Format.pp_print_text "some text\nin lines";
  Format.add_symbolic_output_item sob (Format.Output_string "by hand");
  print_endline (String.concat "; " (List.map show (Format.flush_symbolic_output_buffer sob)));
  print_int (List.length (Format.get_symbolic_output_buffer sob));
  print_newline ();
  let channel = open_out "/dev/null" in
  Format.set_formatter_out_channel channel;
  Format.printf "lost@.";
  Format.set_formatter_out_channel stdout;
  close_out channel;
  let put, flush = Format.get_formatter_output_functions () in
  Format.set_formatter_output_functions (fun s p n -> put (String.uppercase_ascii s) p n) flush;
  Format.printf "shouted@ text@.";
  Format.set_formatter_output_functions put flush;
  Format.pp_update_geometry Format.std_formatter (fun g -> { g with margin = 30; max_indent = 9 });
  let g = Format.get_geometry () in
  Format.printf "%d %d %b@." g.margin g.max_indent (Format.check_geometry { g with max_indent = 1 });
  (try Format.set_geometry ~max_indent:40 ~margin:30 with Invalid_argument m -> print_endline m);
  Format.safe_set_geometry ~max_indent:40 ~margin:30;
  Format.printf "%s@ %s@ %d@." (Format.sprintf "@[<v>s@,t@]") (Format.sprintf "%a" (fun () -> string_of_int) 3)
    (Format.utf_8_scalar_width "été" ~pos:1 ~len:3);
  Format.printf "%s@\n" (Format.asprintf "@[%a@]" Format.pp_print_bytes (Bytes.of_string "bytes"));
  Format.printf "@[<v 2>left open@ here"
