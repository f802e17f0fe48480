(* GADT: typed stack machine compiler, existential packing, type witnesses, printf-like *)
type _ ty = TInt : int ty | TBool : bool ty | TPair : 'a ty * 'b ty -> ('a * 'b) ty | TFun : 'a ty * 'b ty -> ('a -> 'b) ty | TList : 'a ty -> 'a list ty
type (_, _) eq = Refl : ('a, 'a) eq
let rec eq_ty : type a b. a ty -> b ty -> (a, b) eq option = fun a b -> match a, b with
  | TInt, TInt -> Some Refl | TBool, TBool -> Some Refl
  | TPair (a, b), TPair (c, d) -> (match eq_ty a c, eq_ty b d with Some Refl, Some Refl -> Some Refl | _ -> None)
  | TFun (a, b), TFun (c, d) -> (match eq_ty a c with Some Refl -> (match eq_ty b d with Some Refl -> Some Refl | None -> None) | None -> None)
  | TList a, TList b -> (match eq_ty a b with Some Refl -> Some Refl | None -> None)
  | _ -> None
[@@ocaml.warning "-a"]
let rec show : type a. a ty -> a -> string = fun t v -> match t with
  | TInt -> string_of_int v | TBool -> string_of_bool v
  | TPair (a, b) -> let x, y = v in "(" ^ show a x ^ ", " ^ show b y ^ ")"
  | TFun _ -> "<fun>"
  | TList t -> "[" ^ String.concat "; " (List.map (show t) v) ^ "]"
type _ exp =
  | Lit : 'a ty * 'a -> 'a exp
  | Add : int exp * int exp -> int exp | Leq : int exp * int exp -> bool exp
  | If : bool exp * 'a exp * 'a exp -> 'a exp
  | Pair : 'a exp * 'b exp -> ('a * 'b) exp | Fst : ('a * 'b) exp -> 'a exp | Snd : ('a * 'b) exp -> 'b exp
  | Map : ('a -> 'b) * 'a list exp -> 'b list exp
let rec eval : type a. a exp -> a = function
  | Lit (_, v) -> v | Add (a, b) -> eval a + eval b | Leq (a, b) -> eval a <= eval b
  | If (c, t, e) -> if eval c then eval t else eval e
  | Pair (a, b) -> let x = eval a in (x, eval b) | Fst p -> fst (eval p) | Snd p -> snd (eval p)
  | Map (f, l) -> List.map f (eval l)
