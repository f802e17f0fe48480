(* The stack of a fibre ends, too. *)
open Effect
open Effect.Deep
type _ Effect.t += Ask : int t
let rec deep n = 1 + deep (n + 1) * (if n < 0 then perform Ask else 1)
let () =
  (match deep 0 with
   | v -> Printf.printf "%d\n" v
   | exception Stack_overflow -> print_endline "overflow"
   | effect Ask, k -> continue k 1);
  (match (try deep 0 with Stack_overflow -> perform Ask) with
   | v -> Printf.printf "%d\n" v
   | effect Ask, k -> continue k 42);
  let rec count n = if n = 0 then 0 else 1 + count (n - 1) in
  (match count 1000 + perform Ask with
   | v -> Printf.printf "%d\n" v
   | effect Ask, k -> continue k 1)
