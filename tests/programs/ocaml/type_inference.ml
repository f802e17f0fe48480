(* Hindley-Milner inference with mutable type variables, levels, let-polymorphism and an evaluator. *)

type ty =
  | TInt
  | TBool
  | TArrow of ty * ty
  | TPair of ty * ty
  | TList of ty
  | TVar of tv ref
  | TGen of int

and tv = Unbound of int * int | Link of ty

type scheme = Forall of int * ty

type expr =
  | Int of int
  | Bool of bool
  | Var of string
  | Lam of string * expr
  | App of expr * expr
  | Let of string * expr * expr
  | LetRec of string * expr * expr
  | If of expr * expr * expr
  | Pair of expr * expr
  | Nil

exception Type_error of string

let counter = ref 0
let level = ref 0
let fresh () = incr counter; TVar (ref (Unbound (!counter, !level)))

let rec repr = function
  | TVar ({ contents = Link t } as r) ->
    let t = repr t in
    r := Link t;
    t
  | t -> t

let show t =
  let names = ref [] in
  let name id =
    match List.assoc_opt id !names with
    | Some s -> s
    | None ->
      let n = List.length !names in
      let s = "'" ^ String.make 1 (Char.chr (97 + n mod 26)) ^ (if n >= 26 then string_of_int (n / 26) else "") in
      names := (id, s) :: !names;
      s in
  let rec go prec t =
    match repr t with
    | TInt -> "int"
    | TBool -> "bool"
    | TGen i -> name (-1 - i)
    | TVar { contents = Unbound (id, _) } -> name id
    | TVar { contents = Link _ } -> assert false
    | TList t -> go 2 t ^ " list"
    | TPair (a, b) -> 
      let l = go 2 a in
      let r = go 2 b in
      paren (prec > 1) (l ^ " * " ^ r)
    | TArrow (a, b) -> 
      let l = go 1 a in
      let r = go 0 b in
      paren (prec > 0) (l ^ " -> " ^ r)
  and paren c s = if c then "(" ^ s ^ ")" else s in
  go 0 t

let rec occurs r lvl t =
  match repr t with
  | TVar r' ->
    if r == r' then raise (Type_error "infinite type")
    else (match !r' with
        | Unbound (id, l) when l > lvl -> r' := Unbound (id, lvl)
        | _ -> ())
  | TArrow (a, b) | TPair (a, b) -> occurs r lvl a; occurs r lvl b
  | TList a -> occurs r lvl a
  | TInt | TBool | TGen _ -> ()

let rec unify a b =
  match repr a, repr b with
  | TInt, TInt | TBool, TBool -> ()
  | TVar r, TVar r' when r == r' -> ()
  | TVar ({ contents = Unbound (_, l) } as r), t | t, TVar ({ contents = Unbound (_, l) } as r) ->
    occurs r l t;
    r := Link t
  | TArrow (a, b), TArrow (c, d) | TPair (a, b), TPair (c, d) -> unify a c; unify b d
  | TList a, TList b -> unify a b
  | a, b -> raise (Type_error (Printf.sprintf "cannot unify %s with %s" (show a) (show b)))

let generalize t =
  let vars = ref [] in
  let rec go t =
    match repr t with
    | TVar ({ contents = Unbound (_, l) } as r) when l > !level ->
      let rec index i = function
        | [] -> vars := !vars @ [ r ]; i
        | r' :: rest -> if r == r' then i else index (i + 1) rest in
      TGen (index 0 !vars)
    | TArrow (a, b) -> let a = go a in TArrow (a, go b)
    | TPair (a, b) -> let a = go a in TPair (a, go b)
    | TList a -> TList (go a)
    | t -> t in
  let t = go t in
  Forall (List.length !vars, t)

let instantiate (Forall (n, t)) =
  let vars = Array.init n (fun _ -> fresh ()) in
  let rec go = function
    | TGen i -> vars.(i)
    | TArrow (a, b) -> TArrow (go a, go b)
    | TPair (a, b) -> TPair (go a, go b)
    | TList a -> TList (go a)
    | t -> t in
  go t

let arrow2 a b c = TArrow (a, TArrow (b, c))

let prims =
  [ "add", Forall (0, arrow2 TInt TInt TInt);
    "mul", Forall (0, arrow2 TInt TInt TInt);
    "eq", Forall (0, arrow2 TInt TInt TBool);
    "fst", Forall (2, TArrow (TPair (TGen 0, TGen 1), TGen 0));
    "snd", Forall (2, TArrow (TPair (TGen 0, TGen 1), TGen 1));
    "cons", Forall (1, arrow2 (TGen 0) (TList (TGen 0)) (TList (TGen 0)));
    "head", Forall (1, TArrow (TList (TGen 0), TGen 0));
    "tail", Forall (1, TArrow (TList (TGen 0), TList (TGen 0)));
    "null", Forall (1, TArrow (TList (TGen 0), TBool)) ]

let rec infer env = function
  | Int _ -> TInt
  | Bool _ -> TBool
  | Nil -> TList (fresh ())
  | Var x ->
    (match List.assoc_opt x env with
     | Some s -> instantiate s
     | None -> raise (Type_error ("unbound variable " ^ x)))
  | Lam (x, b) ->
    let a = fresh () in
    let r = infer ((x, Forall (0, a)) :: env) b in
    TArrow (a, r)
  | App (f, a) ->
    let tf = infer env f in
    let ta = infer env a in
    let r = fresh () in
    unify tf (TArrow (ta, r));
    r
  | Pair (a, b) ->
    let ta = infer env a in
    TPair (ta, infer env b)
  | If (c, a, b) ->
    unify (infer env c) TBool;
    let ta = infer env a in
    unify ta (infer env b);
    ta
  | Let (x, a, b) ->
    incr level;
    let ta = (try infer env a with e -> decr level; raise e) in
    decr level;
    infer ((x, generalize ta) :: env) b
  | LetRec (f, a, b) ->
    incr level;
    let tf = fresh () in
    (try unify tf (infer ((f, Forall (0, tf)) :: env) a) with e -> decr level; raise e);
    decr level;
    infer ((f, generalize tf) :: env) b

