(* Sys.argv has the program name only; Sys constants; Filename helpers. *)

let () =
  Printf.printf "%d\n" (Array.length Sys.argv);
  Printf.printf "%b\n" (String.length Sys.argv.(0) > 0);
  Printf.printf "%d %b\n" Sys.int_size (Sys.word_size = 64);
  Printf.printf "%b %s\n" Sys.unix Sys.os_type;
  Printf.printf "%d\n" (Sys.max_array_length / Sys.max_array_length);
  print_endline (Filename.basename "/usr/lib/ocaml/list.ml");
  print_endline (Filename.dirname "/usr/lib/ocaml/list.ml");
  print_endline (Filename.chop_suffix "prog.ml" ".ml");
  print_endline (Filename.concat "a/b" "c.txt");
  print_endline (Filename.extension "archive.tar.gz");
  print_endline (Filename.remove_extension "archive.tar.gz");
  Printf.printf "%b %b\n" (Filename.check_suffix "x.ml" ".ml") (Filename.is_relative "/abs");
  match Sys.argv with
  | [| _ |] -> print_endline "no arguments"
  | _ -> print_endline "arguments"
