
(* The type of tokens. *)

type token = 
  | TIMES
  | THEN
  | STRING of (string)
  | RP
  | PLUS
  | MINUS
  | LT
  | LP
  | LET
  | INT of (int)
  | IN
  | IF
  | IDENT of (string)
  | FUN
  | EQ
  | EOF
  | END
  | ELSE
  | DIV
  | ARROW

(* This exception is raised by the monolithic API functions. *)

exception Error

(* The monolithic API. *)

val program: (Lexing.lexbuf -> token) -> Lexing.lexbuf -> (Ast.expr list)
