(* Untyped lambda calculus: parser, de Bruijn conversion, normal-order reduction. *)

type term =
  | Var of string
  | Lam of string * term
  | App of term * term

type db =
  | DVar of int
  | DFree of string
  | DLam of string * db
  | DApp of db * db

exception Syntax of string

let is_ident c = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c = '_'

let parse src =
  let pos = ref 0 in
  let len = String.length src in
  let rec skip () =
    if !pos < len && src.[!pos] = ' ' then begin incr pos; skip () end in
  let peek () = skip (); if !pos < len then Some src.[!pos] else None in
  let ident () =
    let start = !pos in
    while !pos < len && is_ident src.[!pos] do incr pos done;
    if !pos = start then raise (Syntax (Printf.sprintf "identifier expected at %d" start));
    String.sub src start (!pos - start) in
  let rec term () =
    match peek () with
    | Some '\\' ->
      incr pos;
      let rec params acc =
        match peek () with
        | Some '.' -> incr pos; List.rev acc
        | Some c when is_ident c -> let x = ident () in params (x :: acc)
        | _ -> raise (Syntax "bad parameter list") in
      let ps = params [] in
      let body = term () in
      List.fold_right (fun p b -> Lam (p, b)) ps body
    | _ -> application ()
  and application () =
    let rec loop acc =
      match peek () with
      | Some c when c = '(' || is_ident c -> loop (App (acc, atom ()))
      | Some '\\' -> App (acc, term ())
      | _ -> acc in
    loop (atom ())
  and atom () =
    match peek () with
    | Some '(' ->
      incr pos;
      let t = term () in
      (match peek () with
       | Some ')' -> incr pos; t
       | _ -> raise (Syntax "')' expected"))
    | Some c when is_ident c -> Var (ident ())
    | Some c -> raise (Syntax (Printf.sprintf "unexpected %C" c))
    | None -> raise (Syntax "unexpected end") in
  let t = term () in
  match peek () with
  | None -> t
  | Some c -> raise (Syntax (Printf.sprintf "trailing %C" c))

let rec index x i = function
  | [] -> None
  | y :: _ when x = y -> Some i
  | _ :: ys -> index x (i + 1) ys

let rec to_db env = function
  | Var x -> (match index x 0 env with Some i -> DVar i | None -> DFree x)
  | Lam (x, b) -> DLam (x, to_db (x :: env) b)
  | App (f, a) -> DApp (to_db env f, to_db env a)

let rec shift d cutoff = function
  | DVar i -> if i >= cutoff then DVar (i + d) else DVar i
  | DFree _ as t -> t
  | DLam (x, b) -> DLam (x, shift d (cutoff + 1) b)
  | DApp (f, a) -> DApp (shift d cutoff f, shift d cutoff a)

let rec subst j s = function
  | DVar i -> if i = j then s else DVar i
  | DFree _ as t -> t
  | DLam (x, b) -> DLam (x, subst (j + 1) (shift 1 0 s) b)
  | DApp (f, a) -> DApp (subst j s f, subst j s a)

let beta body arg = shift (-1) 0 (subst 0 (shift 1 0 arg) body)

let rec step = function
  | DApp (DLam (_, b), a) -> Some (beta b a)
  | DApp (f, a) ->
    (match step f with
     | Some f' -> Some (DApp (f', a))
     | None ->
       match step a with
       | Some a' -> Some (DApp (f, a'))
       | None -> None)
  | DLam (x, b) ->
    (match step b with Some b' -> Some (DLam (x, b')) | None -> None)
  | DVar _ | DFree _ -> None

let normalize limit t =
  let rec go n t =
    if n >= limit then (t, n, false)
    else match step t with
      | None -> (t, n, true)
      | Some t' -> go (n + 1) t' in
  go 0 t

let rec fresh env x = if List.mem x env then fresh env (x ^ "'") else x

let rec show env prec t =
  match t with
  | DFree x -> x
  | DVar i -> List.nth env i
  | DLam (x, b) ->
    let x = fresh env x in
    let s = "\\" ^ x ^ "." ^ show (x :: env) 0 b in
    if prec > 0 then "(" ^ s ^ ")" else s
  | DApp (f, a) ->
    let s = show env 1 f ^ " " ^ show env 2 a in
    if prec > 1 then "(" ^ s ^ ")" else s

let church n =
  let rec body k = if k = 0 then DVar 0 else DApp (DVar 1, body (k - 1)) in
  DLam ("f", DLam ("x", body n))

let unchurch = function
  | DLam (_, DLam (_, b)) ->
    let rec count acc = function
      | DVar 0 -> Some acc
      | DApp (DVar 1, r) -> count (acc + 1) r
      | _ -> None in
    count 0 b
  | _ -> None

let prelude = [
  "true", "\\t f. t";
  "false", "\\t f. f";
  "and", "\\a b. a b a";
  "plus", "\\m n f x. m f (n f x)";
  "mult", "\\m n f. m (n f)";
  "exp", "\\m n. n m";
  "two", "\\f x. f (f x)";
  "three", "\\f x. f (f (f x))";
  "pred", "\\n f x. n (\\g h. h (g f)) (\\u. x) (\\u. u)";
]

let rec expand t =
  match t with
  | DFree x ->
    (match List.assoc_opt x prelude with
     | Some src -> expand (to_db [] (parse src))
     | None -> t)
  | DVar _ -> t
  | DLam (x, b) -> DLam (x, expand b)
  | DApp (f, a) -> DApp (expand f, expand a)

let () =
  let run src =
    match parse src with
    | exception Syntax m -> Printf.printf "%-28s syntax error: %s\n" src m
    | t ->
      let nf, steps, ok = normalize 200 (expand (to_db [] t)) in
      Printf.printf "%-28s %s %s (%d steps)%s\n" src
        (if ok then "=>" else "..")
        (if ok then show [] 0 nf else "no normal form found")
        steps
        (match unchurch nf with
         | Some n when ok -> Printf.sprintf " = %d" n
         | _ -> "") in
  List.iter run [
    "\\x.x"; "(\\x.x) y"; "(\\x y.x) a b"; "(\\x y.y x) y";
    "\\y.(\\x y.x) y"; "and true false"; "and true true";
    "plus two three"; "mult two three"; "exp two three"; "pred three";
    "(\\x.x x) (\\x.x x)"; "(\\x y.y) ((\\x.x x) (\\x.x x)) z";
    "(\\x.x"; "a b c (d e) \\z.z"; ")"; "";
  ];
  Printf.printf "church 5: %s\n" (show [] 0 (church 5))
