(* exit with a code; at_exit functions run in reverse order; output is flushed. *)

let () = at_exit (fun () -> print_endline "first registered, last run")
let () = at_exit (fun () -> print_string "second; ")

let validate n =
  if n > 3 then begin
    Printf.printf "invalid %d\n" n;
    exit 3
  end

let () =
  at_exit (fun () -> print_string "third; ");
  List.iter validate [ 1; 2; 3; 4; 5 ];
  print_endline "unreachable"
