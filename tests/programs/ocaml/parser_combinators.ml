(* Parser combinators with let operators: a record/list literal language. *)

type 'a parser = string -> int -> ('a * int, int * string) result

let return x : 'a parser = fun _ i -> Ok (x, i)
let fail msg : 'a parser = fun _ i -> Error (i, msg)

let ( let* ) (p : 'a parser) (f : 'a -> 'b parser) : 'b parser = fun s i ->
  match p s i with
  | Ok (x, j) -> f x s j
  | Error e -> Error e

let ( let+ ) p f = let* x = p in return (f x)
let ( and+ ) p q = let* x = p in let* y = q in return (x, y)
let ( <|> ) p q : 'a parser = fun s i ->
  match p s i with
  | Ok _ as ok -> ok
  | Error (j, _) as e -> if j > i then e else q s i
let ( *> ) p q = let* _ = p in q
let ( <* ) p q = let* x = p in let* _ = q in return x
let ( <?> ) p msg : 'a parser = fun s i ->
  match p s i with Error (j, _) when j = i -> Error (i, msg) | r -> r

let satisfy pred : char parser = fun s i ->
  if i < String.length s && pred s.[i] then Ok (s.[i], i + 1)
  else Error (i, "unexpected " ^ (if i < String.length s then Printf.sprintf "%C" s.[i] else "end"))

let char c = satisfy (( = ) c) <?> Printf.sprintf "expected %C" c

let rec many p : 'a list parser = fun s i ->
  match p s i with
  | Ok (x, j) -> (let+ xs = many p in x :: xs) s j
  | Error (j, _) as e -> if j > i then (match e with Error e -> Error e | _ -> assert false) else Ok ([], i)

let many1 p = let+ x = p and+ xs = many p in x :: xs
let sep_by p sep = (let+ x = p and+ xs = many (sep *> p) in x :: xs) <|> return []
let fix f = let rec p s i = f p s i in p
let spaces = many (satisfy (fun c -> c = ' ' || c = '\n'))
let lexeme p = p <* spaces
let sym c = lexeme (char c)
let chars l = String.init (List.length l) (List.nth l)
let eof : unit parser = fun s i -> if i = String.length s then Ok ((), i) else Error (i, "expected end")

let chainl1 p op =
  let rec rest x = (let* f = op in let* y = p in rest (f x y)) <|> return x in
  let* x = p in
  rest x

type value =
  | Int of int
  | Text of string
  | List of value list
  | Record of (string * value) list

let number =
  lexeme (let+ ds = many1 (satisfy (function '0' .. '9' -> true | _ -> false)) in
          int_of_string (chars ds))
  <?> "expected a number"

let ident =
  lexeme (let+ cs = many1 (satisfy (function 'a' .. 'z' -> true | _ -> false)) in chars cs)

let text =
  lexeme (char '\'' *> (let+ cs = many (satisfy (( <> ) '\'')) in chars cs) <* char '\'')

let arith =
  fix (fun expr ->
      let factor = number <|> (sym '(' *> expr <* sym ')') in
      let mul = (let+ _ = sym '*' in ( * )) in
      let add = (let+ _ = sym '+' in ( + )) <|> (let+ _ = sym '-' in ( - )) in
      chainl1 (chainl1 factor mul) add)

let value =
  fix (fun value ->
      let field = let+ k = ident and+ v = sym ':' *> value in (k, v) in
      (let+ l = sym '[' *> sep_by value (sym ',') <* sym ']' in List l)
      <|> (let+ fs = sym '{' *> sep_by field (sym ',') <* sym '}' in Record fs)
      <|> (let+ t = text in Text t)
      <|> (let+ n = arith in Int n)
      <?> "expected a value")

let rec show = function
  | Int n -> string_of_int n
  | Text t -> Printf.sprintf "%S" t
  | List l -> "[" ^ String.concat "; " (List.map show l) ^ "]"
  | Record fs -> "{" ^ String.concat "; " (List.map (fun (k, v) -> k ^ "=" ^ show v) fs) ^ "}"

let () =
  List.iter (fun s ->
      match (spaces *> value <* eof) s 0 with
      | Ok (v, _) -> Printf.printf "%-34s %s\n" s (show v)
      | Error (i, m) -> Printf.printf "%-34s error at %d: %s\n" s i m)
    [ "42"; " [1, 2, 3]"; "{a: 1, b: [x]}"; "{name: 'ox bow', size: (1+2)*3 - 4}"; "[]"; "{}";
      "[[1],[2,[3]]]"; "[1, 2"; "1 + "; "{a 1}"; "10 - 3 - 2"; "'open"; "1 2"; "?" ]