type value =
  | VInt of int
  | VBool of bool
  | VPair of value * value
  | VList of value list
  | VFun of (value -> value)

let rec print = function
  | VInt n -> string_of_int n
  | VBool b -> string_of_bool b
  | VPair (a, b) -> "(" ^ print a ^ ", " ^ print b ^ ")"
  | VList l -> "[" ^ String.concat "; " (List.map print l) ^ "]"
  | VFun _ -> "<fun>"

let fun2 f = VFun (fun a -> VFun (fun b -> f a b))
let runtime =
  [ "add", fun2 (fun a b -> match a, b with VInt a, VInt b -> VInt (a + b) | _ -> assert false);
    "mul", fun2 (fun a b -> match a, b with VInt a, VInt b -> VInt (a * b) | _ -> assert false);
    "eq", fun2 (fun a b -> match a, b with VInt a, VInt b -> VBool (a = b) | _ -> assert false);
    "fst", VFun (function VPair (a, _) -> a | _ -> assert false);
    "snd", VFun (function VPair (_, b) -> b | _ -> assert false);
    "cons", fun2 (fun a b -> match b with VList l -> VList (a :: l) | _ -> assert false);
    "head", VFun (function VList (x :: _) -> x | _ -> failwith "head");
    "tail", VFun (function VList (_ :: t) -> VList t | _ -> failwith "tail");
    "null", VFun (function VList l -> VBool (l = []) | _ -> assert false) ]

let rec eval env = function
  | Int n -> VInt n
  | Bool b -> VBool b
  | Nil -> VList []
  | Var x -> List.assoc x env
  | Lam (x, b) -> VFun (fun v -> eval ((x, v) :: env) b)
  | App (f, a) -> (match eval env f with VFun f -> f (eval env a) | _ -> assert false)
  | Pair (a, b) -> let a = eval env a in VPair (a, eval env b)
  | If (c, a, b) -> (match eval env c with VBool true -> eval env a | _ -> eval env b)
  | Let (x, a, b) -> eval ((x, eval env a) :: env) b
  | LetRec (f, Lam (x, body), b) ->
    let rec self v = eval ((x, v) :: (f, VFun self) :: env) body in
    eval ((f, VFun self) :: env) b
  | LetRec _ -> failwith "let rec of a non-function"

let v x = Var x
let app f args = List.fold_left (fun f a -> App (f, a)) f args
let rec lam ps b = match ps with [] -> b | p :: ps -> Lam (p, lam ps b)
let list l = List.fold_right (fun x acc -> app (v "cons") [ x; acc ]) l Nil

let map_def = lam [ "f"; "l" ]
    (If (app (v "null") [ v "l" ], Nil,
         app (v "cons") [ App (v "f", App (v "head", v "l")); app (v "map") [ v "f"; App (v "tail", v "l") ] ]))

let programs = [
  "identity", lam [ "x" ] (v "x");
  "const", lam [ "x"; "y" ] (v "x");
  "compose", lam [ "f"; "g"; "x" ] (App (v "f", App (v "g", v "x")));
  "s", lam [ "x"; "y"; "z" ] (app (v "x") [ v "z"; App (v "y", v "z") ]);
  "let poly", Let ("id", lam [ "x" ] (v "x"), Pair (App (v "id", Int 3), App (v "id", Bool true)));
  "lambda mono", App (lam [ "id" ] (Pair (App (v "id", Int 3), App (v "id", Bool true))), lam [ "x" ] (v "x"));
  "self", lam [ "x" ] (App (v "x", v "x"));
  "fact", LetRec ("fact", lam [ "n" ] (If (app (v "eq") [ v "n"; Int 0 ], Int 1,
                                             app (v "mul") [ v "n"; App (v "fact", app (v "add") [ v "n"; Int (-1) ]) ])),
                  App (v "fact", Int 10));
  "map type", LetRec ("map", map_def, v "map");
  "map use", LetRec ("map", map_def, app (v "map") [ lam [ "x" ] (Pair (v "x", app (v "mul") [ v "x"; v "x" ])); list [ Int 1; Int 2; Int 3 ] ]);
  "swap", Let ("swap", lam [ "p" ] (Pair (App (v "snd", v "p"), App (v "fst", v "p"))),
               App (v "swap", App (v "swap", Pair (Int 1, Bool false))));
  "swap type", lam [ "p" ] (Pair (App (v "snd", v "p"), App (v "fst", v "p")));
  "bad if", If (Int 1, Int 2, Int 3);
  "bad list", list [ Int 1; Bool true ];
  "unbound", lam [ "x" ] (v "y");
  "no escape", lam [ "x" ] (Let ("y", v "x", Pair (v "y", v "y")));
  "empty head", App (v "head", Nil);
]

let () =
  List.iter (fun (name, e) ->
      level := 0;
      Printf.printf "%-12s " name;
      match infer prims e with
      | exception Type_error m -> Printf.printf "type error: %s\n" m
      | t ->
        Printf.printf ": %s" (show t);
        (match eval runtime e with
         | VFun _ -> print_newline ()
         | r -> Printf.printf " = %s\n" (print r)
         | exception Failure m -> Printf.printf " ! %s\n" m))
    programs
