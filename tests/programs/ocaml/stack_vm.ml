(* A stack VM with a compiler from expressions: variants, arrays, exceptions. *)

type instr =
  | Push of int
  | Load of int
  | Store of int
  | Add | Sub | Mul | Div
  | Lt | Eq
  | Jmp of int
  | Jz of int
  | Dup | Drop | Swap
  | Print
  | Call of int
  | Ret
  | Halt

exception Vm_error of { pc : int; msg : string }

type vm = {
  code : instr array;
  stack : int array;
  mutable sp : int;
  mutable pc : int;
  locals : int array;
  mutable frames : int list;
  mutable ticks : int;
}

let create code =
  { code; stack = Array.make 64 0; sp = 0; pc = 0;
    locals = Array.make 16 0; frames = []; ticks = 0 }

let fail vm msg = raise (Vm_error { pc = vm.pc; msg })

let push vm v =
  if vm.sp >= Array.length vm.stack then fail vm "stack overflow";
  vm.stack.(vm.sp) <- v;
  vm.sp <- vm.sp + 1

let pop vm =
  if vm.sp = 0 then fail vm "stack underflow";
  vm.sp <- vm.sp - 1;
  vm.stack.(vm.sp)

let binop vm f =
  let b = pop vm in
  let a = pop vm in
  push vm (f a b)

let int_of_bool b = if b then 1 else 0

let rec run vm =
  if vm.pc < 0 || vm.pc >= Array.length vm.code then fail vm "pc out of range";
  vm.ticks <- vm.ticks + 1;
  let next = vm.pc + 1 in
  match vm.code.(vm.pc) with
  | Halt -> ()
  | i ->
    let target =
      match i with
      | Push n -> push vm n; next
      | Load i -> push vm vm.locals.(i); next
      | Store i -> vm.locals.(i) <- pop vm; next
      | Add -> binop vm ( + ); next
      | Sub -> binop vm ( - ); next
      | Mul -> binop vm ( * ); next
      | Div ->
        (try binop vm ( / ) with Division_by_zero -> fail vm "division by zero");
        next
      | Lt -> binop vm (fun a b -> int_of_bool (a < b)); next
      | Eq -> binop vm (fun a b -> int_of_bool (a = b)); next
      | Jmp t -> t
      | Jz t -> if pop vm = 0 then t else next
      | Dup -> let a = pop vm in push vm a; push vm a; next
      | Drop -> ignore (pop vm); next
      | Swap ->
        let b = pop vm in
        let a = pop vm in
        push vm b; push vm a; next
      | Print -> Printf.printf "%d\n" (pop vm); next
      | Call t -> vm.frames <- next :: vm.frames; t
      | Ret ->
        (match vm.frames with
         | [] -> fail vm "return without call"
         | f :: rest -> vm.frames <- rest; f)
      | Halt -> assert false in
    vm.pc <- target;
    run vm

let execute name code =
  let vm = create (Array.of_list code) in
  Printf.printf "-- %s\n" name;
  match run vm with
  | () -> Printf.printf "halted after %d ticks, depth %d\n" vm.ticks vm.sp
  | exception Vm_error { pc; msg } -> Printf.printf "error at %d: %s\n" pc msg

let factorial n = [
  Push n; Store 0; Push 1; Store 1;
  (* 4 *) Load 0; Jz 15;
  Load 1; Load 0; Mul; Store 1;
  Load 0; Push 1; Sub; Store 0;
  Jmp 4;
  (* 15 *) Load 1; Print; Halt;
]

let fib_loop = [
  Push 0; Store 0; Push 1; Store 1; Push 0; Store 2;
  (* 6 *) Load 2; Push 15; Lt; Jz 23;
  Load 0; Print;
  Load 0; Load 1; Add; Load 1; Store 0; Store 1;
  Load 2; Push 1; Add; Store 2;
  Jmp 6;
  (* 23 *) Halt;
]

let square_call = [
  Push 7; Call 5; Print; Push 12; Jmp 8;
  (* 5 *) Dup; Mul; Ret;
  (* 8 *) Call 5; Print; Halt;
]

let () =
  execute "factorial" (factorial 10);
  execute "fibonacci" fib_loop;
  execute "calls" square_call;
  execute "underflow" [ Push 1; Add ];
  execute "divide" [ Push 1; Push 0; Div ];
  execute "overflow" [ Push 1; Jmp 0 ];
  execute "bad return" [ Ret ];
  execute "runs off" [ Push 1; Push 2; Swap; Sub; Print ]
