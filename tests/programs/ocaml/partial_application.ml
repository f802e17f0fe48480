(* Partial and over-application: side effects between arguments, functions of many arguments, pipelines. *)

let f8 a b c d e f g h = Printf.sprintf "%d%d%d%d%d%d%d%d" a b c d e f g h
let log = Buffer.create 64
let trace s v = Buffer.add_string log s; v

let staged a =
  let doubled = trace "[stage1]" (a * 2) in
  fun b ->
    let sum = trace "[stage2]" (doubled + b) in
    fun c -> trace "[stage3]" (sum * c)

let make_op = function
  | "+" -> ( + )
  | "-" -> ( - )
  | _ -> fun _ _ -> 0

let rec repeat n f = if n = 0 then fun x -> x else fun x -> repeat (n - 1) f (f x)

let maybe_print verbose = if verbose then print_endline else ignore

let () =
  let g1 = f8 1 in
  let g3 = g1 2 3 in
  let g7 = g3 4 5 6 7 in
  print_endline (g7 8);
  print_endline (g7 9);
  print_endline (g3 0 0 0 0 0);
  print_endline (f8 1 2 3 4 5 6 7 8);
  let s1 = staged 10 in
  let s2 = s1 1 in
  Printf.printf "%d %d %d %d\n" (s2 2) (s2 3) (s1 5 1) (staged 1 1 1);
  print_endline (Buffer.contents log);
  Printf.printf "%d %d %d\n" (make_op "+" 3 4) (make_op "-" 3 4) (make_op "?" 3 4);
  Printf.printf "%d\n" (repeat 5 (fun x -> x * 2) 1);
  maybe_print true "shown";
  maybe_print false "hidden";
  let ops = List.map make_op [ "+"; "-"; "x" ] in
  List.iter (fun op -> Printf.printf "%d " (op 10 3)) ops;
  print_newline ();
  let table = List.map2 (fun f x -> f x) (List.map ( * ) [ 1; 2; 3 ]) [ 10; 20; 30 ] in
  List.iter (Printf.printf "%d ") table;
  print_newline ();
  let apply f = f in
  Printf.printf "%d %d\n" (apply ( + ) 1 2) (apply apply apply succ 5);
  let sum3 = fun (a, b) -> fun c -> a + b + c in
  Printf.printf "%d\n" (List.fold_left ( + ) 0 (List.map (sum3 (1, 2)) [ 3; 4; 5 ]));
  let h = Fun.flip List.map [ 1; 2; 3 ] in
  List.iter print_string (h string_of_int);
  print_newline ();
  let pr = Printf.sprintf "%s-%d-%b" in
  let pr1 = pr "a" in
  print_endline (pr1 1 true ^ " " ^ pr1 2 false)
