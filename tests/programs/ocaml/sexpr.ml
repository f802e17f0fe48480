(* S-expressions and a miniature Lisp with lambda, let, cond, quote and define. *)

type value =
  | Nil
  | Int of int
  | Sym of string
  | Cons of value * value
  | Prim of string * (value list -> value)
  | Closure of string list * value * (string * value) list ref

exception Lisp_error of string
let err s = raise (Lisp_error s)

let tokenize s =
  let toks = ref [] and cur = Buffer.create 8 in
  let flush () =
    if Buffer.length cur > 0 then begin
      toks := Buffer.contents cur :: !toks;
      Buffer.clear cur
    end in
  String.iter (fun c ->
      match c with
      | '(' | ')' | '\'' -> flush (); toks := String.make 1 c :: !toks
      | ' ' | '\n' | '\t' -> flush ()
      | c -> Buffer.add_char cur c) s;
  flush ();
  List.rev !toks

let rec read = function
  | [] -> err "unexpected end of input"
  | "(" :: rest -> read_list rest
  | ")" :: _ -> err "unexpected )"
  | "'" :: rest -> let v, rest = read rest in (Cons (Sym "quote", Cons (v, Nil)), rest)
  | tok :: rest ->
    ((match int_of_string_opt tok with Some n -> Int n | None -> Sym tok), rest)

and read_list = function
  | ")" :: rest -> (Nil, rest)
  | toks ->
    let hd, rest = read toks in
    let tl, rest = read_list rest in
    (Cons (hd, tl), rest)

let rec read_all toks =
  match toks with
  | [] -> []
  | _ -> let v, rest = read toks in v :: read_all rest

let rec show = function
  | Nil -> "()"
  | Int n -> string_of_int n
  | Sym s -> s
  | Prim (n, _) -> "#<" ^ n ^ ">"
  | Closure (ps, _, _) -> "#<lambda (" ^ String.concat " " ps ^ ")>"
  | Cons (Sym "quote", Cons (v, Nil)) -> "'" ^ show v
  | Cons (a, d) -> "(" ^ show a ^ show_tail d ^ ")"

and show_tail = function
  | Nil -> ""
  | Cons (a, d) -> " " ^ show a ^ show_tail d
  | v -> " . " ^ show v

let rec to_list = function
  | Nil -> []
  | Cons (a, d) -> a :: to_list d
  | v -> err ("not a list: " ^ show v)

let rec of_list = function [] -> Nil | x :: xs -> Cons (x, of_list xs)

let truth b = if b then Sym "t" else Nil

let globals : (string * value) list ref = ref []

let arith name f =
  Prim (name, fun args ->
      let ints = List.map (function Int n -> n | v -> err (name ^ ": not a number: " ^ show v)) args in
      match ints with
      | [] -> err (name ^ ": no arguments")
      | x :: xs -> Int (List.fold_left f x xs))

let pred2 name f =
  Prim (name, function
      | [ Int a; Int b ] -> truth (f a b)
      | _ -> err (name ^ ": expects two numbers"))

let () =
  globals := [
    "+", arith "+" ( + ); "-", arith "-" ( - ); "*", arith "*" ( * );
    "<", pred2 "<" ( < ); "=", pred2 "=" ( = );
    "cons", Prim ("cons", (function [ a; b ] -> Cons (a, b) | _ -> err "cons: arity"));
    "car", Prim ("car", (function [ Cons (a, _) ] -> a | _ -> err "car: not a pair"));
    "cdr", Prim ("cdr", (function [ Cons (_, d) ] -> d | _ -> err "cdr: not a pair"));
    "null", Prim ("null", (function [ v ] -> truth (v == Nil) | _ -> err "null: arity"));
    "list", Prim ("list", of_list);
    "nil", Nil; "t", Sym "t";
  ]

let lookup env x =
  match List.assoc_opt x !env with
  | Some v -> v
  | None ->
    match List.assoc_opt x !globals with
    | Some v -> v
    | None -> err ("unbound: " ^ x)

let name = function Sym s -> s | v -> err ("not a symbol: " ^ show v)

let rec eval env v =
  match v with
  | Int _ | Nil | Prim _ | Closure _ -> v
  | Sym s -> lookup env s
  | Cons (Sym "quote", Cons (v, Nil)) -> v
  | Cons (Sym "if", rest) ->
    (match to_list rest with
     | [ c; a; b ] -> eval env (if eval env c <> Nil then a else b)
     | [ c; a ] -> if eval env c <> Nil then eval env a else Nil
     | _ -> err "if: bad syntax")
  | Cons (Sym "cond", clauses) ->
    let rec go = function
      | [] -> Nil
      | clause :: rest ->
        match to_list clause with
        | [ c; body ] -> if eval env c <> Nil then eval env body else go rest
        | _ -> err "cond: bad clause" in
    go (to_list clauses)
  | Cons (Sym "lambda", Cons (ps, Cons (body, Nil))) ->
    Closure (List.map name (to_list ps), body, env)
  | Cons (Sym "let", Cons (bs, Cons (body, Nil))) ->
    let frame =
      List.map (fun b ->
          match to_list b with
          | [ Sym x; e ] -> (x, eval env e)
          | _ -> err "let: bad binding") (to_list bs) in
    eval (ref (frame @ !env)) body
  | Cons (Sym "define", Cons (Sym x, Cons (e, Nil))) ->
    let v = eval env e in
    globals := (x, v) :: !globals;
    Sym x
  | Cons (f, args) -> apply (eval env f) (List.map (eval env) (to_list args))

and apply f args =
  match f with
  | Prim (_, p) -> p args
  | Closure (ps, body, env) ->
    let frame =
      try List.combine ps args
      with Invalid_argument _ ->
        err (Printf.sprintf "expected %d arguments, got %d" (List.length ps) (List.length args)) in
    eval (ref (frame @ !env)) body
  | v -> err ("not a function: " ^ show v)

let program = "
(define fact (lambda (n) (if (< n 2) 1 (* n (fact (- n 1))))))
(fact 12)
(define map (lambda (f l) (if (null l) nil (cons (f (car l)) (map f (cdr l))))))
(map (lambda (x) (* x x)) '(1 2 3 4 5))
(define fold (lambda (f a l) (if (null l) a (fold f (f a (car l)) (cdr l)))))
(fold + 0 (list 1 2 3 4 5 6 7 8 9 10))
(define compose (lambda (f g) (lambda (x) (f (g x)))))
((compose (lambda (x) (+ x 1)) (lambda (x) (* x 10))) 7)
(let ((x 2) (y 3)) (list x y (+ x y)))
(cons 1 2)
(cons 1 (cons 2 3))
'(a (b c) . d)
(cond ((< 3 1) 'first) ((= 2 2) 'second) (t 'third))
compose
car
(car 5)
(undefined 1)
(fact)
(1 2 3)
(if nil 1)
''quoted
"

let () =
  List.iter (fun form ->
      match eval (ref []) form with
      | v -> Printf.printf "%s\n" (show v)
      | exception Lisp_error m -> Printf.printf "error: %s\n" m)
    (read_all (tokenize program));
  List.iter (fun s ->
      try print_endline (show (fst (read (tokenize s))))
      with Lisp_error m -> print_endline ("read error: " ^ m))
    [ "(1 (2 (3)))"; "(1 2"; ")"; ""; "(((())))" ]
