open Ast
open Lexer

exception Parse_error of string

let fail what = raise (Parse_error ("expected " ^ what))

let rec expr = function
  | KW "let" :: ID x :: OP '=' :: rest ->
    let a, rest = expr rest in
    let rest = eat (KW "in") "in" rest in
    let b, rest = expr rest in
    (Let (x, a, b), rest)
  | KW "let" :: _ -> fail "a binding"
  | KW "if" :: rest ->
    let c, rest = expr rest in
    let a, rest = expr (eat (KW "then") "then" rest) in
    let b, rest = expr (eat (KW "else") "else" rest) in
    (If (c, a, b), rest)
  | toks -> sum toks

and eat tok what = function
  | t :: rest when t = tok -> rest
  | _ -> fail what

and sum toks =
  let rec go acc = function
    | OP '+' :: rest -> let b, rest = product rest in go (Add (acc, b)) rest
    | OP '-' :: rest -> let b, rest = product rest in go (Sub (acc, b)) rest
    | rest -> (acc, rest) in
  let a, rest = product toks in
  go a rest

and product toks =
  let rec go acc = function
    | OP '*' :: rest -> let b, rest = atom rest in go (Mul (acc, b)) rest
    | rest -> (acc, rest) in
  let a, rest = atom toks in
  go a rest

and atom = function
  | INT n :: rest -> (Num n, rest)
  | ID x :: rest -> (Var x, rest)
  | OP '(' :: rest ->
    let e, rest = expr rest in
    (e, eat (OP ')') ")" rest)
  | _ -> fail "an expression"

let parse s =
  match expr (tokens s) with
  | e, [ EOF ] -> e
  | _ -> fail "end of input"
