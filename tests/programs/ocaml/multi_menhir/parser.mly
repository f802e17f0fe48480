%{ open Ast %}
%token <int> INT
%token <string> IDENT STRING
%token LET IN IF THEN ELSE FUN ARROW EQ PLUS MINUS TIMES DIV LP RP LT END EOF
%start program
%type <Ast.expr list> program phrases
%type <Ast.expr> expr app simple
%nonassoc IN ELSE ARROW
%nonassoc LT
%left PLUS MINUS
%left TIMES DIV
%nonassoc UMINUS
%%
program: phrases EOF { List.rev $1 };
phrases: /* empty */ { [] } | phrases expr END { $2 :: $1 };
expr:
  | app { $1 }
  | expr PLUS expr { Bin (Add, $1, $3) }
  | expr MINUS expr { Bin (Sub, $1, $3) }
  | expr TIMES expr { Bin (Mul, $1, $3) }
  | expr DIV expr { Bin (Div, $1, $3) }
  | expr LT expr { Bin (Lt, $1, $3) }
  | MINUS expr %prec UMINUS { Neg $2 }
  | LET IDENT EQ expr IN expr { Let ($2, $4, $6) }
  | FUN IDENT ARROW expr { Fun ($2, $4) }
  | IF expr THEN expr ELSE expr { If ($2, $4, $6) };
app: simple { $1 } | app simple { App ($1, $2) };
simple: INT { Int $1 } | IDENT { Var $1 } | STRING { Str $1 } | LP expr RP { $2 };
