(* A parser of arithmetic, made of closures. *)

type 'a parser = string -> int -> ('a * int) option

let return (x : 'a) : 'a parser = fun _ pos -> Some (x, pos)

let bind (p : 'a parser) (f : 'a -> 'b parser) : 'b parser =
 fun s pos -> match p s pos with None -> None | Some (x, pos) -> f x s pos

let ( >>= ) = bind
let ( <|> ) (p : 'a parser) (q : 'a parser) : 'a parser =
 fun s pos -> match p s pos with None -> q s pos | some -> some

let satisfy (test : char -> bool) : char parser =
 fun s pos ->
  if pos < String.length s && test s.[pos] then Some (s.[pos], pos + 1) else None

let char c = satisfy (fun d -> c = d)

let rec many p = p >>= (fun x -> many p >>= fun xs -> return (x :: xs)) <|> return []
let many1 p = p >>= fun x -> many p >>= fun xs -> return (x :: xs)
let spaces = many (char ' ')
let token p = p >>= fun x -> spaces >>= fun _ -> return x
let symbol c = token (char c)

let number =
  token
    ( many1 (satisfy (fun c -> c >= '0' && c <= '9')) >>= fun digits ->
      return (List.fold_left (fun n d -> ((n * 10) + Char.code d - 48) land 0xffffff) 0 digits) )

let chain_left p op =
  let rec rest left = op >>= (fun f -> p >>= fun right -> rest (f left right)) <|> return left in
  p >>= rest

let operator c f = symbol c >>= fun _ -> return f

let rec expression s pos =
  (chain_left term
     (operator '+' (fun a b -> (a + b) land 0xffffff)
     <|> operator '-' (fun a b -> (a - b) land 0xffffff)))
    s pos

and term s pos = (chain_left factor (operator '*' (fun a b -> a * b land 0xffffff))) s pos

and factor s pos =
  (number <|> (symbol '(' >>= fun _ -> expression >>= fun x -> symbol ')' >>= fun _ -> return x))
    s pos

(* An expression of some size, the same every time. *)
let rec generate buffer depth seed =
  if depth = 0 then Buffer.add_string buffer (string_of_int (seed land 1023))
  else begin
    let op = match seed mod 3 with 0 -> " + " | 1 -> " - " | _ -> " * " in
    if seed land 1 = 0 then Buffer.add_char buffer '(';
    generate buffer (depth - 1) (((seed * 13) + 7) land 0xffff);
    Buffer.add_string buffer op;
    generate buffer (depth - 1) (((seed * 29) + 3) land 0xffff);
    if seed land 1 = 0 then Buffer.add_char buffer ')'
  end

let () =
  let buffer = Buffer.create 1000 in
  generate buffer 11 5;
  let text = Buffer.contents buffer in
  let total = ref 0 in
  for _ = 1 to 1_500 do
    match expression text 0 with
    | Some (value, pos) when pos = String.length text -> total := (!total + value) land 0xffffff
    | _ -> failwith "syntax error"
  done;
  Printf.printf "%d %d\n" (String.length text) !total
