(* the visitors' idiom *)
type expr = Num of int | Add of expr * expr | Neg of expr
class virtual ['self] iter = object (self : 'self)
  method visit_expr env = function
    | Num n -> self#visit_Num env n
    | Add (a, b) -> self#visit_Add env a b
    | Neg a -> self#visit_Neg env a
  method visit_Num _ _ = ()
  method visit_Add env a b = self#visit_expr env a; self#visit_expr env b
  method visit_Neg env a = self#visit_expr env a
end
class ['self] counter = object (self : 'self)
  inherit ['self] iter
  val mutable n = 0
  method! visit_Num depth k = n <- n + k; Printf.printf "%d at %d\n" k depth
  method! visit_Add depth a b = self#visit_expr (depth + 1) a; self#visit_expr (depth + 1) b
  method total = n
end
class ['self] map = object (self : 'self)
  method visit_expr : 'env. 'env -> expr -> expr = fun env e -> match e with
    | Num n -> self#visit_Num env n
    | Add (a, b) -> let a = self#visit_expr env a in let b = self#visit_expr env b in Add (a, b)
    | Neg a -> Neg (self#visit_expr env a)
  method visit_Num : 'env. 'env -> int -> expr = fun _ n -> Num n
end
let double = object (_self) inherit [_] map method! visit_Num _ n = Num (2 * n) end
let e = Add (Num 1, Neg (Add (Num 2, Num 3)))
let () =
  let c = new counter in
  c#visit_expr 0 (double#visit_expr () e);
  print_int c#total; print_newline ()
