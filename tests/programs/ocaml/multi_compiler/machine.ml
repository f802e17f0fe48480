open Ast

type instr = Push of int | Load of int | Add_i | Sub_i | Mul_i | Bind | Unbind | Jump of int | JumpZ of int

exception Unbound of string

let show = function
  | Push n -> "push " ^ string_of_int n
  | Load i -> "load " ^ string_of_int i
  | Add_i -> "add" | Sub_i -> "sub" | Mul_i -> "mul" | Bind -> "bind" | Unbind -> "unbind"
  | Jump n -> "jump +" ^ string_of_int n
  | JumpZ n -> "jumpz +" ^ string_of_int n

let rec compile env = function
  | Num n -> [ Push n ]
  | Var x ->
    let rec index i = function
      | [] -> raise (Unbound x)
      | y :: r -> if x = y then i else index (i + 1) r in
    [ Load (index 0 env) ]
  | Add (a, b) -> compile env a @ compile env b @ [ Add_i ]
  | Sub (a, b) -> compile env a @ compile env b @ [ Sub_i ]
  | Mul (a, b) -> compile env a @ compile env b @ [ Mul_i ]
  | Let (x, a, b) -> compile env a @ [ Bind ] @ compile (x :: env) b @ [ Unbind ]
  | If (c, a, b) ->
    let a = compile env a and b = compile env b in
    compile env c @ [ JumpZ (List.length a + 1) ] @ a @ [ Jump (List.length b) ] @ b

let run code =
  let code = Array.of_list code in
  let rec go pc stack env =
    if pc >= Array.length code then List.hd stack
    else
      match code.(pc), stack with
      | Push n, s -> go (pc + 1) (n :: s) env
      | Load i, s -> go (pc + 1) (List.nth env i :: s) env
      | Add_i, b :: a :: s -> go (pc + 1) ((a + b) :: s) env
      | Sub_i, b :: a :: s -> go (pc + 1) ((a - b) :: s) env
      | Mul_i, b :: a :: s -> go (pc + 1) ((a * b) :: s) env
      | Bind, v :: s -> go (pc + 1) s (v :: env)
      | Unbind, s -> go (pc + 1) s (List.tl env)
      | Jump n, s -> go (pc + 1 + n) s env
      | JumpZ n, v :: s -> go (if v = 0 then pc + 1 + n else pc + 1) s env
      | _ -> failwith "stack underflow" in
  go 0 [] []
