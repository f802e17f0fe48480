(* An effect without a handler ends the program as an exception does: what was written stays. *)
type _ Effect.t += Lost : int * string -> unit Effect.t

let () =
  at_exit (fun () -> print_endline "at exit");
  print_string "written; ";
  (match Effect.perform (Lost (1, "first")) with
  | () -> ()
  | exception (Effect.Unhandled (Lost (n, text)) as e) -> Printf.printf "%d %s %s; " n text (Printexc.to_string e));
  (match Effect.perform (Lost (2, "second")) with
  | () -> print_string "continued; "
  | effect Lost _, k -> Effect.Deep.continue k ());
  (match Fun.protect ~finally:(fun () -> print_string "finally; ") (fun () -> Effect.perform (Lost (3, "third"))) with
  | () -> ()
  | effect Lost _, k -> (
      try Effect.Deep.discontinue k (Effect.Unhandled (Lost (4, "fourth"))) with Effect.Unhandled (Lost (n, _)) -> Printf.printf "%d; " n));
  let escaped : (unit, unit) Effect.Deep.continuation option ref = ref None in
  let keep k = escaped := Some k in
  (match Effect.perform (Lost (5, "fifth")); print_string "resumed later; "; Effect.perform (Lost (6, "sixth")) with
  | () -> print_string "never; "
  | effect Lost (5, _), k -> keep k);
  match !escaped with
  | None -> ()
  | Some k -> Effect.Deep.continue k ()
