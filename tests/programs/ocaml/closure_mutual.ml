(* Mutual recursion, top level and local, with captured variables and function values. *)

let rec even n = n = 0 || odd (n - 1)
and odd n = n <> 0 && even (n - 1)

let rec hofstadter_f n = if n = 0 then 1 else n - hofstadter_m (hofstadter_f (n - 1))
and hofstadter_m n = if n = 0 then 0 else n - hofstadter_f (hofstadter_m (n - 1))

let local limit tag =
  let seen = ref [] in
  let rec ping n = seen := (tag ^ "i") :: !seen; if n < limit then pong (n + 1) else "ping end"
  and pong n = seen := (tag ^ "o") :: !seen; if n < limit then ping (n + 2) else "pong end" in
  let r = ping 0 in
  (r, String.concat "" (List.rev !seen))

(* a state machine of mutually recursive closures *)
let tokenize s =
  let n = String.length s in
  let out = ref [] in
  let rec start i =
    if i < n then
      match s.[i] with
      | '0' .. '9' -> number i i
      | 'a' .. 'z' -> word i i
      | ' ' -> start (i + 1)
      | c -> out := Printf.sprintf "P(%c)" c :: !out; start (i + 1)
  and number from i =
    if i < n && s.[i] >= '0' && s.[i] <= '9' then number from (i + 1) else emit "N" from i
  and word from i =
    if i < n && s.[i] >= 'a' && s.[i] <= 'z' then word from (i + 1) else emit "W" from i
  and emit kind from i =
    out := Printf.sprintf "%s(%s)" kind (String.sub s from (i - from)) :: !out;
    start i in
  start 0;
  List.rev !out

type expr = Num of int | Block of stmt list * expr
and stmt = Set of string * expr | Log of expr

let rec eval env = function
  | Num n -> n + List.length env
  | Block (ss, e) -> eval (List.fold_left exec env ss) e
and exec env = function
  | Set (x, e) -> (x, eval env e) :: env
  | Log e -> Printf.printf "log %d\n" (eval env e); env

let rec zeros = 0 :: zeros
let rec ones = 1 :: twos and twos = 2 :: ones
let rec take n l = if n = 0 then [] else match l with [] -> [] | x :: r -> x :: take (n - 1) r

let () =
  Printf.printf "%b %b %b\n" (even 1000) (odd 7) (even 3);
  for i = 0 to 10 do Printf.printf "%d/%d " (hofstadter_f i) (hofstadter_m i) done;
  print_newline ();
  let r, s = local 9 "p" in
  Printf.printf "%s %s\n" r s;
  print_endline (String.concat " " (tokenize "let x1 = 42+y;"));
  Printf.printf "%d\n" (eval [] (Block ([ Set ("a", Num 1); Log (Num 10); Set ("b", Block ([], Num 2)) ], Num 5)));
  let show l = String.concat "" (List.map string_of_int l) in
  Printf.printf "%s %s\n" (show (take 5 zeros)) (show (take 7 ones));
  let rec f = fun x -> if x > 100 then x else g (x * 2) and g = fun x -> f (x + 1) in
  Printf.printf "%d\n" (f 1)
