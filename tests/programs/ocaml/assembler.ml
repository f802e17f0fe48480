(* A two-pass assembler and a register machine with flags, memory and a call stack; source from stdin. *)

type operand = Reg of int | Imm of int | Label of string | Mem of int * int

type instr =
  | Mov of operand * operand
  | Alu of string * operand * operand
  | Cmp of operand * operand
  | Jump of string * operand
  | Push of operand
  | Pop of operand
  | Call of operand
  | Ret
  | Out of operand
  | Outs of string
  | Halt

exception Asm_error of int * string
exception Fault of int * string

let error line fmt = Printf.ksprintf (fun m -> raise (Asm_error (line, m))) fmt

let strip s =
  let s = match String.index_opt s ';' with
    | Some i when not (String.contains (String.sub s 0 i) '"') -> String.sub s 0 i
    | _ -> s in
  String.trim s

let operand line s =
  let s = String.trim s in
  let n = String.length s in
  let reg t =
    if String.length t = 2 && t.[0] = 'r' && t.[1] >= '0' && t.[1] <= '7' then Some (Char.code t.[1] - 48) else None in
  if n = 0 then error line "missing operand"
  else if s.[0] = '[' && s.[n - 1] = ']' then begin
    let inner = String.sub s 1 (n - 2) in
    let base, off =
      match String.index_opt inner '+' with
      | Some i -> (String.sub inner 0 i, int_of_string (String.sub inner (i + 1) (String.length inner - i - 1)))
      | None -> (inner, 0) in
    match reg base with
    | Some r -> Mem (r, off)
    | None -> error line "bad address [%s]" inner
  end else
    match reg s, int_of_string_opt s with
    | Some r, _ -> Reg r
    | None, Some v -> Imm v
    | None, None -> Label s

let parse_line line s =
  let op, rest =
    match String.index_opt s ' ' with
    | Some i -> (String.sub s 0 i, String.trim (String.sub s i (String.length s - i)))
    | None -> (s, "") in
  let args = if rest = "" then [] else List.map (operand line) (String.split_on_char ',' rest) in
  match String.lowercase_ascii op, args with
  | "mov", [ (Reg _ | Mem _) as d; s ] -> Mov (d, s)
  | ("add" | "sub" | "mul" | "div" | "mod" | "and" | "or" | "xor" | "shl" | "shr") as o, [ (Reg _ as d); s ] -> Alu (o, d, s)
  | "cmp", [ a; b ] -> Cmp (a, b)
  | ("jmp" | "je" | "jne" | "jl" | "jg" | "jle" | "jge") as j, [ (Label _ as t) ] -> Jump (j, t)
  | "push", [ a ] -> Push a
  | "pop", [ (Reg _ as a) ] -> Pop a
  | "call", [ (Label _ as t) ] -> Call t
  | "ret", [] -> Ret
  | "out", [ a ] -> Out a
  | "halt", [] -> Halt
  | ("mov" | "add" | "sub" | "mul" | "div" | "mod" | "cmp" | "push" | "pop" | "call" | "out" | "jmp"), l ->
    error line "bad operands for %s (%d given)" op (List.length l)
  | o, _ -> error line "unknown instruction %s" o

let assemble source =
  let labels = Hashtbl.create 16 in
  let code = ref [] and count = ref 0 in
  let emit i = code := i :: !code; incr count in
  List.iteri (fun i raw ->
      let line = i + 1 in
      let s = strip raw in
      if s = "" then ()
      else if s.[String.length s - 1] = ':' then begin
        let l = String.sub s 0 (String.length s - 1) in
        if Hashtbl.mem labels l then error line "duplicate label %s" l;
        Hashtbl.add labels l !count
      end else if String.length s > 5 && String.sub s 0 5 = "outs " then begin
        let a = String.index s '"' and b = String.rindex s '"' in
        emit (line, Outs (String.sub s (a + 1) (b - a - 1)))
      end else emit (line, parse_line line s)) source;
  let resolve line = function
    | Label l ->
      (match Hashtbl.find_opt labels l with
       | Some n -> Imm n
       | None -> error line "undefined label %s" l)
    | o -> o in
  Array.of_list (List.rev_map (fun (line, i) ->
      let r = resolve line in
      match i with
      | Jump (j, t) -> Jump (j, r t)
      | Call t -> Call (r t)
      | Mov (d, s) -> Mov (d, r s)
      | Push a -> Push (r a)
      | i -> i) !code)

