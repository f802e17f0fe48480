{ open Parser
  exception Error of string }
let digit = ['0'-'9']
let ident = ['a'-'z' 'A'-'Z' '_'] ['a'-'z' 'A'-'Z' '0'-'9' '_']*
rule token = parse
  | [' ' '\t' '\r'] { token lexbuf }
  | '\n' { Lexing.new_line lexbuf; token lexbuf }
  | "(*" { comment 1 lexbuf }
  | "let" { LET } | "in" { IN } | "if" { IF } | "then" { THEN } | "else" { ELSE } | "fun" { FUN }
  | digit+ as s { INT (int_of_string s) }
  | ident as s { IDENT s }
  | '"' ([^ '"' '\\']* as s) '"' { STRING s }
  | "->" { ARROW } | '=' { EQ } | '+' { PLUS } | '-' { MINUS } | '*' { TIMES } | '/' { DIV } | '(' { LP } | ')' { RP } | "<" { LT } | ";;" { END }
  | eof { EOF }
  | _ as c { raise (Error (Printf.sprintf "unexpected %C at %d" c (Lexing.lexeme_start lexbuf))) }
and comment depth = parse
  | "*)" { if depth = 1 then token lexbuf else comment (depth - 1) lexbuf }
  | "(*" { comment (depth + 1) lexbuf }
  | '\n' { Lexing.new_line lexbuf; comment depth lexbuf }
  | eof { raise (Error "comment") }
  | _ { comment depth lexbuf }
