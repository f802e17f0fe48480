(* What a program can say about its own text. *)
let here () = __LOC__

(* Without the folder. *)
let short place = String.sub place (String.index place ',') (String.length place - String.index place ',')
let check where condition = if not condition then print_endline ("failed at " ^ where)

let () =
  print_endline (short __LOC__);
  print_endline (short (here ()));
  check (short __LOC__) (1 = 2);
  Printf.printf "%d %d\n" __LINE__
    __LINE__;
  print_endline (Filename.basename __FILE__);
  let file, line, first, last = __POS__ in
  Printf.printf "%s %d %d-%d\n" (Filename.basename file) line first last;
  print_endline __MODULE__;
  try assert (__LINE__ < 0) with Assert_failure (_, line, column) -> Printf.printf "%d %d\n" line column
