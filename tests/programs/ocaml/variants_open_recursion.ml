(* Expression evaluators by open recursion *)
module Base = struct
  type 'a t = [ `Int of int | `Plus of 'a * 'a ]
  let eval rec_ : 'a t -> int = function
    | `Int n -> n
    | `Plus (a, b) -> rec_ a + rec_ b
  let map f : 'a t -> 'b t = function
    | `Int n -> `Int n
    | `Plus (a, b) -> `Plus (f a, f b)
end
module Ext = struct
  type 'a t = [ 'a Base.t | `Times of 'a * 'a | `Neg of 'a ]
  let eval rec_ : 'a t -> int = function
    | #Base.t as x -> Base.eval rec_ x
    | `Times (a, b) -> rec_ a * rec_ b
    | `Neg a -> - (rec_ a)
  let map f : 'a t -> 'b t = function
    | #Base.t as x -> (Base.map f x :> 'b t)
    | `Times (a, b) -> `Times (f a, f b)
    | `Neg a -> `Neg (f a)
end
type e = e Ext.t
let rec eval (x : e) : int = Ext.eval eval x
let rec double (x : e) : e = match x with `Int n -> `Int (2 * n) | other -> Ext.map double other
let rec show : e -> string = function
  | `Int n -> string_of_int n
  | `Plus (a, b) -> "(" ^ show a ^ " + " ^ show b ^ ")"
  | `Times (a, b) -> "(" ^ show a ^ " * " ^ show b ^ ")"
  | `Neg a -> "-" ^ show a
let () =
  let x = `Plus (`Times (`Int 3, `Int 4), `Neg (`Int 5)) in
  Printf.printf "%s = %d\n" (show x) (eval x);
  Printf.printf "%s = %d\n" (show (double x)) (eval (double x))
