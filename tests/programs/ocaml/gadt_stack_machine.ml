(* A compiler from typed expressions to a typed stack machine. *)
type _ expr =
  | Int : int -> int expr
  | Bool : bool -> bool expr
  | Add : int expr * int expr -> int expr
  | Less : int expr * int expr -> bool expr
  | If : bool expr * 'a expr * 'a expr -> 'a expr
type (_, _) code =
  | Halt : ('s, 's) code
  | Push : 'a * ('a * 's, 't) code -> ('s, 't) code
  | IAdd : (int * 's, 't) code -> (int * (int * 's), 't) code
  | ILess : (bool * 's, 't) code -> (int * (int * 's), 't) code
  | Branch : ('s, 't) code * ('s, 't) code -> (bool * 's, 't) code
let rec compile : type a s t. a expr -> (a * s, t) code -> (s, t) code = fun e k ->
  match e with
  | Int n -> Push (n, k)
  | Bool b -> Push (b, k)
  | Add (x, y) -> compile x (compile y (IAdd k))
  | Less (x, y) -> compile x (compile y (ILess k))
  | If (c, t, e) -> compile c (Branch (compile t k, compile e k))
let rec run : type s t. (s, t) code -> s -> t = fun code s ->
  match code with
  | Halt -> s
  | Push (x, k) -> run k (x, s)
  | IAdd k -> let (y, (x, s)) = s in run k (x + y, s)
  | ILess k -> let (y, (x, s)) = s in run k (x < y, s)
  | Branch (t, e) -> let (b, s) = s in if b then run t s else run e s
let () =
  let e = If (Less (Int 3, Add (Int 1, Int 1)), Int 10, Add (Int 20, Int 22)) in
  let (n, ()) = run (compile e Halt) () in
  Printf.printf "%d\n" n;
  let (b, ()) = run (compile (Less (Int 1, Int 2)) Halt) () in
  Printf.printf "%b\n" b
