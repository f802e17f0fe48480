(* A calculator whose files ocamllex and menhir's code back end generated from `lexer.mll` and `parser.mly`. *)

let program = "let x = 2 * (3 + 4)\nprint x\nprint -x + 1.5\nprint \"say \\\"hi\\\"\"\n\n(* a (* nested *)\n comment *) print a'7 + b'\nlet y = x / 4\nprint y\n"
let () =
  let lexbuf = Lexing.from_string program in
  Printf.printf "%d lines\n" (Parser.main Lexer.token lexbuf);
  Printf.printf "%g\n" (Parser.expression Lexer.token (Lexing.from_string "1 - 2 - 3"));
  List.iter (fun text ->
    match Parser.expression Lexer.token (Lexing.from_string text) with
    | value -> Printf.printf "%s = %g\n" text value
    | exception Parser.Error -> Printf.printf "%s: syntax error\n" text
    | exception Lexer.Error message -> Printf.printf "%s: %s\n" text message)
    [ "1 +"; "2 * (3"; "4 ? 5"; "((6))"; ""; "7 8" ]
