(* An uncaught Failure ends the program with code 2 after flushing what was printed. *)

let checked_sqrt x = if x < 0. then failwith "checked_sqrt: negative" else sqrt x

let () =
  print_string "before ";
  Printf.printf "%.3f\n" (checked_sqrt 2.0);
  print_string "no newline at the end";
  ignore (checked_sqrt (-1.0));
  print_endline "never printed"
