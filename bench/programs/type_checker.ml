(* Inference of Hindley and Milner, with levels, over terms that are made at random. *)

type ty = Con of string | Arrow of ty * ty | Pair of ty * ty | Var of var ref
and var = Link of ty | Free of int * int | Generic of int

type term =
  | Name of string
  | Lam of string * term
  | App of term * term
  | Let of string * term * term
  | Tuple of term * term
  | Number of int

let counter = ref 0
let fresh level = incr counter; Var (ref (Free (!counter, level)))

let rec head = function
  | Var ({ contents = Link t } as r) -> let t = head t in r := Link t; t
  | t -> t

exception Mismatch

let rec occurs r level t =
  match head t with
  | Var s when s == r -> raise Mismatch
  | Var ({ contents = Free (id, l) } as s) -> if l > level then s := Free (id, level)
  | Arrow (a, b) | Pair (a, b) -> occurs r level a; occurs r level b
  | _ -> ()

let rec unify a b =
  match (head a, head b) with
  | Var r, Var s when r == s -> ()
  | Var ({ contents = Free (_, l) } as r), t | t, Var ({ contents = Free (_, l) } as r) -> occurs r l t; r := Link t
  | Con a, Con b when a = b -> ()
  | Arrow (a, b), Arrow (c, d) | Pair (a, b), Pair (c, d) -> unify a c; unify b d
  | _ -> raise Mismatch

let rec generalize level t =
  match head t with
  | Var ({ contents = Free (id, l) } as r) -> if l > level then r := Generic id
  | Arrow (a, b) | Pair (a, b) -> generalize level a; generalize level b
  | _ -> ()

let instantiate level t =
  let made = ref [] in
  let rec go t =
    match head t with
    | Var { contents = Generic id } -> (
        match List.assoc_opt id !made with
        | Some t -> t
        | None -> let t = fresh level in made := (id, t) :: !made; t)
    | Arrow (a, b) -> let a = go a in Arrow (a, go b)
    | Pair (a, b) -> let a = go a in Pair (a, go b)
    | t -> t
  in
  go t

let rec infer env level = function
  | Number _ -> Con "int"
  | Name x -> instantiate level (List.assoc x env)
  | Lam (x, body) ->
      let a = fresh level in
      Arrow (a, infer ((x, a) :: env) level body)
  | App (f, x) ->
      let tf = infer env level f in
      let tx = infer env level x in
      let r = fresh level in
      unify tf (Arrow (tx, r));
      r
  | Let (x, a, b) ->
      let ta = infer env (level + 1) a in
      generalize level ta;
      infer ((x, ta) :: env) level b
  | Tuple (a, b) -> let a = infer env level a in Pair (a, infer env level b)

let rec size t =
  match head t with Arrow (a, b) | Pair (a, b) -> 1 + size a + size b | _ -> 1

let seed = ref 42
let random n =
  seed := ((!seed * 1103515245) + 12345) land 0x3fffffff;
  (!seed lsr 8) mod n

let rec term names depth =
  if depth = 0 then if random 4 = 0 then Number (random 10) else Name (List.nth names (random (List.length names)))
  else
    match random 5 with
    | 0 -> let x = "x" ^ string_of_int depth in Lam (x, term (x :: names) (depth - 1))
    | 1 -> let f = term names (depth - 1) in App (f, term names (depth - 1))
    | 2 ->
        let x = "y" ^ string_of_int depth in
        let a = term names (depth - 1) in
        Let (x, a, term (x :: names) (depth - 1))
    | 3 -> let a = term names (depth - 1) in Tuple (a, term names (depth - 1))
    | _ -> term names (depth - 1)

let () =
  let a = Var (ref (Generic (-1))) and b = Var (ref (Generic (-2))) and int = Con "int" in
  let env =
    [ ("id", Arrow (a, a)); ("fst", Arrow (Pair (a, b), a)); ("k", Arrow (a, Arrow (b, a)));
      ("add", Arrow (int, Arrow (int, int))); ("dup", Arrow (a, Pair (a, a))) ]
  in
  let good = ref 0 and bad = ref 0 and total = ref 0 in
  for _ = 1 to 60_000 do
    let t = term [ "id"; "fst"; "k"; "add"; "dup" ] 9 in
    match infer env 0 t with
    | t -> incr good; total := !total + size t
    | exception Mismatch -> incr bad
  done;
  Printf.printf "%d %d %d\n" !good !bad !total
