(* Queue and Stack modules: balanced brackets, hot potato, RPN, transfer, iteration. *)

let balanced s =
  let st = Stack.create () in
  let matches o c = match o, c with '(', ')' | '[', ']' | '{', '}' -> true | _ -> false in
  try
    String.iteri (fun i c ->
        match c with
        | '(' | '[' | '{' -> Stack.push c st
        | ')' | ']' | '}' ->
          if Stack.is_empty st || not (matches (Stack.pop st) c) then raise Exit
        | _ -> ()) s;
    Stack.is_empty st
  with Exit -> false

let rpn s =
  let st = Stack.create () in
  let pop () = match Stack.pop_opt st with Some x -> x | None -> failwith "underflow" in
  List.iter (fun tok ->
      match tok with
      | "+" | "-" | "*" | "/" ->
        let b = pop () in
        let a = pop () in
        Stack.push (match tok with "+" -> a +. b | "-" -> a -. b | "*" -> a *. b | _ -> a /. b) st
      | t -> Stack.push (float_of_string t) st)
    (String.split_on_char ' ' s);
  if Stack.length st <> 1 then failwith "leftover";
  Stack.top st

let hot_potato names k =
  let q = Queue.create () in
  List.iter (fun n -> Queue.add n q) names;
  let out = ref [] in
  while Queue.length q > 1 do
    for _ = 1 to k do Queue.add (Queue.take q) q done;
    out := Queue.pop q :: !out
  done;
  (Queue.peek q, List.rev !out)

let () =
  List.iter (fun s -> Printf.printf "%s %b\n" s (balanced s)) [ "(a[b]{c})"; "(]"; "(("; ""; "}"; "([)]" ];
  List.iter (fun s ->
      match rpn s with
      | v -> Printf.printf "%s = %g\n" s v
      | exception Failure m -> Printf.printf "%s: %s\n" s m)
    [ "3 4 + 2 *"; "5 1 2 + 4 * + 3 -"; "1 +"; "1 2"; "2 x +"; "1 0 /" ];
  let w, out = hot_potato [ "ann"; "bob"; "cat"; "dan"; "eve" ] 3 in
  Printf.printf "%s wins, out: %s\n" w (String.concat " " out);
  let a = Queue.create () and b = Queue.create () in
  List.iter (fun x -> Queue.push x a) [ 1; 2; 3 ];
  Queue.push 9 b;
  Queue.transfer a b;
  Printf.printf "%d %d %d\n" (Queue.length a) (Queue.length b) (Queue.fold (fun acc x -> acc * 10 + x) 0 b);
  let c = Queue.copy b in
  Queue.clear b;
  Printf.printf "%b %d\n" (Queue.is_empty b) (Queue.length c);
  Queue.iter (Printf.printf "%d ") c;
  print_newline ();
  (try ignore (Queue.pop b) with Queue.Empty -> print_endline "queue empty");
  (match Queue.peek_opt b with None -> print_endline "nothing" | Some _ -> ());
  let s = Stack.of_seq (List.to_seq [ 1; 2; 3 ]) in
  Stack.iter (Printf.printf "%d ") s;
  Printf.printf "%d\n" (Stack.top s);
  Stack.clear s;
  try ignore (Stack.top s) with Stack.Empty -> print_endline "stack empty"
