(* An imperative language: lexer, recursive-descent parser, tree-walking evaluator with functions. *)

type token =
  | Num of int
  | Str of string
  | Ident of string
  | Kw of string
  | Op of string
  | Eof

exception Error of int * string

let keywords = [ "let"; "if"; "else"; "while"; "fn"; "return"; "print"; "true"; "false"; "nil" ]

let is_digit = function '0' .. '9' -> true | _ -> false
let is_alpha = function 'a' .. 'z' | 'A' .. 'Z' | '_' -> true | _ -> false
let is_alnum c = is_alpha c || is_digit c

let tokenize src =
  let n = String.length src in
  let line = ref 1 in
  let rec scan_while pred i = if i < n && pred src.[i] then scan_while pred (i + 1) else i in
  let rec go i acc =
    if i >= n then List.rev ((Eof, !line) :: acc)
    else
      let emit tok j = go j ((tok, !line) :: acc) in
      match src.[i] with
      | ' ' | '\t' | '\r' -> go (i + 1) acc
      | '\n' -> incr line; go (i + 1) acc
      | '#' -> go (scan_while (fun c -> c <> '\n') i) acc
      | '"' ->
        let j = scan_while (fun c -> c <> '"') (i + 1) in
        if j >= n then raise (Error (!line, "unterminated string"));
        emit (Str (String.sub src (i + 1) (j - i - 1))) (j + 1)
      | c when is_digit c ->
        let j = scan_while is_digit i in
        emit (Num (int_of_string (String.sub src i (j - i)))) j
      | c when is_alpha c ->
        let j = scan_while is_alnum i in
        let w = String.sub src i (j - i) in
        emit (if List.mem w keywords then Kw w else Ident w) j
      | c ->
        let two = if i + 1 < n then String.sub src i 2 else "" in
        (match two with
         | "==" | "!=" | "<=" | ">=" | "&&" | "||" -> emit (Op two) (i + 2)
         | _ ->
           match c with
           | '+' | '-' | '*' | '/' | '%' | '<' | '>' | '=' | '(' | ')' | '{' | '}'
           | ',' | ';' | '!' | '[' | ']' -> emit (Op (String.make 1 c)) (i + 1)
           | _ -> raise (Error (!line, Printf.sprintf "bad character %C" c))) in
  go 0 []

type expr =
  | Int of int
  | String of string
  | Bool of bool
  | Nil
  | Variable of string
  | Assign of string * expr
  | Binary of int * string * expr * expr
  | And of expr * expr
  | Or of expr * expr
  | Unary of string * expr
  | Apply of int * expr * expr list
  | Lambda of string list * stmt list
  | List_lit of expr list
  | Index of int * expr * expr

and stmt =
  | Let of string * expr
  | Expr of expr
  | If of expr * stmt list * stmt list
  | While of expr * stmt list
  | Return of expr
  | Print of expr list

(* parser state: a mutable list of tokens *)
type parser = { mutable toks : (token * int) list }

let peek p = fst (List.hd p.toks)
let line p = snd (List.hd p.toks)
let advance p = match p.toks with [ _ ] -> () | _ :: t -> p.toks <- t | [] -> ()
let accept p tok = if peek p = tok then (advance p; true) else false

let describe = function
  | Num n -> string_of_int n
  | Str s -> Printf.sprintf "%S" s
  | Ident s | Kw s | Op s -> "'" ^ s ^ "'"
  | Eof -> "end of input"

let expect p tok =
  if not (accept p tok) then
    raise (Error (line p, Printf.sprintf "expected %s, found %s" (describe tok) (describe (peek p))))

let ident p =
  match peek p with
  | Ident x -> advance p; x
  | t -> raise (Error (line p, "expected a name, found " ^ describe t))

let levels = [| [ "=="; "!=" ]; [ "<"; ">"; "<="; ">=" ]; [ "+"; "-" ]; [ "*"; "/"; "%" ] |]

let rec expr p =
  let lhs = logic_or p in
  match lhs, peek p with
  | Variable x, Op "=" -> advance p; Assign (x, expr p)
  | _ -> lhs

