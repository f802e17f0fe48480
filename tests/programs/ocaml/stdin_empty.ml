(* Reading from an empty standard input. *)

let () =
  (match read_line () with
   | s -> Printf.printf "got %S\n" s
   | exception End_of_file -> print_endline "End_of_file");
  (match input_char stdin with
   | c -> Printf.printf "got %C\n" c
   | exception End_of_file -> print_endline "End_of_file again");
  (match read_int_opt () with
   | Some n -> Printf.printf "got %d\n" n
   | None -> print_endline "no int"
   | exception End_of_file -> print_endline "End_of_file third");
  prerr_endline "to stderr";
  print_string "done"; print_char '\n'