type ('i, 'o) code =
  | Halt : ('s, 's) code
  | Push : 'a * ('a * 's, 'o) code -> ('s, 'o) code
  | AddI : (int * 's, 'o) code -> (int * (int * 's), 'o) code
  | LeqI : (bool * 's, 'o) code -> (int * (int * 's), 'o) code
  | Cond : ('s, 't) code * ('s, 't) code * ('t, 'o) code -> (bool * 's, 'o) code
  | MkPair : (('a * 'b) * 's, 'o) code -> ('b * ('a * 's), 'o) code
  | Proj1 : ('a * 's, 'o) code -> (('a * 'b) * 's, 'o) code | Proj2 : ('b * 's, 'o) code -> (('a * 'b) * 's, 'o) code
let rec run : type i o. (i, o) code -> i -> o = fun c s -> match c with
  | Halt -> s | Push (v, k) -> run k (v, s)
  | AddI k -> let (b, (a, s)) = s in run k (a + b, s)
  | LeqI k -> let (b, (a, s)) = s in run k (a <= b, s)
  | Cond (t, e, k) -> let (b, s) = s in run k (if b then run t s else run e s)
  | MkPair k -> let (b, (a, s)) = s in run k ((a, b), s)
  | Proj1 k -> let ((a, _), s) = s in run k (a, s) | Proj2 k -> let ((_, b), s) = s in run k (b, s)
let rec compile : type a s o. a exp -> (a * s, o) code -> (s, o) code = fun e k -> match e with
  | Lit (_, v) -> Push (v, k)
  | Add (a, b) -> compile a (compile b (AddI k)) | Leq (a, b) -> compile a (compile b (LeqI k))
  | If (c, t, e) -> compile c (Cond (compile t Halt, compile e Halt, k))
  | Pair (a, b) -> compile a (compile b (MkPair k))
  | Fst p -> compile p (Proj1 k) | Snd p -> compile p (Proj2 k)
  | Map (f, l) -> Push (List.map f (eval l), k)
type dyn = Dyn : 'a ty * 'a -> dyn
let cast : type a. a ty -> dyn -> a option = fun t (Dyn (t', v)) -> match eq_ty t t' with Some Refl -> Some v | None -> None
type untyped = UInt of int | UBool of bool | UAdd of untyped * untyped | UIf of untyped * untyped * untyped | UPair of untyped * untyped | UFst of untyped
type some_exp = E : 'a ty * 'a exp -> some_exp
exception Ill of string
let rec check : untyped -> some_exp = function
  | UInt n -> E (TInt, Lit (TInt, n)) | UBool b -> E (TBool, Lit (TBool, b))
  | UAdd (a, b) -> (match check a, check b with E (TInt, a), E (TInt, b) -> E (TInt, Add (a, b)) | _ -> raise (Ill "add"))
  | UIf (c, t, e) -> (match check c with
    | E (TBool, c) -> let E (tt, t) = check t in let E (te, e) = check e in
      (match eq_ty tt te with Some Refl -> E (tt, If (c, t, e)) | None -> raise (Ill "branches"))
    | E ((TInt | TPair _ | TFun _ | TList _), _) -> raise (Ill "cond"))
  | UPair (a, b) -> let E (ta, a) = check a in let E (tb, b) = check b in E (TPair (ta, tb), Pair (a, b))
  | UFst p -> (match check p with E (TPair (a, _), p) -> E (a, Fst p) | _ -> raise (Ill "fst"))
type _ fmt = End : string fmt | Str : string * 'a fmt -> 'a fmt | D : 'a fmt -> (int -> 'a) fmt | S : 'a fmt -> (string -> 'a) fmt
let sprintf fmt =
  let rec go : type a. string -> a fmt -> a = fun acc -> function
    | End -> acc | Str (s, k) -> go (acc ^ s) k | D k -> (fun n -> go (acc ^ string_of_int n) k) | S k -> (fun s -> go (acc ^ s) k) in
  go "" fmt
type z = Zero type 'n s = Succ
type ('a, _) vec = [] : ('a, z) vec | ( :: ) : 'a * ('a, 'n) vec -> ('a, 'n s) vec
let rec vmap : type n. ('a -> 'b) -> ('a, n) vec -> ('b, n) vec = fun f -> function [] -> [] | x :: r -> f x :: vmap f r
let rec to_list : type n. ('a, n) vec -> 'a list = function [] -> Stdlib.List.[] | x :: r -> Stdlib.List.cons x (to_list r)
let vhd : type n. ('a, n s) vec -> 'a = fun (x :: _) -> x
let () =
  let e = If (Leq (Lit (TInt, 3), Add (Lit (TInt, 1), Lit (TInt, 1))), Pair (Lit (TInt, 1), Lit (TBool, true)), Pair (Lit (TInt, 2), Lit (TBool, false))) in
  let t = TPair (TInt, TBool) in
  print_endline (show t (eval e));
  print_endline (show t (fst (run (compile e Halt) ())));
  print_endline (show (TList TInt) (eval (Map ((fun x -> x * x), Lit (TList TInt, Stdlib.List.init 4 Fun.id)))));
  Stdlib.List.iter (fun d -> match cast TInt d with Some n -> Printf.printf "int %d\n" n | None -> print_endline "other")
    (Stdlib.List.cons (Dyn (TInt, 3)) (Stdlib.List.cons (Dyn (TPair (TInt, TInt), (1, 2))) Stdlib.List.[]));
  Stdlib.List.iter (fun u -> match check u with
    | E (t, e) -> print_endline (show t (eval e)) | exception Ill m -> print_endline ("ill " ^ m))
    (Array.to_list [| UIf (UBool true, UAdd (UInt 1, UInt 2), UInt 0); UIf (UInt 1, UInt 1, UInt 1); UFst (UPair (UBool false, UInt 1)); UIf (UBool true, UInt 1, UBool true) |]);
  print_endline (sprintf (Str ("n=", D (Str (" s=", S End)))) 42 "x");
  let v = 1 :: 2 :: 3 :: [] in
  Printf.printf "%d %d\n" (vhd v) (Stdlib.List.fold_left ( + ) 0 (to_list (vmap (fun x -> x * 10) v)))
