(* String and char literal syntax: every escape, quoted strings, line continuations, comments with strings inside. *)

(* a comment with "a string *) inside" and a 'c' char and (* nesting *) *)
let a = "tab\tnl\\n quote\" dec\065 hex\x41 oct\o101"
let b = "line one\
         \ line two (one leading space kept)"
let c = {|back\slash "quotes" stay|}
let d = {tag|contains |} and {| freely|tag}
let e = "embedded
newline"
let f = [ '\\'; '\''; '"'; '\n'; '\t'; '\r'; '\b'; '\ '; '\065'; '\x7a'; '\o172' ]

let () =
  List.iter print_endline [ a; b; c; d; e ];
  List.iter (fun s -> Printf.printf "%d %S\n" (String.length s) s) [ a; b; c; d; e; ""; "\\"; "é"; "\000\001\127\128\255" ];
  List.iter (fun ch -> Printf.printf "%d " (Char.code ch)) f;
  print_newline ();
  print_endline (String.escaped a);
  print_endline (String.escaped "\u{3bb}x.x");
  Printf.printf "%s %% %s\n" "percent" "100%";
  Printf.printf "%c%c%c\n" 'a' '\x62' '\099';
  print_string "no newline"; print_char '\n';
  let x' = 1 and x'' = 2 in
  let _unused = 0 in
  Printf.printf "%d\n" (x' + x'');
  Printf.printf "%d %d %f %g\n" 1_000 0b1111_0000 1_0.5e1 0x1.8p1
