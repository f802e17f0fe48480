(* A calculator whose files ocamllex and ocamlyacc generated from `lexer.mll` and `parser.mly`. *)

let program = "let x = 2 * (3 + 4)\nprint x\nprint -x + 1.5\nprint \"say \\\"hi\\\"\"\n\nprint 1 + + 2\nprint y\n(* a (* nested *)\n comment *) print a'7 + b'\nlet y = x / 4\nprint y\n"
let () =
  let lexbuf = Lexing.from_string program in
  Lexing.set_filename lexbuf "calc";
  Printf.printf "%d lines\n" (Parser.main Lexer.token lexbuf);
  Printf.printf "%g\n" (Parser.expression Lexer.token (Lexing.from_string "1 - 2 - 3"));
  let position = ref 0 in
  let refill buffer count =
    let n = min (min count 3) (String.length program - !position) in
    Bytes.blit_string program !position buffer 0 n;
    position := !position + n;
    n
  in
  Printf.printf "%d lines\n" (Parser.main Lexer.token (Lexing.from_function refill));
  (try ignore (Parser.expression Lexer.token (Lexing.from_string "1 +")) with
  | Parsing.Parse_error -> Printf.printf "parse error, lookahead is EOF: %b, PLUS: %b\n" (Parsing.is_current_lookahead Parser.EOF) (Parsing.is_current_lookahead Parser.PLUS));
  (try ignore (Parser.expression Lexer.token (Lexing.from_string "1 ? 2")) with
  | Lexer.Error message -> print_endline message);
  (try ignore (Lexer.string_body (Buffer.create 1) (Lexing.from_string "abc")) with Lexer.Error m -> print_endline m);
  Parsing.clear_parser ()
