type token =
  | INT of (
# 6 "parser.mly"
        int
# 6 "parser.ml"
)
  | FLOAT of (
# 7 "parser.mly"
        float
# 11 "parser.ml"
)
  | IDENT of (
# 8 "parser.mly"
        string
# 16 "parser.ml"
)
  | STRING of (
# 8 "parser.mly"
        string
# 21 "parser.ml"
)
  | PRIME of (
# 9 "parser.mly"
        char * string option
# 26 "parser.ml"
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

open Parsing
let _ = parse_error;;
# 2 "parser.mly"
let table : (string, float) Hashtbl.t = Hashtbl.create 16
let parse_error message =
  Printf.printf "%s at %d-%d\n" message (Parsing.symbol_start ()) (Parsing.symbol_end ())
# 46 "parser.ml"
let yytransl_const = [|
  262 (* PLUS *);
  263 (* MINUS *);
  264 (* TIMES *);
  265 (* DIV *);
  266 (* LPAREN *);
  267 (* RPAREN *);
  268 (* EQUAL *);
  269 (* LET *);
  270 (* PRINT *);
  271 (* EOL *);
    0 (* EOF *);
    0|]

let yytransl_block = [|
  257 (* INT *);
  258 (* FLOAT *);
  259 (* IDENT *);
  260 (* STRING *);
  261 (* PRIME *);
    0|]

let yylhs = "\255\255\
\001\000\003\000\003\000\004\000\004\000\004\000\004\000\004\000\
\002\000\005\000\005\000\005\000\005\000\005\000\005\000\005\000\
\005\000\005\000\005\000\000\000\000\000"

let yylen = "\002\000\
\002\000\000\000\002\000\001\000\003\000\003\000\005\000\002\000\
\002\000\001\000\001\000\001\000\001\000\003\000\003\000\003\000\
\003\000\002\000\003\000\002\000\002\000"

let yydefred = "\000\000\
\002\000\000\000\000\000\020\000\000\000\010\000\011\000\012\000\
\013\000\000\000\000\000\021\000\000\000\000\000\000\000\000\000\
\004\000\001\000\003\000\018\000\000\000\000\000\000\000\000\000\
\000\000\009\000\008\000\000\000\000\000\000\000\019\000\000\000\
\000\000\016\000\017\000\000\000\006\000\005\000\000\000\007\000"

let yydgoto = "\003\000\
\004\000\012\000\005\000\019\000\013\000"

let yysindex = "\009\000\
\000\000\033\255\000\000\000\000\001\000\000\000\000\000\000\000\
\000\000\033\255\033\255\000\000\022\000\241\254\010\255\023\255\
\000\000\000\000\000\000\000\000\043\255\033\255\033\255\033\255\
\033\255\000\000\000\000\009\255\008\255\255\254\000\000\011\255\
\011\255\000\000\000\000\033\255\000\000\000\000\038\255\000\000"

let yyrindex = "\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\002\000\
\012\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000"

let yygindex = "\000\000\
\000\000\000\000\000\000\000\000\249\255"

let yytablesize = 287
let yytable = "\027\000\
\018\000\014\000\020\000\021\000\022\000\023\000\024\000\025\000\
\030\000\001\000\002\000\015\000\028\000\038\000\032\000\033\000\
\034\000\035\000\024\000\025\000\036\000\026\000\037\000\006\000\
\007\000\008\000\029\000\009\000\039\000\010\000\000\000\000\000\
\011\000\006\000\007\000\008\000\000\000\009\000\000\000\010\000\
\000\000\000\000\011\000\022\000\023\000\024\000\025\000\000\000\
\022\000\023\000\024\000\025\000\040\000\031\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\
\014\000\000\000\000\000\000\000\000\000\000\000\000\000\014\000\
\014\000\000\000\000\000\000\000\014\000\015\000\016\000\017\000\
\014\000\015\000\015\000\000\000\000\000\000\000\015\000\000\000\
\000\000\000\000\015\000\022\000\023\000\024\000\025\000"

let yycheck = "\015\001\
\000\000\000\000\010\000\011\000\006\001\007\001\008\001\009\001\
\016\000\001\000\002\000\000\000\003\001\015\001\022\000\023\000\
\024\000\025\000\008\001\009\001\012\001\000\000\015\001\001\001\
\002\001\003\001\004\001\005\001\036\000\007\001\255\255\255\255\
\010\001\001\001\002\001\003\001\255\255\005\001\255\255\007\001\
\255\255\255\255\010\001\006\001\007\001\008\001\009\001\255\255\
\006\001\007\001\008\001\009\001\015\001\011\001\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\255\
\000\001\255\255\255\255\255\255\255\255\255\255\255\255\006\001\
\007\001\255\255\255\255\255\255\011\001\013\001\014\001\015\001\
\015\001\006\001\007\001\255\255\255\255\255\255\011\001\255\255\
\255\255\255\255\015\001\006\001\007\001\008\001\009\001"

let yynames_const = "\
  PLUS\000\
  MINUS\000\
  TIMES\000\
  DIV\000\
  LPAREN\000\
  RPAREN\000\
  EQUAL\000\
  LET\000\
  PRINT\000\
  EOL\000\
  EOF\000\
  "

let yynames_block = "\
  INT\000\
  FLOAT\000\
  IDENT\000\
  STRING\000\
  PRIME\000\
  "

let yyact = [|
  (fun _ -> failwith "parser")
; (fun __caml_parser_env ->
    let _1 = (Parsing.peek_val __caml_parser_env 1 : 'lines) in
    Obj.repr(
# 19 "parser.mly"
                ( List.length _1 )
# 212 "parser.ml"
               : int))
; (fun __caml_parser_env ->
    Obj.repr(
# 21 "parser.mly"
                ( [] )
# 218 "parser.ml"
               : 'lines))
; (fun __caml_parser_env ->
    let _1 = (Parsing.peek_val __caml_parser_env 1 : 'lines) in
    let _2 = (Parsing.peek_val __caml_parser_env 0 : 'line) in
    Obj.repr(
# 22 "parser.mly"
               ( _2 :: _1 )
# 226 "parser.ml"
               : 'lines))
; (fun __caml_parser_env ->
    Obj.repr(
# 25 "parser.mly"
        ( "" )
# 232 "parser.ml"
               : 'line))
; (fun __caml_parser_env ->
    let _2 = (Parsing.peek_val __caml_parser_env 1 : 'expr) in
    Obj.repr(
# 26 "parser.mly"
                   ( Printf.printf "line %d: %g\n" (rhs_start_pos 1).Lexing.pos_lnum _2; "print" )
# 239 "parser.ml"
               : 'line))
; (fun __caml_parser_env ->
    let _2 = (Parsing.peek_val __caml_parser_env 1 : string) in
    Obj.repr(
# 27 "parser.mly"
                     ( print_endline _2; _2 )
# 246 "parser.ml"
               : 'line))
; (fun __caml_parser_env ->
    let _2 = (Parsing.peek_val __caml_parser_env 3 : string) in
    let _4 = (Parsing.peek_val __caml_parser_env 1 : 'expr) in
    Obj.repr(
# 28 "parser.mly"
                             ( Hashtbl.replace table _2 _4; _2 )
# 254 "parser.ml"
               : 'line))
; (fun __caml_parser_env ->
    Obj.repr(
# 29 "parser.mly"
              ( Printf.printf "recovered, columns %d to %d\n" (rhs_start 1) (rhs_end 2); "error" )
# 260 "parser.ml"
               : 'line))
; (fun __caml_parser_env ->
    let _1 = (Parsing.peek_val __caml_parser_env 1 : 'expr) in
    Obj.repr(
# 31 "parser.mly"
                     ( _1 )
# 267 "parser.ml"
               : float))
; (fun __caml_parser_env ->
    let _1 = (Parsing.peek_val __caml_parser_env 0 : int) in
    Obj.repr(
# 33 "parser.mly"
        ( float_of_int _1 )
# 274 "parser.ml"
               : 'expr))
; (fun __caml_parser_env ->
    let _1 = (Parsing.peek_val __caml_parser_env 0 : float) in
    Obj.repr(
# 34 "parser.mly"
          ( _1 )
# 281 "parser.ml"
               : 'expr))
; (fun __caml_parser_env ->
    let _1 = (Parsing.peek_val __caml_parser_env 0 : string) in
    Obj.repr(
# 35 "parser.mly"
          ( try Hashtbl.find table _1 with Not_found -> raise Parsing.Parse_error )
# 288 "parser.ml"
               : 'expr))
; (fun __caml_parser_env ->
    let _1 = (Parsing.peek_val __caml_parser_env 0 : char * string option) in
    Obj.repr(
# 36 "parser.mly"
          ( let (c, rest) = _1 in float_of_int (Char.code c) +. (match rest with None -> 0.5 | Some s -> float_of_string s) )
# 295 "parser.ml"
               : 'expr))
; (fun __caml_parser_env ->
    let _1 = (Parsing.peek_val __caml_parser_env 2 : 'expr) in
    let _3 = (Parsing.peek_val __caml_parser_env 0 : 'expr) in
    Obj.repr(
# 37 "parser.mly"
                   ( _1 +. _3 )
# 303 "parser.ml"
               : 'expr))
; (fun __caml_parser_env ->
    let _1 = (Parsing.peek_val __caml_parser_env 2 : 'expr) in
    let _3 = (Parsing.peek_val __caml_parser_env 0 : 'expr) in
    Obj.repr(
# 38 "parser.mly"
                    ( _1 -. _3 )
# 311 "parser.ml"
               : 'expr))
; (fun __caml_parser_env ->
    let _1 = (Parsing.peek_val __caml_parser_env 2 : 'expr) in
    let _3 = (Parsing.peek_val __caml_parser_env 0 : 'expr) in
    Obj.repr(
# 39 "parser.mly"
                    ( _1 *. _3 )
# 319 "parser.ml"
               : 'expr))
; (fun __caml_parser_env ->
    let _1 = (Parsing.peek_val __caml_parser_env 2 : 'expr) in
    let _3 = (Parsing.peek_val __caml_parser_env 0 : 'expr) in
    Obj.repr(
# 40 "parser.mly"
                  ( _1 /. _3 )
# 327 "parser.ml"
               : 'expr))
; (fun __caml_parser_env ->
    let _2 = (Parsing.peek_val __caml_parser_env 0 : 'expr) in
    Obj.repr(
# 41 "parser.mly"
                            ( -. _2 )
# 334 "parser.ml"
               : 'expr))
; (fun __caml_parser_env ->
    let _2 = (Parsing.peek_val __caml_parser_env 1 : 'expr) in
    Obj.repr(
# 42 "parser.mly"
                       ( _2 )
# 341 "parser.ml"
               : 'expr))
(* Entry main *)
; (fun __caml_parser_env -> raise (Parsing.YYexit (Parsing.peek_val __caml_parser_env 0)))
(* Entry expression *)
; (fun __caml_parser_env -> raise (Parsing.YYexit (Parsing.peek_val __caml_parser_env 0)))
|]
let yytables =
  { Parsing.actions=yyact;
    Parsing.transl_const=yytransl_const;
    Parsing.transl_block=yytransl_block;
    Parsing.lhs=yylhs;
    Parsing.len=yylen;
    Parsing.defred=yydefred;
    Parsing.dgoto=yydgoto;
    Parsing.sindex=yysindex;
    Parsing.rindex=yyrindex;
    Parsing.gindex=yygindex;
    Parsing.tablesize=yytablesize;
    Parsing.table=yytable;
    Parsing.check=yycheck;
    Parsing.error_function=parse_error;
    Parsing.names_const=yynames_const;
    Parsing.names_block=yynames_block }
let main (lexfun : Lexing.lexbuf -> token) (lexbuf : Lexing.lexbuf) =
   (Parsing.yyparse yytables 1 lexfun lexbuf : int)
let expression (lexfun : Lexing.lexbuf -> token) (lexbuf : Lexing.lexbuf) =
   (Parsing.yyparse yytables 2 lexfun lexbuf : float)
