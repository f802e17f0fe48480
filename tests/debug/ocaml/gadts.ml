type _ expr =
  | Int : int -> int expr
  | Bool : bool -> bool expr
  | If : bool expr * 'a expr * 'a expr -> 'a expr
  | Less : int expr * int expr -> bool expr
let rec eval : type a. a expr -> a = fun e ->
  match e with
  | Int n -> n
  | Bool b -> b
  | If (c, yes, no) ->
    let taken = if eval c then yes else no in
    eval taken
  | Less (a, b) ->
    let left = eval a in
    let right = eval b in
    left < right
let () = print_int (eval (If (Less (Int 1, Int 2), Int 10, Int 20)))
