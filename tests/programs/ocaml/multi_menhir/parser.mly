%{
let table : (string, float) Hashtbl.t = Hashtbl.create 16
%}
%token <int> INT
%token <float> FLOAT
%token <string> IDENT STRING
%token <char * string option> PRIME
%token PLUS MINUS TIMES DIV LPAREN RPAREN EQUAL LET PRINT EOL EOF
%left PLUS MINUS
%left TIMES DIV
%nonassoc UMINUS
%start <int> main
%start <float> expression
%%
main: lines = list(line); EOF { List.length lines }
line:
  | EOL { "" }
  | PRINT; e = expr; EOL { Printf.printf "line %d: %g\n" $startpos.Lexing.pos_lnum e; "print" }
  | PRINT; s = STRING; EOL { print_endline s; s }
  | LET; name = IDENT; EQUAL; e = expr; EOL { Hashtbl.replace table name e; name }
expression: e = expr; EOF { e }
expr:
  | n = INT { float_of_int n }
  | x = FLOAT { x }
  | name = IDENT { try Hashtbl.find table name with Not_found -> nan }
  | p = PRIME { let (c, rest) = p in float_of_int (Char.code c) +. (match rest with None -> 0.5 | Some s -> float_of_string s) }
  | a = expr; PLUS; b = expr { a +. b }
  | a = expr; MINUS; b = expr { a -. b }
  | a = expr; TIMES; b = expr { a *. b }
  | a = expr; DIV; b = expr { a /. b }
  | MINUS; e = expr %prec UMINUS { -. e }
  | LPAREN; e = expr; RPAREN { e }
