(* A parser that `menhir` wrote (`parser.mly`, the code back end), with a scanner of `ocamllex`: they are compiled as they
   are. *)
open Ast

let rec show = function
  | Int n -> string_of_int n
  | Var x -> x
  | Str s -> Printf.sprintf "%S" s
  | Bin (op, a, b) ->
      let op = match op with Add -> "+" | Sub -> "-" | Mul -> "*" | Div -> "/" | Lt -> "<" in
      Printf.sprintf "(%s %s %s)" (show a) op (show b)
  | Neg a -> Printf.sprintf "-%s" (show a)
  | Let (x, a, b) -> Printf.sprintf "(let %s = %s in %s)" x (show a) (show b)
  | Fun (x, a) -> Printf.sprintf "(fun %s -> %s)" x (show a)
  | If (a, b, c) -> Printf.sprintf "(if %s then %s else %s)" (show a) (show b) (show c)
  | App (f, a) -> Printf.sprintf "(%s %s)" (show f) (show a)

let try_text text =
  let lexbuf = Lexing.from_string text in
  match Parser.program Lexer.token lexbuf with
  | phrases -> List.iter (fun phrase -> print_endline (show phrase)) phrases
  | exception Parser.Error ->
      let place = Lexing.lexeme_start_p lexbuf in
      Printf.printf "syntax error at line %d, character %d: %S\n" place.pos_lnum (place.pos_cnum - place.pos_bol)
        (Lexing.lexeme lexbuf)
  | exception Lexer.Error reason -> print_endline reason

let () =
  List.iter try_text
    [
      "1 + 2 * 3 - 4 / 5 < f x y;;";
      "let f = fun x -> if x < 1 then 1 else x * f (x - 1) in -f 5 + g \"text\";;";
      "(* a comment (* and one in it *) *) a;; b;;\nc;;";
      "";
      "let x = = 3;;";
      "first;;\n  second ) ;;";
      "1 +";
      "1 ? 2;;";
      "(* never closed";
    ];
  (* The same parser used within an action of the scanner's user *)
  let many = String.concat "\n" (List.init 2000 (fun i -> Printf.sprintf "let x = %d in x * (y + %d) ;;" i (i * i))) in
  let phrases = Parser.program Lexer.token (Lexing.from_string many) in
  Printf.printf "%d phrases, size %d\n" (List.length phrases) (List.fold_left (fun sum it -> sum + Ast.size it) 0 phrases)
