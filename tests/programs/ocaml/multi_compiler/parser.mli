exception Parse_error of string

val parse : string -> Ast.expr