let run code =
  let regs = Array.make 8 0 and mem = Array.make 64 0 in
  let stack = ref [] and calls = ref [] in
  let flag = ref 0 and pc = ref 0 and steps = ref 0 in
  let fault m = raise (Fault (!pc, m)) in
  let address r o =
    let a = regs.(r) + o in
    if a < 0 || a >= Array.length mem then fault (Printf.sprintf "address %d" a);
    a in
  let get = function
    | Reg r -> regs.(r)
    | Imm v -> v
    | Mem (r, o) -> mem.(address r o)
    | Label _ -> assert false in
  let put d v = match d with
    | Reg r -> regs.(r) <- v
    | Mem (r, o) -> mem.(address r o) <- v
    | Imm _ | Label _ -> assert false in
  let alu o a b = match o with
    | "add" -> a + b | "sub" -> a - b | "mul" -> a * b
    | "div" -> if b = 0 then fault "division by zero" else a / b
    | "mod" -> if b = 0 then fault "division by zero" else a mod b
    | "and" -> a land b | "or" -> a lor b | "xor" -> a lxor b
    | "shl" -> a lsl b | "shr" -> a asr b
    | _ -> assert false in
  let taken = function
    | "jmp" -> true | "je" -> !flag = 0 | "jne" -> !flag <> 0
    | "jl" -> !flag < 0 | "jg" -> !flag > 0 | "jle" -> !flag <= 0 | "jge" -> !flag >= 0
    | _ -> assert false in
  let running = ref true in
  while !running do
    if !pc >= Array.length code then fault "fell off the end";
    incr steps;
    if !steps > 10_000 then fault "too many steps";
    let here = code.(!pc) in
    let next = ref (!pc + 1) in
    (match here with
     | Mov (d, s) -> put d (get s)
     | Alu (o, d, s) -> put d (alu o (get d) (get s))
     | Cmp (a, b) -> flag := compare (get a) (get b)
     | Jump (j, t) -> if taken j then next := get t
     | Push a -> stack := get a :: !stack
     | Pop d -> (match !stack with [] -> fault "stack empty" | v :: r -> stack := r; put d v)
     | Call t -> calls := !next :: !calls; next := get t
     | Ret -> (match !calls with [] -> fault "return without call" | a :: r -> calls := r; next := a)
     | Out a -> Printf.printf "%d\n" (get a)
     | Outs s -> print_endline s
     | Halt -> running := false);
    pc := !next
  done;
  !steps

let read_programs () =
  let rec go cur name acc =
    match input_line stdin with
    | exception End_of_file -> List.rev ((name, List.rev cur) :: acc)
    | l when String.length l > 4 && String.sub l 0 4 = "=== " ->
      let n = String.sub l 4 (String.length l - 4) in
      if name = "" then go [] n acc else go [] n ((name, List.rev cur) :: acc)
    | l -> go (l :: cur) name acc in
  go [] "" []

let () =
  List.iter (fun (name, src) ->
      Printf.printf "--- %s\n" name;
      match assemble src with
      | exception Asm_error (l, m) -> Printf.printf "line %d: %s\n" l m
      | code ->
        match run code with
        | steps -> Printf.printf "%d instructions, %d steps\n" (Array.length code) steps
        | exception Fault (pc, m) -> Printf.printf "fault at %d: %s\n" pc m) (read_programs ())
