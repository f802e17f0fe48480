(* Char functions, classification, arithmetic on codes, escapes. *)

let classify c =
  match c with
  | '\000' .. '\031' | '\127' -> 'C'
  | '0' .. '9' -> 'D'
  | 'A' .. 'Z' -> 'U'
  | 'a' .. 'z' -> 'L'
  | ' ' -> 'S'
  | '\128' .. '\255' -> 'H'
  | _ -> 'P'

let () =
  let counts = Hashtbl.create 8 in
  for i = 0 to 255 do
    let k = classify (Char.chr i) in
    Hashtbl.replace counts k (1 + Option.value ~default:0 (Hashtbl.find_opt counts k))
  done;
  List.iter (fun k -> Printf.printf "%c=%d " k (Hashtbl.find counts k)) [ 'C'; 'D'; 'U'; 'L'; 'S'; 'H'; 'P' ];
  print_newline ();
  Printf.printf "%d %c %c %c\n" (Char.code 'A') (Char.chr 98) (Char.lowercase_ascii 'Q') (Char.uppercase_ascii 'q');
  Printf.printf "%c %c\n" (Char.uppercase_ascii '5') (Char.lowercase_ascii '\200' |> fun c -> if c = '\200' then 'y' else 'n');
  List.iter (fun c -> Printf.printf "%s %C; " (Char.escaped c) c) [ 'a'; '\n'; '\t'; '\\'; '\''; '"'; '\000'; '\r'; '\b'; '\200'; ' ' ];
  print_newline ();
  Printf.printf "%d %d %b\n" (Char.compare 'a' 'b') (compare 'z' 'a') ('a' = Char.chr 97);
  (try ignore (Char.chr 256) with Invalid_argument m -> print_endline m);
  (try ignore (Char.chr (-1)) with Invalid_argument m -> print_endline m);
  for c = Char.code 'a' to Char.code 'z' do print_char (Char.chr (219 - c)) done;
  print_newline ();
  let next c = if c = 'z' then 'a' else Char.chr (Char.code c + 1) in
  print_endline (String.map next "hello wxyz" |> String.map (function '!' -> ' ' | c -> c))
