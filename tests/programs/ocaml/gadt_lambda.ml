(* Simply typed lambda calculus with typed variables. *)
type (_, _) var =
  | Z : ('a * 'e, 'a) var
  | S : ('e, 'a) var -> ('b * 'e, 'a) var
type (_, _) term =
  | Var : ('e, 'a) var -> ('e, 'a) term
  | Lam : ('a * 'e, 'b) term -> ('e, 'a -> 'b) term
  | App : ('e, 'a -> 'b) term * ('e, 'a) term -> ('e, 'b) term
  | Const : 'a -> ('e, 'a) term
  | Prim2 : ('a -> 'b -> 'c) * ('e, 'a) term * ('e, 'b) term -> ('e, 'c) term
let rec lookup : type e a. (e, a) var -> e -> a = fun v env ->
  match v with
  | Z -> fst env
  | S v -> lookup v (snd env)
let rec eval : type e a. e -> (e, a) term -> a = fun env t ->
  match t with
  | Var v -> lookup v env
  | Lam b -> fun x -> eval (x, env) b
  | App (f, x) -> (eval env f) (eval env x)
  | Const c -> c
  | Prim2 (f, x, y) -> f (eval env x) (eval env y)
let rec size : type e a. (e, a) term -> int = function
  | Var _ -> 1
  | Lam b -> 1 + size b
  | App (f, x) -> 1 + size f + size x
  | Const _ -> 1
  | Prim2 (_, x, y) -> 1 + size x + size y
let () =
  let twice = Lam (Lam (App (Var (S Z), App (Var (S Z), Var Z)))) in
  let inc = Lam (Prim2 ((+), Var Z, Const 1)) in
  let four = App (App (twice, App (twice, inc)), Const 0) in
  Printf.printf "%d (size %d)\n" (eval () four) (size four);
  let cat = Lam (Lam (Prim2 ((^), Var Z, Var (S Z)))) in
  print_endline (eval () (App (App (cat, Const "b"), Const "a")))