and logic_or p =
  let l = logic_and p in
  if accept p (Op "||") then Or (l, logic_or p) else l

and logic_and p =
  let l = binary p 0 in
  if accept p (Op "&&") then And (l, logic_and p) else l

and binary p lvl =
  if lvl >= Array.length levels then unary p
  else begin
    let left = ref (binary p (lvl + 1)) in
    let continue = ref true in
    while !continue do
      match peek p with
      | Op o when List.mem o levels.(lvl) ->
        let ln = line p in
        advance p;
        let right = binary p (lvl + 1) in
        left := Binary (ln, o, !left, right)
      | _ -> continue := false
    done;
    !left
  end

and unary p =
  match peek p with
  | Op (("-" | "!") as o) -> advance p; Unary (o, unary p)
  | _ -> postfix p (primary p)

and postfix p e =
  let ln = line p in
  match peek p with
  | Op "(" -> advance p; let args = comma_list p ")" in postfix p (Apply (ln, e, args))
  | Op "[" -> advance p; let i = expr p in expect p (Op "]"); postfix p (Index (ln, e, i))
  | _ -> e

and comma_list p close =
  if accept p (Op close) then []
  else
    let rec more acc =
      let e = expr p in
      if accept p (Op ",") then more (e :: acc)
      else (expect p (Op close); List.rev (e :: acc)) in
    more []

and primary p =
  let ln = line p in
  let t = peek p in
  advance p;
  match t with
  | Num n -> Int n
  | Str s -> String s
  | Kw "true" -> Bool true
  | Kw "false" -> Bool false
  | Kw "nil" -> Nil
  | Ident x -> Variable x
  | Op "(" -> let e = expr p in expect p (Op ")"); e
  | Op "[" -> List_lit (comma_list p "]")
  | Kw "fn" -> let ps = params p in Lambda (ps, block p)
  | t -> raise (Error (ln, "unexpected " ^ describe t))

and params p =
  expect p (Op "(");
  if accept p (Op ")") then []
  else
    let rec more acc =
      let x = ident p in
      if accept p (Op ",") then more (x :: acc)
      else (expect p (Op ")"); List.rev (x :: acc)) in
    more []

and block p =
  expect p (Op "{");
  let rec loop acc = if accept p (Op "}") then List.rev acc else loop (stmt p :: acc) in
  loop []

and stmt p =
  match peek p with
  | Kw "let" ->
    advance p;
    let x = ident p in
    expect p (Op "=");
    let e = expr p in
    expect p (Op ";");
    Let (x, e)
  | Kw "fn" when (match p.toks with _ :: (Ident _, _) :: _ -> true | _ -> false) ->
    advance p;
    let x = ident p in
    let ps = params p in
    Let (x, Lambda (ps, block p))
  | Kw "if" ->
    advance p;
    let c = expr p in
    let yes = block p in
    let no =
      if accept p (Kw "else") then
        if peek p = Kw "if" then [ stmt p ] else block p
      else [] in
    If (c, yes, no)
  | Kw "while" -> advance p; let c = expr p in While (c, block p)
  | Kw "return" ->
    advance p;
    if accept p (Op ";") then Return Nil
    else (let e = expr p in expect p (Op ";"); Return e)
  | Kw "print" ->
    advance p;
    let rec more acc =
      let e = expr p in
      if accept p (Op ",") then more (e :: acc) else List.rev (e :: acc) in
    let es = more [] in
    expect p (Op ";");
    Print es
  | _ -> let e = expr p in expect p (Op ";"); Expr e

let program src =
  let p = { toks = tokenize src } in
  let rec loop acc = if peek p = Eof then List.rev acc else loop (stmt p :: acc) in
  loop []

type value =
  | VInt of int
  | VStr of string
  | VBool of bool
  | VNil
  | VList of value array
  | VFn of string list * stmt list * env
  | VPrim of string * (int -> value list -> value)

and env = { vars : (string, value ref) Hashtbl.t; up : env option }

