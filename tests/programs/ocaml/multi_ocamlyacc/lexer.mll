{
open Parser
exception Error of string
}
let digit = ['0'-'9']
let letter = ['a'-'z' 'A'-'Z' '_']
rule token = parse
  | [' ' '\t'] { token lexbuf }
  | '\n' { Lexing.new_line lexbuf; EOL }
  | digit+ as n { INT (int_of_string n) }
  | (digit+ '.' digit*) as x { FLOAT (float_of_string x) }
  | letter (letter | digit)* as name { match name with "let" -> LET | "print" -> PRINT | _ -> IDENT name }
  | '"' { STRING (string_body (Buffer.create 16) lexbuf) }
  | "(*" { comment 1 lexbuf; token lexbuf }
  | (letter as a) '\'' (digit+ as rest)? { PRIME (a, rest) }
  | '+' { PLUS } | '-' { MINUS } | '*' { TIMES } | '/' { DIV }
  | '(' { LPAREN } | ')' { RPAREN } | '=' { EQUAL }
  | eof { EOF }
  | _ as c { raise (Error (Printf.sprintf "bad character %C at %d" c (Lexing.lexeme_start lexbuf))) }
and string_body buf = parse
  | '"' { Buffer.contents buf }
  | '\\' (_ as c) { Buffer.add_char buf c; string_body buf lexbuf }
  | [^ '"' '\\']+ as s { Buffer.add_string buf s; string_body buf lexbuf }
  | eof { raise (Error "unterminated string") }
and comment depth = parse
  | "*)" { if depth > 1 then comment (depth - 1) lexbuf }
  | "(*" { comment (depth + 1) lexbuf }
  | '\n' { Lexing.new_line lexbuf; comment depth lexbuf }
  | eof { raise (Error "unterminated comment") }
  | _ { comment depth lexbuf }
