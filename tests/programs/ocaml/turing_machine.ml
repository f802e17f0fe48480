(* Turing machines with a zipper tape: binary increment, unary addition, busy beaver, palindrome check. *)

type move = L | R | S
type tape = { left : char list; cur : char; right : char list }

let blank = '_'
let of_string s = match List.init (String.length s) (String.get s) with
  | [] -> { left = []; cur = blank; right = [] }
  | c :: r -> { left = []; cur = c; right = r }

let shift t = function
  | S -> t
  | L -> (match t.left with
      | [] -> { left = []; cur = blank; right = t.cur :: t.right }
      | c :: l -> { left = l; cur = c; right = t.cur :: t.right })
  | R -> (match t.right with
      | [] -> { left = t.cur :: t.left; cur = blank; right = [] }
      | c :: r -> { left = t.cur :: t.left; cur = c; right = r })

let to_string t =
  let s = List.rev_append t.left (t.cur :: t.right) in
  let s = String.concat "" (List.map (String.make 1) s) in
  String.concat "" (List.filter (( <> ) "") (String.split_on_char blank s))

let run rules start input =
  let rec go state t n =
    if state = "halt" || n > 5000 then (t, n, state)
    else
      match List.find_opt (fun (s, c, _, _, _) -> s = state && (c = t.cur || c = '*')) rules with
      | None -> (t, n, "stuck in " ^ state)
      | Some (_, _, w, m, next) -> go next (shift { t with cur = (if w = '*' then t.cur else w) } m) (n + 1) in
  go start (of_string input) 0

let increment = [ ("r", '_', '_', L, "c"); ("r", '*', '*', R, "r"); ("c", '1', '0', L, "c"); ("c", '*', '1', S, "halt") ]
let add = [ ("a", '+', '1', R, "b"); ("a", '1', '1', R, "a"); ("b", '1', '1', R, "b"); ("b", '_', '_', L, "e"); ("e", '1', '_', S, "halt") ]
let beaver = [ ("a", '_', '1', R, "b"); ("a", '1', '1', L, "c"); ("b", '_', '1', L, "a"); ("b", '1', '1', R, "b");
               ("c", '_', '1', L, "b"); ("c", '1', '1', S, "halt") ]

let () =
  let show name (t, n, st) = Printf.printf "%s: %s after %d steps (%s)\n" name (to_string t) n st in
  List.iter (fun s -> show ("inc " ^ s) (run increment "r" s)) [ "0"; "1"; "1011"; "111"; "" ];
  show "3+2" (run add "a" "111+11");
  show "beaver" (run beaver "a" "");
  show "stuck" (run add "a" "11x");
  show "loop" (run [ ("a", '*', '*', S, "a") ] "a" "z")
