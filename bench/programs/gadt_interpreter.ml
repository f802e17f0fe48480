(* A typed expression language: the interpreter needs no tags on values. *)
type _ expr =
  | Int : int -> int expr
  | Bool : bool -> bool expr
  | Var : int -> int expr
  | Add : int expr * int expr -> int expr
  | Mul : int expr * int expr -> int expr
  | Less : int expr * int expr -> bool expr
  | Not : bool expr -> bool expr
  | And : bool expr * bool expr -> bool expr
  | If : bool expr * 'a expr * 'a expr -> 'a expr
  | Pair : 'a expr * 'b expr -> ('a * 'b) expr
  | Fst : ('a * 'b) expr -> 'a expr
  | Snd : ('a * 'b) expr -> 'b expr

let rec eval : type a. int array -> a expr -> a =
 fun env e ->
  match e with
  | Int n -> n
  | Bool b -> b
  | Var i -> env.(i)
  | Add (a, b) -> (eval env a + eval env b) land 0xffffff
  | Mul (a, b) -> eval env a * eval env b land 0xffffff
  | Less (a, b) -> eval env a < eval env b
  | Not a -> not (eval env a)
  | And (a, b) -> eval env a && eval env b
  | If (c, a, b) -> if eval env c then eval env a else eval env b
  | Pair (a, b) -> (eval env a, eval env b)
  | Fst p -> fst (eval env p)
  | Snd p -> snd (eval env p)

(* Simplification keeps the type. *)
let rec simplify : type a. a expr -> a expr = function
  | Add (a, b) -> (
      match (simplify a, simplify b) with
      | Int 0, e | e, Int 0 -> e
      | Int x, Int y -> Int (x + y)
      | a, b -> Add (a, b))
  | Mul (a, b) -> (
      match (simplify a, simplify b) with
      | Int 1, e | e, Int 1 -> e
      | a, b -> Mul (a, b))
  | If (c, a, b) -> (
      match simplify c with Bool true -> simplify a | Bool false -> simplify b | c -> If (c, simplify a, simplify b))
  | Not a -> ( match simplify a with Bool b -> Bool (not b) | Not e -> e | e -> Not e)
  | And (a, b) -> And (simplify a, simplify b)
  | Less (a, b) -> Less (simplify a, simplify b)
  | Fst (Pair (a, _)) -> simplify a
  | Fst p -> Fst (simplify p)
  | Snd p -> Snd (simplify p)
  | Pair (a, b) -> Pair (simplify a, simplify b)
  | Int n -> Int n
  | Bool b -> Bool b
  | Var i -> Var i

let rec build depth seed : int expr =
  if depth = 0 then if seed land 1 = 0 then Var (seed land 3) else Int (seed land 15)
  else
    let a = build (depth - 1) ((seed * 5) + 1) and b = build (depth - 1) ((seed * 3) + 2) in
    match seed mod 5 with
    | 0 -> Add (a, b)
    | 1 -> Mul (a, Add (b, Int 0))
    | 2 -> If (And (Less (a, b), Not (Bool false)), a, b)
    | 3 -> Fst (Pair (a, b))
    | _ -> Snd (Pair (Less (a, b), Add (a, b)))

let () =
  let e = build 14 7 in
  let small = simplify e in
  let total = ref 0 in
  for i = 1 to 400 do
    let env = [| i; i * 7; i lxor 5; 3 |] in
    total := (!total + eval env e + eval env small) land 0xffffff
  done;
  Printf.printf "%d\n" !total
