(* What runs and what does not when a computation is left. *)
open Effect
open Effect.Deep

type _ Effect.t += Stop : unit t | Keep : int -> int t

let guarded name f =
  Fun.protect ~finally:(fun () -> Printf.printf "finally %s\n" name) f

let () =
  (* discontinued: the finalisers run *)
  (match guarded "outer" (fun () -> guarded "inner" (fun () -> perform Stop; print_endline "never")) with
   | () -> print_endline "value"
   | exception Exit -> print_endline "exit"
   | effect Stop, k -> discontinue k Exit);
  (* resumed: they run at the end *)
  (match guarded "one" (fun () -> perform Stop; print_endline "on") with
   | () -> print_endline "value"
   | effect Stop, k -> print_endline "handling"; continue k ());
  (* dropped: nothing runs *)
  (match guarded "lost" (fun () -> (try perform Stop with _ -> print_endline "caught"); print_endline "never") with
   | () -> print_endline "value"
   | exception _ -> print_endline "exception"
   | effect Stop, _ -> print_endline "dropped");
  (* dropped later, with what its frames hold *)
  let kept : (int, int) continuation list ref = ref [] in
  for i = 1 to 5 do
    let r = match
        let s = String.make i 'x' in
        let l = List.init i (fun j -> s ^ string_of_int j) in
        let n = guarded s (fun () -> perform (Keep i)) in
        n + List.length l
      with
      | v -> v
      | effect Keep n, k -> kept := k :: !kept; -n in
    Printf.printf "%d " r
  done;
  print_newline ();
  (match !kept with
   | a :: _ :: c :: _ -> Printf.printf "%d %d\n" (continue a 100) (try discontinue c Not_found with Not_found -> 0)
   | _ -> ());
  kept := [];
  (* a chain: each holds the next *)
  let rec chain n : (unit, unit) continuation option =
    if n = 0 then None
    else begin
      let next = chain (n - 1) in
      let mine : (unit, unit) continuation option ref = ref None in
      (match perform Stop; ignore (Sys.opaque_identity next) with
       | () -> ()
       | effect Stop, k -> mine := Some k);
      !mine
    end in
  ignore (chain 1000);
  (* handlers inside of one that is dropped *)
  (match
     match (try perform Stop; 1 with Exit -> 2) with
     | v -> v
     | effect Keep n, k -> continue k n
   with
   | v -> Printf.printf "%d\n" v
   | effect Stop, _ -> print_endline "gone");
  print_endline "end"
