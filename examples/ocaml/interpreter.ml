(* A small functional language: a tokenizer, a parser and an evaluator with closures. *)

type expr =
  | Num of int
  | Var of string
  | Add of expr * expr
  | Sub of expr * expr
  | Mul of expr * expr
  | If_zero of expr * expr * expr
  | Fun of string * expr
  | Call of expr * expr
  | Let of string * expr * expr

type token = Int of int | Name of string | Sym of char | End

exception Syntax of string

let tokenize text =
  let n = String.length text in
  let is_digit c = c >= '0' && c <= '9' and is_letter c = c >= 'a' && c <= 'z' in
  let rec span test i = if i < n && test text.[i] then span test (i + 1) else i in
  let rec go i =
    if i >= n then [ End ]
    else
      match text.[i] with
      | ' ' | '\n' -> go (i + 1)
      | c when is_digit c ->
        let j = span is_digit i in
        Int (int_of_string (String.sub text i (j - i))) :: go j
      | c when is_letter c ->
        let j = span is_letter i in
        Name (String.sub text i (j - i)) :: go j
      | c -> Sym c :: go (i + 1)
  in
  go 0

let parse text =
  let rest = ref (tokenize text) in
  let peek () = List.hd !rest in
  let skip () = rest := List.tl !rest in
  let expect c = if peek () = Sym c then skip () else raise (Syntax (Printf.sprintf "expected '%c'" c)) in
  let name () = match peek () with Name x -> skip (); x | _ -> raise (Syntax "expected a name") in
  let rec expr () =
    match peek () with
    | Name "let" ->
      skip ();
      let x = name () in
      expect '=';
      let value = expr () in
      expect ';';
      Let (x, value, expr ())
    | Name "fun" ->
      skip ();
      let x = name () in
      expect '.';
      Fun (x, expr ())
    | Name "ifz" ->
      skip ();
      let c = atom () in
      let a = atom () in
      If_zero (c, a, atom ())
    | _ -> sum ()
  and sum () =
    let rec more left =
      match peek () with
      | Sym '+' -> skip (); more (Add (left, product ()))
      | Sym '-' -> skip (); more (Sub (left, product ()))
      | _ -> left
    in
    more (product ())
  and product () =
    let rec more left = if peek () = Sym '*' then (skip (); more (Mul (left, call ()))) else left in
    more (call ())
  and call () =
    let rec more f = match peek () with Int _ | Name _ | Sym '(' -> more (Call (f, atom ())) | _ -> f in
    more (atom ())
  and atom () =
    match peek () with
    | Int n -> skip (); Num n
    | Name x -> skip (); Var x
    | Sym '(' ->
      skip ();
      let e = expr () in
      expect ')';
      e
    | Sym c -> raise (Syntax (Printf.sprintf "unexpected '%c'" c))
    | End -> raise (Syntax "unexpected end")
  in
  let e = expr () in
  if peek () = End then e else raise (Syntax "text behind the program")

(* Functions of the language are functions of OCaml: the environment is captured. *)
type value = Number of int | Closure of (value -> value)

let number = function Number n -> n | Closure _ -> failwith "a number is needed"

let rec eval env = function
  | Num n -> Number n
  | Var x -> (try List.assoc x env with Not_found -> failwith ("unknown variable " ^ x))
  | Add (a, b) -> Number (number (eval env a) + number (eval env b))
  | Sub (a, b) -> Number (number (eval env a) - number (eval env b))
  | Mul (a, b) -> Number (number (eval env a) * number (eval env b))
  | If_zero (c, a, b) -> if number (eval env c) = 0 then eval env a else eval env b
  | Fun (x, body) -> Closure (fun v -> eval ((x, v) :: env) body)
  | Call (f, a) -> (
    match eval env f with
    | Closure f -> f (eval env a)
    | Number _ -> failwith "a number is called")
  | Let (x, value, body) -> eval ((x, eval env value) :: env) body

let run text =
  match eval [] (parse text) with
  | Number n -> Printf.printf "%s = %d\n" text n
  | Closure _ -> Printf.printf "%s is a function\n" text
  | exception Syntax message -> Printf.printf "%s: syntax error: %s\n" text message
  | exception Failure message -> Printf.printf "%s: %s\n" text message

let () =
  List.iter run
    [
      "1 + 2 * 3";
      "let twice = fun f. fun x. f (f x); twice (fun n. n * n) 3";
      "let add = fun a. fun b. a + b; let inc = add 1; inc (inc 40)";
      "let fix = fun f. (fun x. f (fun y. x x y)) (fun x. f (fun y. x x y)); \
       let fact = fix (fun self. fun n. ifz n 1 (n * self (n - 1))); fact 10";
      "fun x. x";
      "1 + (2";
      "1 2";
    ]
