(* Multi-file program: lexer, parser, optimiser and stack machine in separate modules. *)

let process src =
  Printf.printf "> %s\n" src;
  match Parser.parse src with
  | exception Parser.Parse_error m -> Printf.printf "  parse error: %s\n" m
  | exception Lexer.Lex_error (i, c) -> Printf.printf "  bad character %C at %d\n" c i
  | e ->
    let o = Optimize.run e in
    Printf.printf "  %s\n" (Ast.to_string e);
    if o <> e then Printf.printf "  = %s\n" (Ast.to_string o);
    match Machine.compile [ "arg" ] (Ast.Let ("arg", Ast.Num 7, e)) with
    | exception Machine.Unbound x -> Printf.printf "  unbound %s\n" x
    | code ->
      Printf.printf "  %s\n" (String.concat "; " (List.map Machine.show code));
      Printf.printf "  -> %d\n" (Machine.run code)

let () =
  List.iter process
    [ "1 + 2 * 3"; "let x = 5 in x * x - arg"; "if arg - 7 then 1 else 2"; "(arg + 0) * 1";
      "let x = arg in let y = x + 1 in if y then y * x else 0"; "let a = 2 in let b = a * a in b - 4";
      "1 +"; "let in"; "2 ? 3"; "(1"; "nope + 1" ]
