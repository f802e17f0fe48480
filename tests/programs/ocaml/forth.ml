(* A small Forth: dictionary in a Hashtbl, user words, conditionals, loops, from stdin. *)

exception Forth_error of string

type word =
  | Builtin of (unit -> unit)
  | Defined of string list

let stack : int Stack.t = Stack.create ()
let dict : (string, word) Hashtbl.t = Hashtbl.create 64
let vars = Array.make 100 0
let var_count = ref 0
let loop_index = Stack.create ()

let error fmt = Printf.ksprintf (fun s -> raise (Forth_error s)) fmt

let pop () = try Stack.pop stack with Stack.Empty -> error "stack empty"
let push v = Stack.push v stack

let binary name f =
  Hashtbl.replace dict name (Builtin (fun () ->
      let b = pop () in
      let a = pop () in
      push (f a b)))

let of_bool b = if b then -1 else 0

let () =
  List.iter (fun (n, f) -> binary n f)
    [ "+", ( + ); "-", ( - ); "*", ( * );
      "/", (fun a b -> if b = 0 then error "division by zero" else a / b);
      "mod", (fun a b -> if b = 0 then error "division by zero" else a mod b);
      "=", (fun a b -> of_bool (a = b));
      "<", (fun a b -> of_bool (a < b));
      ">", (fun a b -> of_bool (a > b));
      "and", ( land ); "or", ( lor ); "xor", ( lxor );
      "max", max; "min", min ];
  List.iter (fun (n, f) -> Hashtbl.replace dict n (Builtin f))
    [ "dup", (fun () -> let a = pop () in push a; push a);
      "drop", (fun () -> ignore (pop ()));
      "swap", (fun () -> let b = pop () in let a = pop () in push b; push a);
      "over", (fun () -> let b = pop () in let a = pop () in push a; push b; push a);
      "rot", (fun () ->
          let c = pop () in let b = pop () in let a = pop () in
          push b; push c; push a);
      ".", (fun () -> Printf.printf "%d " (pop ()));
      "cr", print_newline;
      "emit", (fun () -> print_char (Char.chr (pop () land 255)));
      "@", (fun () -> push vars.(pop ()));
      "!", (fun () -> let a = pop () in vars.(a) <- pop ());
      "i", (fun () -> push (Stack.top loop_index));
      ".s", (fun () ->
          let items = Stack.fold (fun acc x -> x :: acc) [] stack in
          Printf.printf "<%d> " (List.length items);
          List.iter (Printf.printf "%d ") items) ]

let rec split_until stops depth acc opener = function
  | [] -> error "unterminated %s" opener
  | w :: rest when depth = 0 && List.mem w stops -> (List.rev acc, w, rest)
  | w :: rest ->
    let depth =
      if w = "if" || w = "do" then depth + 1
      else if w = "then" || w = "loop" then depth - 1
      else depth in
    split_until stops depth (w :: acc) opener rest

let rec eval = function
  | [] -> ()
  | ":" :: name :: rest ->
    let body, _, rest = split_until [ ";" ] 0 [] ":" rest in
    Hashtbl.replace dict name (Defined body);
    eval rest
  | "variable" :: name :: rest ->
    let slot = !var_count in
    incr var_count;
    Hashtbl.replace dict name (Builtin (fun () -> push slot));
    eval rest
  | "if" :: rest ->
    let yes, stop, rest = split_until [ "else"; "then" ] 0 [] "if" rest in
    let no, rest =
      if stop = "then" then ([], rest)
      else let no, _, rest = split_until [ "then" ] 0 [] "else" rest in (no, rest) in
    eval (if pop () <> 0 then yes else no);
    eval rest
  | "do" :: rest ->
    let body, _, rest = split_until [ "loop" ] 0 [] "do" rest in
    let start = pop () in
    let limit = pop () in
    for i = start to limit - 1 do
      Stack.push i loop_index;
      eval body;
      ignore (Stack.pop loop_index)
    done;
    eval rest
  | w :: rest ->
    (match Hashtbl.find_opt dict w with
     | Some (Builtin f) -> f ()
     | Some (Defined body) -> eval body
     | None ->
       match int_of_string_opt w with
       | Some n -> push n
       | None -> error "unknown word '%s'" w);
    eval rest

let () =
  let lines = ref 0 in
  try
    while true do
      let line = input_line stdin in
      incr lines;
      let words = List.filter (fun w -> w <> "") (String.split_on_char ' ' line) in
      (match eval words with
       | () -> print_endline "ok"
       | exception Forth_error m ->
         Stack.clear stack;
         Printf.printf "line %d: %s\n" !lines m)
    done
  with End_of_file ->
    Printf.printf "%d lines, %d on the stack\n" !lines (Stack.length stack)
