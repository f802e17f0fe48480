(* A variant with many constant and non-constant constructors; dense matches and round trips. *)

type op =
  | Nop | Add | Sub | Mul | Div | Mod | And | Or | Xor | Not | Neg | Shl | Shr | Eq | Ne | Lt | Le | Gt | Ge
  | Push of int | Load of string | Store of string | Jump of int | JumpIf of int * bool | Call of string * int
  | Tuple of int * int * int | Nested of op | Pair of op * op | Text of { s : string; len : int }

let rec code = function
  | Nop -> 0 | Add -> 1 | Sub -> 2 | Mul -> 3 | Div -> 4 | Mod -> 5 | And -> 6 | Or -> 7 | Xor -> 8 | Not -> 9
  | Neg -> 10 | Shl -> 11 | Shr -> 12 | Eq -> 13 | Ne -> 14 | Lt -> 15 | Le -> 16 | Gt -> 17 | Ge -> 18
  | Push n -> 100 + n
  | Load s | Store s -> 200 + String.length s
  | Jump n -> 300 + n
  | JumpIf (n, true) -> 400 + n
  | JumpIf (n, false) -> 450 + n
  | Call (s, n) -> 500 + (10 * String.length s) + n
  | Tuple (a, b, c) -> 600 + a + b + c
  | Nested o -> 1000 + code o
  | Pair (a, b) -> (code a * 2) + code b
  | Text { len; _ } -> 2000 + len

let arity = function
  | Not | Neg | Push _ | Load _ -> 1
  | Nop | Jump _ | Text _ -> 0
  | Add | Sub | Mul | Div | Mod | And | Or | Xor | Shl | Shr | Eq | Ne | Lt | Le | Gt | Ge -> 2
  | Store _ -> 1
  | JumpIf _ -> 1
  | Call (_, n) -> n
  | Tuple _ | Nested _ | Pair _ -> -1

let all = [ Nop; Add; Sub; Mul; Div; Mod; And; Or; Xor; Not; Neg; Shl; Shr; Eq; Ne; Lt; Le; Gt; Ge; Push 5; Load "ab";
            Store "abc"; Jump 7; JumpIf (3, true); JumpIf (3, false); Call ("fn", 4); Tuple (1, 2, 3);
            Nested (Nested Neg); Pair (Ge, Push 1); Text { s = "hello"; len = 5 } ]

let () =
  List.iter (fun o -> Printf.printf "%d/%d " (code o) (arity o)) all;
  print_newline ();
  Printf.printf "%d\n" (List.length (List.sort_uniq compare (all @ all)));
  Printf.printf "%b\n" (List.sort compare all = all);
  let swapped = List.map (function Pair (a, b) -> Pair (b, a) | Nested o -> o | o -> o) all in
  Printf.printf "%d\n" (List.fold_left (fun s o -> s + code o) 0 swapped);
  let count p = List.length (List.filter p all) in
  Printf.printf "%d %d\n" (count (function Push _ | Load _ | Store _ -> true | _ -> false)) (count (fun o -> arity o = 2))
