(* An interpreter of a small language running a long program. rounds: 5000 *)
type expr =
  | Num of int
  | Var of string
  | Add of expr * expr
  | Sub of expr * expr
  | Less of expr * expr
  | Lam of string * expr
  | App of expr * expr

type stmt = Assign of string * expr | While of expr * stmt list

type value = Int of int | Fun of string * expr * env
and env = (string * value) list

let rec eval env = function
  | Num n -> Int n
  | Var x -> List.assoc x env
  | Add (a, b) -> arith ( + ) env a b
  | Sub (a, b) -> arith ( - ) env a b
  | Less (a, b) -> arith (fun a b -> if a < b then 1 else 0) env a b
  | Lam (x, body) -> Fun (x, body, env)
  | App (f, a) -> (
      match eval env f with
      | Fun (x, body, inner) -> eval ((x, eval env a) :: inner) body
      | Int _ -> failwith "no function")

and arith op env a b =
  match (eval env a, eval env b) with
  | Int a, Int b -> Int (op a b)
  | _ -> failwith "no number"

let set x v env = (x, v) :: List.remove_assoc x env

let rec exec env = function
  | Assign (x, e) -> set x (eval env e) env
  | While (test, body) ->
      let rec loop env = if eval env test = Int 0 then env else loop (List.fold_left exec env body) in
      loop env

let program n =
  [
    Assign ("i", Num 0);
    Assign ("s", Num 0);
    Assign ("twice", Lam ("f", Lam ("x", App (Var "f", App (Var "f", Var "x")))));
    While
      ( Less (Var "i", Num n),
        [
          Assign ("k", Var "i");
          Assign ("s", App (App (Var "twice", Lam ("x", Add (Var "x", Num 2))), Var "s"));
          Assign ("s", Sub (Var "s", Num 1));
          Assign ("i", Add (Var "i", Num 1));
        ] );
  ]

let () =
  let env = List.fold_left exec [] (program (int_of_string Sys.argv.(1))) in
  match List.assoc "s" env with
  | Int s -> Printf.printf "%d\n" s
  | Fun _ -> print_endline "function"
