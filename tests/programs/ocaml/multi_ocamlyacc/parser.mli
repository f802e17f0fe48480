type token =
  | INT of (
# 6 "parser.mly"
        int
# 6 "parser.mli"
)
  | FLOAT of (
# 7 "parser.mly"
        float
# 11 "parser.mli"
)
  | IDENT of (
# 8 "parser.mly"
        string
# 16 "parser.mli"
)
  | STRING of (
# 8 "parser.mly"
        string
# 21 "parser.mli"
)
  | PRIME of (
# 9 "parser.mly"
        char * string option
# 26 "parser.mli"
)
  | PLUS
  | MINUS
  | TIMES
  | DIV
  | LPAREN
  | RPAREN
  | EQUAL
  | LET
  | PRINT
  | EOL
  | EOF

val main :
  (Lexing.lexbuf  -> token) -> Lexing.lexbuf -> int
val expression :
  (Lexing.lexbuf  -> token) -> Lexing.lexbuf -> float
