type _ expr =
  | Int : int -> int expr
  | Bool : bool -> bool expr
  | Add : int expr * int expr -> int expr
  | If : bool expr * 'a expr * 'a expr -> 'a expr
  | Pair : 'a expr * 'b expr -> ('a * 'b) expr
  | Fst : ('a * 'b) expr -> 'a expr
  | Snd : ('a * 'b) expr -> 'b expr
  | Eq : 'a expr * 'a expr -> bool expr
  | Lt : int expr * int expr -> bool expr

let rec eval : type a. a expr -> a = function
  | Int n -> n
  | Bool b -> b
  | Add (x, y) -> eval x + eval y
  | If (c, t, e) -> if eval c then eval t else eval e
  | Pair (x, y) -> (eval x, eval y)
  | Fst p -> fst (eval p)
  | Snd p -> snd (eval p)
  | Eq (x, y) -> eval x = eval y
  | Lt (x, y) -> eval x < eval y

let rec show : type a. a expr -> string = fun e ->
  match e with
  | Int n -> string_of_int n
  | Bool b -> string_of_bool b
  | Add (x, y) -> "(" ^ show x ^ " + " ^ show y ^ ")"
  | If (c, t, e) -> "if " ^ show c ^ " then " ^ show t ^ " else " ^ show e
  | Pair (x, y) -> "(" ^ show x ^ ", " ^ show y ^ ")"
  | Fst p -> "fst " ^ show p
  | Snd p -> "snd " ^ show p
  | Eq (x, y) -> show x ^ " = " ^ show y
  | Lt (x, y) -> show x ^ " < " ^ show y

let rec simplify : type a. a expr -> a expr = function
  | Add (Int 0, y) -> simplify y
  | Add (x, Int 0) -> simplify x
  | Add (x, y) -> Add (simplify x, simplify y)
  | If (Bool true, t, _) -> simplify t
  | If (Bool false, _, e) -> simplify e
  | If (c, t, e) -> If (simplify c, simplify t, simplify e)
  | Fst (Pair (x, _)) -> simplify x
  | Snd (Pair (_, y)) -> simplify y
  | e -> e

let () =
  let e = If (Lt (Int 1, Add (Int 0, Int 2)), Add (Int 40, Int 2), Int 0) in
  Printf.printf "%s -> %d\n" (show e) (eval e);
  let p = Pair (e, Eq (Int 3, Int 3)) in
  let (a, b) = eval p in
  Printf.printf "%s -> %d, %b\n" (show p) a b;
  Printf.printf "%d\n" (eval (Fst p));
  Printf.printf "%b\n" (eval (Snd p));
  Printf.printf "%b\n" (eval (Eq (Pair (Int 1, Bool true), Pair (Int 1, Bool false))));
  print_endline (show (simplify (If (Bool true, Add (Int 0, Fst (Pair (Int 7, Int 8))), Int 1))))
