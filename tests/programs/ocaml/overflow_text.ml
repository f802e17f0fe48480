(* The text of a stack overflow that is handled by its name *)
let rec deep n = 1 + deep (n + 1) * (n land 3)
let () = try print_int (deep 0) with Stack_overflow as e -> print_endline (Printexc.to_string e)
