(* Constructors held in their word, in every position: matched, compared, hashed, captured, stored in arrays,
   references and records, and as elements of other structures. *)

type expr = Num of int | Add of expr * expr | Neg of expr | Name of string

let rec eval env = function
  | Num n -> n
  | Add (a, b) -> eval env a + eval env b
  | Neg e -> -eval env e
  | Name s -> List.assoc s env

let rec show = function
  | Num n -> string_of_int n
  | Add (a, b) -> "(" ^ show a ^ " + " ^ show b ^ ")"
  | Neg e -> "-" ^ show e
  | Name s -> s

let rec simplify = function
  | Add (Num 0, e) | Add (e, Num 0) -> simplify e
  | Add (Num a, Num b) -> Num (a + b)
  | Add (a, b) -> Add (simplify a, simplify b)
  | Neg (Num n) -> Num (-n)
  | Neg e -> Neg (simplify e)
  | (Num _ | Name _) as e -> e

type ('a, 'b) either = Left of 'a | Right of 'b
type two = A of int | B of int
type only = Only of int
type holder = { mutable now : expr; first : expr }

let swap = function Left x -> Right x | Right y -> Left y
let number = function A n -> n | B n -> 1000 + n

let rec tree n seed = if n = 0 then Num (seed land 7) else Add (tree (n - 1) ((seed * 5) + 1), tree (n - 1) ((seed * 7) + 3))

let () =
  let e = Add (Num 0, Add (Num max_int, Neg (Num min_int))) in
  Printf.printf "%s = %d\n" (show e) (eval [] e);
  Printf.printf "%s\n" (show (simplify (Add (Name "x", Add (Num 2, Num 40)))));
  Printf.printf "%d\n" (eval [ ("x", 5) ] (Add (Name "x", Num (-7))));
  let cells = Array.init 6 (fun i -> if i mod 2 = 0 then Num i else Name (string_of_int i)) in
  cells.(1) <- Num 100;
  cells.(0) <- Neg cells.(2);
  Array.iter (fun e -> print_string (show e ^ " ")) cells;
  print_newline ();
  let h = { now = Num 1; first = Num 2 } in
  h.now <- Add (h.now, h.first);
  h.now <- Num (eval [] h.now);
  let r = ref h.now in
  r := Neg !r;
  r := Num (eval [] !r);
  Printf.printf "%s %s\n" (show h.now) (show !r);
  let sorted = List.sort compare [ Num 3; Name "b"; Num (-3); Neg (Num 1); Add (Num 1, Num 2); Num max_int; Name "a"; Num min_int ] in
  print_endline (String.concat " " (List.map show sorted));
  Printf.printf "%b %b %b\n" (Num 1 = Num 1) (Num 1 = Num 2) (Num 1 = Neg (Num 1));
  let table = Hashtbl.create 8 in
  for i = 0 to 20 do
    Hashtbl.replace table (Num (i mod 5)) i
  done;
  Printf.printf "%d %d\n" (Hashtbl.length table) (Hashtbl.find table (Num 3));
  (match (swap (Left 5 : (int, string) either), swap (Right "s" : (int, string) either)) with
  | Right n, Left s -> Printf.printf "%d %s\n" n s
  | _ -> print_endline "?");
  let (Only o) = Sys.opaque_identity (Only 77) in
  Printf.printf "%d %d %d\n" (number (Sys.opaque_identity (A 1))) (number (Sys.opaque_identity (B 2))) o;
  let captured = Sys.opaque_identity (Num 9) in
  let later = List.map (fun k () -> eval [] (Add (captured, Num k))) [ 1; 2; 3 ] in
  List.iter (fun f -> Printf.printf "%d " (f ())) later;
  print_newline ();
  let total = ref 0 in
  for i = 1 to 10 do
    total := !total + eval [] (simplify (tree i i))
  done;
  Printf.printf "%d\n" !total;
  let opts = [ Some (Num 1); None; Some (Name "q") ] in
  List.iter (function None -> print_string "none " | Some e -> print_string (show e ^ " ")) opts;
  let pairs = List.map (fun n -> (Num n, n)) [ 4; 5 ] in
  List.iter (fun (e, n) -> Printf.printf "%s/%d " (show e) n) pairs;
  print_newline ();
  (try if eval [] (Sys.opaque_identity (Num 3)) = 3 then raise Exit with Exit -> print_endline "exit")
