%{
let table : (string, float) Hashtbl.t = Hashtbl.create 16
let parse_error message =
  Printf.printf "%s at %d-%d\n" message (Parsing.symbol_start ()) (Parsing.symbol_end ())
%}
%token <int> INT
%token <float> FLOAT
%token <string> IDENT STRING
%token <char * string option> PRIME
%token PLUS MINUS TIMES DIV LPAREN RPAREN EQUAL LET PRINT EOL EOF
%left PLUS MINUS
%left TIMES DIV
%nonassoc UMINUS
%start main
%type <int> main
%start expression
%type <float> expression
%%
main: lines EOF { List.length $1 };
lines:
    /* empty */ { [] }
  | lines line { $2 :: $1 }
;
line:
    EOL { "" }
  | PRINT expr EOL { Printf.printf "line %d: %g\n" (rhs_start_pos 1).Lexing.pos_lnum $2; "print" }
  | PRINT STRING EOL { print_endline $2; $2 }
  | LET IDENT EQUAL expr EOL { Hashtbl.replace table $2 $4; $2 }
  | error EOL { Printf.printf "recovered, columns %d to %d\n" (rhs_start 1) (rhs_end 2); "error" }
;
expression: expr EOF { $1 };
expr:
    INT { float_of_int $1 }
  | FLOAT { $1 }
  | IDENT { try Hashtbl.find table $1 with Not_found -> raise Parsing.Parse_error }
  | PRIME { let (c, rest) = $1 in float_of_int (Char.code c) +. (match rest with None -> 0.5 | Some s -> float_of_string s) }
  | expr PLUS expr { $1 +. $3 }
  | expr MINUS expr { $1 -. $3 }
  | expr TIMES expr { $1 *. $3 }
  | expr DIV expr { $1 /. $3 }
  | MINUS expr %prec UMINUS { -. $2 }
  | LPAREN expr RPAREN { $2 }
;
