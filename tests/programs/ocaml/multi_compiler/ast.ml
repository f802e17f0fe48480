type expr =
  | Num of int
  | Var of string
  | Add of expr * expr
  | Sub of expr * expr
  | Mul of expr * expr
  | Let of string * expr * expr
  | If of expr * expr * expr

let rec to_string = function
  | Num n -> string_of_int n
  | Var x -> x
  | Add (a, b) -> bin "+" a b
  | Sub (a, b) -> bin "-" a b
  | Mul (a, b) -> bin "*" a b
  | Let (x, a, b) -> Printf.sprintf "let %s = %s in %s" x (to_string a) (to_string b)
  | If (c, a, b) -> Printf.sprintf "if %s then %s else %s" (to_string c) (to_string a) (to_string b)

and bin op a b = "(" ^ to_string a ^ " " ^ op ^ " " ^ to_string b ^ ")"
