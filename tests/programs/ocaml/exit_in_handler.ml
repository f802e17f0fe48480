(* exit raised from deep inside nested handlers and a finally block. *)

let rec search depth =
  if depth = 0 then begin
    print_endline "found";
    exit 42
  end else
    try search (depth - 1) with
    | Failure _ | Not_found -> print_endline "handler"

let () =
  at_exit (fun () -> Printf.printf "bye\n");
  try search 10 with Invalid_argument _ -> exit 1
