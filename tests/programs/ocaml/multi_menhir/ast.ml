type op = Add | Sub | Mul | Div | Lt
type expr = Int of int | Var of string | Str of string | Bin of op * expr * expr | Neg of expr | Let of string * expr * expr | Fun of string * expr | If of expr * expr * expr | App of expr * expr
let rec size = function Int _ | Var _ | Str _ -> 1 | Bin (_, a, b) | Let (_, a, b) | App (a, b) -> 1 + size a + size b | Neg a | Fun (_, a) -> 1 + size a | If (a, b, c) -> 1 + size a + size b + size c
