(* Une source en Latin-1 : été, à côté de "chaînes « non fermées »" et de 'é' *)
let s = "déjà vu"
let quoted = {fin|naïve|fin}
let c = 'é'
let escaped = "\233é\xe9"
let format () = Printf.printf "café %d µs\n" 3

let () =
  print_endline s;
  print_endline quoted;
  Printf.printf "%d %d %d %c\n" (String.length s) (String.length quoted) (Char.code c) c;
  Printf.printf "%b %S\n" (escaped = String.make 3 c) escaped;
  format ();
  (match s.[1] with 'é' -> print_endline "trouvé" | _ -> print_endline "non");
  (* Columns are counted in bytes of the file. *)
  (match "ééé", __POS__ with _, (_, line, from, until) -> Printf.printf "%d %d %d\n" line from until);
  try ignore (String.length "éé" > 1 && (assert (s = "é"); true)) with Assert_failure (_, line, column) -> Printf.printf "%d %d\n" line column