exception Returned of value

let rec lookup env x =
  match Hashtbl.find_opt env.vars x, env.up with
  | Some r, _ -> Some r
  | None, Some up -> lookup up x
  | None, None -> None

let new_env up = { vars = Hashtbl.create 8; up }

let rec to_string = function
  | VInt n -> string_of_int n
  | VStr s -> s
  | VBool b -> string_of_bool b
  | VNil -> "nil"
  | VList vs -> "[" ^ String.concat ", " (Array.to_list (Array.map to_string vs)) ^ "]"
  | VFn (ps, _, _) -> Printf.sprintf "<fn/%d>" (List.length ps)
  | VPrim (n, _) -> "<" ^ n ^ ">"

let truthy = function VNil | VBool false -> false | _ -> true

let rec same a b =
  match a, b with
  | VInt x, VInt y -> x = y
  | VStr x, VStr y -> x = y
  | VBool x, VBool y -> x = y
  | VNil, VNil -> true
  | VList x, VList y ->
    Array.length x = Array.length y
    && List.for_all2 same (Array.to_list x) (Array.to_list y)
  | _ -> false

let rec eval env = function
  | Int n -> VInt n
  | String s -> VStr s
  | Bool b -> VBool b
  | Nil -> VNil
  | List_lit es -> VList (Array.of_list (List.map (eval env) es))
  | Variable x ->
    (match lookup env x with
     | Some r -> !r
     | None -> raise (Error (0, "undefined variable " ^ x)))
  | Assign (x, e) ->
    let v = eval env e in
    (match lookup env x with
     | Some r -> r := v; v
     | None -> raise (Error (0, "assignment to undefined " ^ x)))
  | And (a, b) -> let v = eval env a in if truthy v then eval env b else v
  | Or (a, b) -> let v = eval env a in if truthy v then v else eval env b
  | Unary ("-", e) ->
    (match eval env e with
     | VInt n -> VInt (-n)
     | _ -> raise (Error (0, "cannot negate")))
  | Unary (_, e) -> VBool (not (truthy (eval env e)))
  | Binary (ln, op, a, b) ->
    let x = eval env a in
    let y = eval env b in
    (match op, x, y with
     | "+", VInt a, VInt b -> VInt (a + b)
     | "+", VStr a, _ -> VStr (a ^ to_string y)
     | "+", _, VStr b -> VStr (to_string x ^ b)
     | "+", VList a, VList b -> VList (Array.append a b)
     | "-", VInt a, VInt b -> VInt (a - b)
     | "*", VInt a, VInt b -> VInt (a * b)
     | ("/" | "%"), VInt _, VInt 0 -> raise (Error (ln, "division by zero"))
     | "/", VInt a, VInt b -> VInt (a / b)
     | "%", VInt a, VInt b -> VInt (a mod b)
     | "<", VInt a, VInt b -> VBool (a < b)
     | ">", VInt a, VInt b -> VBool (a > b)
     | "<=", VInt a, VInt b -> VBool (a <= b)
     | ">=", VInt a, VInt b -> VBool (a >= b)
     | "==", a, b -> VBool (same a b)
     | "!=", a, b -> VBool (not (same a b))
     | _ -> raise (Error (ln, Printf.sprintf "type error in %s" op)))
  | Index (ln, a, i) ->
    (match eval env a, eval env i with
     | VList vs, VInt i ->
       (try vs.(i) with Invalid_argument _ ->
          raise (Error (ln, Printf.sprintf "index %d out of range" i)))
     | VStr s, VInt i when i >= 0 && i < String.length s -> VStr (String.make 1 s.[i])
     | _ -> raise (Error (ln, "cannot index")))
  | Lambda (ps, body) -> VFn (ps, body, env)
  | Apply (ln, f, args) ->
    let fv = eval env f in
    let argv = List.map (eval env) args in
    apply ln fv argv

