(* Match_failure and Assert_failure: one caught, one uncaught. *)

let name = function 1 -> "one" | 2 -> "two"
let head (x :: _) = x

let () =
  print_endline (name 2);
  (try print_endline (name 3) with Match_failure (file, line, col) ->
     Printf.printf "%s %d %d\n" (Filename.basename file) line col);
  (try print_int (head []) with Match_failure (_, line, _) -> Printf.printf "line %d\n" line);
  (try assert (1 + 1 = 3) with Assert_failure (file, line, col) -> Printf.printf "%s %d %d\n" (Filename.basename file) line col);
  assert (name 1 = "uno")
