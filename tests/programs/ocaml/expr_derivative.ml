(* Symbolic differentiation with simplification and evaluation of float expressions. *)

type e = X | Const of float | Add of e * e | Mul of e * e | Pow of e * int | Sin of e | Cos of e | Exp of e

let rec simp = function
  | Add (a, b) ->
    (match simp a, simp b with
     | Const 0., e | e, Const 0. -> e
     | Const a, Const b -> Const (a +. b)
     | a, b when a = b -> simp (Mul (Const 2., a))
     | a, b -> Add (a, b))
  | Mul (a, b) ->
    (match simp a, simp b with
     | Const 0., _ | _, Const 0. -> Const 0.
     | Const 1., e | e, Const 1. -> e
     | Const a, Const b -> Const (a *. b)
     | Const a, Mul (Const b, e) -> Mul (Const (a *. b), e)
     | a, (Const _ as c) -> Mul (c, a)
     | a, b -> Mul (a, b))
  | Pow (_, 0) -> Const 1.
  | Pow (e, 1) -> simp e
  | Pow (e, n) -> (match simp e with Const c -> Const (c ** float n) | e -> Pow (e, n))
  | Sin e -> Sin (simp e)
  | Cos e -> Cos (simp e)
  | Exp e -> Exp (simp e)
  | e -> e

let rec d = function
  | X -> Const 1.
  | Const _ -> Const 0.
  | Add (a, b) -> Add (d a, d b)
  | Mul (a, b) -> Add (Mul (d a, b), Mul (a, d b))
  | Pow (e, n) -> Mul (Mul (Const (float n), Pow (e, n - 1)), d e)
  | Sin e -> Mul (Cos e, d e)
  | Cos e -> Mul (Const (-1.), Mul (Sin e, d e))
  | Exp e -> Mul (Exp e, d e)

let rec eval x = function
  | X -> x
  | Const c -> c
  | Add (a, b) -> eval x a +. eval x b
  | Mul (a, b) -> eval x a *. eval x b
  | Pow (e, n) -> eval x e ** float n
  | Sin e -> sin (eval x e)
  | Cos e -> cos (eval x e)
  | Exp e -> exp (eval x e)

let rec show = function
  | X -> "x"
  | Const c -> Printf.sprintf "%g" c
  | Add (a, b) -> Printf.sprintf "(%s + %s)" (show a) (show b)
  | Mul (a, b) -> show a ^ "*" ^ show b
  | Pow (e, n) -> Printf.sprintf "%s^%d" (show e) n
  | Sin e -> "sin(" ^ show e ^ ")"
  | Cos e -> "cos(" ^ show e ^ ")"
  | Exp e -> "exp(" ^ show e ^ ")"

let () =
  List.iter (fun e ->
      let e' = simp (d e) in
      let h = 1e-6 in
      let numeric = (eval (1.3 +. h) e -. eval (1.3 -. h) e) /. (2. *. h) in
      Printf.printf "%s' = %s  [%.4f %.4f]\n" (show e) (show e') (eval 1.3 e') numeric)
    [ X; Const 5.; Pow (X, 3); Mul (Const 3., Pow (X, 2)); Add (Pow (X, 2), Mul (Const 4., X)); Sin (Pow (X, 2));
      Mul (Sin X, Cos X); Exp (Mul (Const 2., X)); Add (X, X); Pow (Add (X, Const 1.), 5) ]