and apply ln fv argv =
  match fv with
  | VPrim (_, f) -> f ln argv
  | VFn (ps, body, closure) ->
    if List.length ps <> List.length argv then
      raise (Error (ln, Printf.sprintf "expected %d arguments, got %d"
                      (List.length ps) (List.length argv)));
    let frame = new_env (Some closure) in
    List.iter2 (fun x v -> Hashtbl.replace frame.vars x (ref v)) ps argv;
    (try exec_block frame body; VNil with Returned v -> v)
  | v -> raise (Error (ln, "not a function: " ^ to_string v))

and exec env = function
  | Let (x, e) ->
    let cell = ref VNil in
    (match e with Lambda _ -> Hashtbl.replace env.vars x cell | _ -> ());
    cell := eval env e;
    Hashtbl.replace env.vars x cell
  | Expr e -> ignore (eval env e)
  | If (c, yes, no) ->
    exec_block (new_env (Some env)) (if truthy (eval env c) then yes else no)
  | While (c, body) ->
    while truthy (eval env c) do exec_block (new_env (Some env)) body done
  | Return e -> raise (Returned (eval env e))
  | Print es ->
    print_endline (String.concat " " (List.map (fun e -> to_string (eval env e)) es))

and exec_block env stmts = List.iter (exec env) stmts

let globals () =
  let g = new_env None in
  let def name f = Hashtbl.replace g.vars name (ref (VPrim (name, f))) in
  def "len" (fun ln -> function
      | [ VList vs ] -> VInt (Array.length vs)
      | [ VStr s ] -> VInt (String.length s)
      | _ -> raise (Error (ln, "len: bad argument")));
  def "str" (fun _ vs -> VStr (String.concat "" (List.map to_string vs)));
  def "map" (fun ln -> function
      | [ f; VList vs ] -> VList (Array.map (fun v -> apply ln f [ v ]) vs)
      | _ -> raise (Error (ln, "map: bad arguments")));
  g

let run title src =
  Printf.printf "=== %s ===\n" title;
  try exec_block (globals ()) (program src) with
  | Error (0, m) -> Printf.printf "error: %s\n" m
  | Error (ln, m) -> Printf.printf "line %d: %s\n" ln m
  | Returned _ -> print_endline "return outside a function"

let () =
  run "recursion" "
fn fib(n) { if n < 2 { return n; } return fib(n - 1) + fib(n - 2); }
let i = 0;
while i <= 12 { print i, fib(i); i = i + 3; }
";
  run "closures" "
fn counter(start) {
  let n = start;
  return fn() { n = n + 1; return n; };
}
let a = counter(0);
let b = counter(100);
a(); a(); b();
print a(), b(), counter;
fn compose(f, g) { return fn(x) { return f(g(x)); }; }
print compose(fn(x) { return x * 2; }, fn(x) { return x + 1; })(20);
print map(fn(x) { return x * x; }, [1, 2, 3, 4]);
";
  run "strings and lists" "
let s = \"abc\";
print s + 1, 2 + s, len(s), s[1];
let l = [1, \"two\", [3, nil, true]];
print l, l[2][0], l + [4] == [1, \"two\", [3, nil, true], 4];
print !(1 == 2) && 3 || 4, nil || \"default\";
# primes
let p = []; let n = 2;
while len(p) < 15 {
  let i = 0; let ok = true;
  while ok && i < len(p) { if n % p[i] == 0 { ok = false; } i = i + 1; }
  if ok { p = p + [n]; }
  n = n + 1;
}
print p;
";
  run "else if" "
fn grade(n) {
  if n >= 90 { return \"A\"; } else if n >= 80 { return \"B\"; } else { return \"C\"; }
}
print grade(95), grade(85), grade(5), -7 / 2, -7 % 2;
";
  List.iter (fun (t, s) -> run t s)
    [ "div", "print 1;\nprint 1 / 0;"; "undef", "print x;"; "index", "\n\nprint [1][3];";
      "args", "fn f(a) { return a; }\nprint f(1, 2);"; "syntax", "let x = ;";
      "missing", "print 1"; "char", "print 1 @ 2;"; "string", "print \"abc";
      "ret", "return 3;"; "call", "let x = 3; x(1);" ]
