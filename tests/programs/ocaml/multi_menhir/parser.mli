
(* The type of tokens. *)

type token = 
  | TIMES
  | STRING of (string)
  | RPAREN
  | PRINT
  | PRIME of (char * string option)
  | PLUS
  | MINUS
  | LPAREN
  | LET
  | INT of (int)
  | IDENT of (string)
  | FLOAT of (float)
  | EQUAL
  | EOL
  | EOF
  | DIV

(* This exception is raised by the monolithic API functions. *)

exception Error

(* The monolithic API. *)

val main: (Lexing.lexbuf -> token) -> Lexing.lexbuf -> (int)

val expression: (Lexing.lexbuf -> token) -> Lexing.lexbuf -> (float)
