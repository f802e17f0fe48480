(* Mutually recursive modules of an evaluator: expressions, statements, values; with types across modules. *)
module rec Expr : sig
  type t = Int of int | Var of string | Add of t * t | Lam of string * Stmt.t | Call of t * t
  val eval : Value.env -> t -> Value.t
  val show : t -> string
end = struct
  type t = Int of int | Var of string | Add of t * t | Lam of string * Stmt.t | Call of t * t
  let rec eval env = function
    | Int n -> Value.Num n
    | Var x -> Value.find x env
    | Add (a, b) -> Value.add (eval env a) (eval env b)
    | Lam (x, s) -> Value.Fun (fun v -> Stmt.run ((x, v) :: env) s)
    | Call (f, a) -> Value.apply (eval env f) (eval env a)
  let rec show = function
    | Int n -> string_of_int n
    | Var x -> x
    | Add (a, b) -> "(" ^ show a ^ " + " ^ show b ^ ")"
    | Lam (x, s) -> "fun " ^ x ^ " {" ^ Stmt.show s ^ "}"
    | Call (f, a) -> show f ^ "(" ^ show a ^ ")"
end
and Stmt : sig
  type t = Return of Expr.t | Let of string * Expr.t * t
  val run : Value.env -> t -> Value.t
  val show : t -> string
end = struct
  type t = Return of Expr.t | Let of string * Expr.t * t
  let rec run env = function
    | Return e -> Expr.eval env e
    | Let (x, e, s) -> run ((x, Expr.eval env e) :: env) s
  let rec show = function
    | Return e -> Expr.show e
    | Let (x, e, s) -> x ^ " = " ^ Expr.show e ^ "; " ^ show s
end
and Value : sig
  type t = Num of int | Fun of (t -> t)
  type env = (string * t) list
  val find : string -> env -> t
  val add : t -> t -> t
  val apply : t -> t -> t
end = struct
  type t = Num of int | Fun of (t -> t)
  type env = (string * t) list
  let find = List.assoc
  let add a b = match a, b with Num a, Num b -> Num (a + b) | _ -> failwith "add"
  let apply f a = match f with Fun f -> f a | Num _ -> failwith "apply"
end
let program =
  Stmt.(Let ("twice", Expr.Lam ("f", Return (Expr.Lam ("x", Return (Expr.Call (Expr.Var "f", Expr.Call (Expr.Var "f", Expr.Var "x")))))),
    Let ("inc", Expr.Lam ("n", Return (Expr.Add (Expr.Var "n", Expr.Int 1))),
      Return (Expr.Call (Expr.Call (Expr.Var "twice", Expr.Call (Expr.Var "twice", Expr.Var "inc")), Expr.Int 38)))))
let () =
  print_endline (Stmt.show program);
  match Stmt.run [] program with Value.Num n -> Printf.printf "%d\n" n | Value.Fun _ -> print_endline "fun"

module rec Even : sig val test : int -> bool end = struct let test n = n = 0 || Odd.test (n - 1) end
and Odd : sig val test : int -> bool end = struct let test n = n <> 0 && Even.test (n - 1) end
let () = Printf.printf "%b %b\n" (Even.test 1000) (Odd.test 1000)

(* Polymorphic functions across modules. *)
module rec L : sig
  val map : ('a -> 'b) -> 'a list -> 'b list
  val twice : ('a -> 'a) -> 'a list -> 'a list
end = struct
  let map f = function [] -> [] | x :: l -> f x :: T.rest f l
  let twice f l = map f (map f l)
end
and T : sig val rest : ('a -> 'b) -> 'a list -> 'b list end = struct let rest f l = L.map f l end
let () =
  print_endline (String.concat " " (L.map string_of_int (L.twice succ [ 1; 2; 3 ])));
  print_endline (String.concat " " (L.map (fun (a, b) -> a ^ b) [ ("x", "y"); ("z", "") ]))

module rec Counter : sig type t val make : unit -> t val next : t -> int end = struct
  type t = { mutable n : int; log : Log.t }
  let make () = { n = 0; log = Log.create () }
  let next c = c.n <- c.n + 1; Log.add c.log c.n; Log.total c.log
end
and Log : sig type t val create : unit -> t val add : t -> int -> unit val total : t -> int end = struct
  type t = int list ref
  let create () = ref []
  let add l x = l := x :: !l
  let total l = List.fold_left ( + ) 0 !l
end
let () = let c = Counter.make () in ignore (Counter.next c); ignore (Counter.next c); Printf.printf "%d\n" (Counter.next c)
