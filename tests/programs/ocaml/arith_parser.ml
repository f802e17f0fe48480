(* Arithmetic expressions: precedence climbing over a char stream, symbolic simplification. *)

type expr =
  | Num of int
  | Var of char
  | Bin of char * expr * expr
  | Neg of expr

let prec = function
  | '+' | '-' -> 1
  | '*' | '/' -> 2
  | '^' -> 3
  | _ -> 0

let parse s =
  let i = ref 0 in
  let peek () =
    while !i < String.length s && s.[!i] = ' ' do incr i done;
    if !i < String.length s then s.[!i] else '\000' in
  let rec primary () =
    match peek () with
    | '(' ->
      incr i;
      let e = climb 1 in
      if peek () <> ')' then failwith "missing )";
      incr i;
      e
    | '-' -> incr i; Neg (primary ())
    | '0' .. '9' ->
      let v = ref 0 in
      while (match peek () with '0' .. '9' -> true | _ -> false) do
        v := !v * 10 + Char.code s.[!i] - Char.code '0';
        incr i
      done;
      Num !v
    | 'a' .. 'z' as c -> incr i; Var c
    | '\000' -> failwith "unexpected end"
    | c -> failwith (Printf.sprintf "unexpected '%c'" c)
  and climb min_prec =
    let lhs = ref (primary ()) in
    while prec (peek ()) >= min_prec do
      let op = peek () in
      incr i;
      (* '^' associates to the right *)
      let rhs = climb (if op = '^' then prec op else prec op + 1) in
      lhs := Bin (op, !lhs, rhs)
    done;
    !lhs in
  let e = climb 1 in
  if peek () <> '\000' then failwith "trailing input";
  e

let rec pow b e = if e <= 0 then 1 else b * pow b (e - 1)

let rec eval env = function
  | Num n -> n
  | Var c -> List.assoc c env
  | Neg e -> - eval env e
  | Bin (op, a, b) ->
    let a = eval env a and b = eval env b in
    match op with
    | '+' -> a + b
    | '-' -> a - b
    | '*' -> a * b
    | '/' -> a / b
    | '^' -> pow a b
    | _ -> assert false

let rec simplify e =
  match e with
  | Num _ | Var _ -> e
  | Neg e ->
    (match simplify e with
     | Num n -> Num (-n)
     | Neg e -> e
     | e -> Neg e)
  | Bin (op, a, b) ->
    match op, simplify a, simplify b with
    | '+', Num 0, e | '+', e, Num 0 | '*', Num 1, e | '*', e, Num 1
    | '-', e, Num 0 | '/', e, Num 1 | '^', e, Num 1 -> e
    | '*', Num 0, _ | '*', _, Num 0 -> Num 0
    | '^', _, Num 0 -> Num 1
    | '-', a, b when a = b -> Num 0
    | '/', _, Num 0 as t -> let (_, a, b) = t in Bin ('/', a, b)
    | op, (Num _ as a), (Num _ as b) -> Num (eval [] (Bin (op, a, b)))
    | op, a, b -> Bin (op, a, b)

let rec to_string p = function
  | Num n when n < 0 -> Printf.sprintf "(%d)" n
  | Num n -> string_of_int n
  | Var c -> String.make 1 c
  | Neg e -> "-" ^ to_string 9 e
  | Bin (op, a, b) ->
    let q = prec op in
    let l, r = if op = '^' then (q + 1, q) else (q, q + 1) in
    let s = Printf.sprintf "%s %c %s" (to_string l a) op (to_string r b) in
    if q < p then "(" ^ s ^ ")" else s

let () =
  let env = [ ('x', 5); ('y', -3) ] in
  List.iter
    (fun s ->
       match
         let e = parse s in
         (to_string 0 e, to_string 0 (simplify e), eval env e)
       with
       | a, b, v -> Printf.printf "%s | %s | %d\n" a b v
       | exception Failure m -> Printf.printf "%s | error: %s\n" s m
       | exception Division_by_zero -> Printf.printf "%s | division by zero\n" s
       | exception Not_found -> Printf.printf "%s | unbound variable\n" s)
    [ "1 + 2 * 3"; "(1+2)*3"; "2^3^2"; "10 - 4 - 3"; "100/7/2"; "x*x - y"; "-(x + -y)";
      "x + 0"; "0 * x + 1 * y"; "x - x"; "(x+1)^0"; "x / 0"; "4 / 0"; "z + 1"; "(1 + 2";
      "1 +"; "1 $ 2"; "2 * (3 + (4 - 1)) / 3"; "--x"; "" ]
