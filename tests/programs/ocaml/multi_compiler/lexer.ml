type token = INT of int | ID of string | KW of string | OP of char | EOF

exception Lex_error of int * char

let tokens s =
  let n = String.length s in
  let rec span i p = if i < n && p s.[i] then span (i + 1) p else i in
  let rec go i =
    if i >= n then [ EOF ]
    else
      match s.[i] with
      | ' ' | '\n' -> go (i + 1)
      | '0' .. '9' ->
        let j = span i (function '0' .. '9' -> true | _ -> false) in
        INT (int_of_string (String.sub s i (j - i))) :: go j
      | 'a' .. 'z' ->
        let j = span i (function 'a' .. 'z' -> true | _ -> false) in
        let w = String.sub s i (j - i) in
        (match w with
         | "let" | "in" | "if" | "then" | "else" -> KW w
         | _ -> ID w) :: go j
      | ('+' | '-' | '*' | '(' | ')' | '=') as c -> OP c :: go (i + 1)
      | c -> raise (Lex_error (i, c)) in
  go 0
