(* Constant folding and propagation. *)

open Ast

let rec fold env = function
  | Num _ as e -> e
  | Var x as e -> (try List.assoc x env with Not_found -> e)
  | Add (a, b) ->
    (match fold env a, fold env b with
     | Num x, Num y -> Num (x + y)
     | Num 0, e | e, Num 0 -> e
     | a, b -> Add (a, b))
  | Sub (a, b) ->
    (match fold env a, fold env b with
     | Num x, Num y -> Num (x - y)
     | e, Num 0 -> e
     | a, b -> if a = b then Num 0 else Sub (a, b))
  | Mul (a, b) ->
    (match fold env a, fold env b with
     | Num x, Num y -> Num (x * y)
     | Num 0, _ | _, Num 0 -> Num 0
     | Num 1, e | e, Num 1 -> e
     | a, b -> Mul (a, b))
  | Let (x, a, b) ->
    (match fold env a with
     | Num _ as c -> fold ((x, c) :: env) b
     | a -> Let (x, a, fold (List.remove_assoc x env) b))
  | If (c, a, b) ->
    (match fold env c with
     | Num 0 -> fold env b
     | Num _ -> fold env a
     | c -> If (c, fold env a, fold env b))

let run e = fold [] e
