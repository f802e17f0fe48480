(* A continuation is resumed once. *)
open Effect
open Effect.Deep
type _ Effect.t += Twice : int t
let attempt f = try Printf.printf "%d\n" (f ()) with Continuation_already_resumed -> print_endline "already resumed" | e -> print_endline (Printexc.to_string e)
let () =
  attempt (fun () -> match perform Twice with v -> v | effect Twice, k -> continue k 1 + continue k 2);
  attempt (fun () -> match perform Twice with v -> v | effect Twice, k -> (try continue k 1 with Exit -> 5));
  attempt (fun () -> match perform Twice with v -> v | effect Twice, k -> let a = continue k 1 in (try a + continue k 2 with Continuation_already_resumed -> a * 100));
  attempt (fun () -> match perform Twice with v -> v | effect Twice, k -> ignore (continue k 3); discontinue k Exit);
  attempt (fun () -> match perform Twice with v -> v | effect Twice, k -> (try discontinue k Exit with Exit -> 7) + continue k 3);
  let saved : (int, int) continuation option ref = ref None in
  attempt (fun () -> match perform Twice + perform Twice with v -> v | effect Twice, k -> saved := Some k; 0);
  let again () = match !saved with Some k -> continue k 10 | None -> -1 in
  attempt again;
  attempt again;
  attempt again
