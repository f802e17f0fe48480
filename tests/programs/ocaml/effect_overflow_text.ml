(* The text of the exception that ends the stack of a fibre, and of one that is handled by its name *)
let rec deep n = 1 + deep (n + 1) * (n land 3)
let () =
  let show e = print_endline (Printexc.to_string e) in
  Effect.Deep.match_with deep 0 { retc = print_int; exnc = show; effc = (fun _ -> None) };
  (try print_int (deep 0) with Stack_overflow as e -> show e);
  match deep 0 with n -> print_int n | exception e -> show e
