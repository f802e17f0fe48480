(* A function that returns a function is not a function of two arguments. *)

let trace s = print_string s; print_char ' '
let make = fun m -> trace "make"; fun x -> trace "call"; m + x
let flat = fun m x -> trace "flat"; m + x
let counted = let calls = ref 0 in fun m -> incr calls; let mine = !calls in fun x -> (mine * 100) + m + x
let three a = trace "a"; fun b -> trace "b"; fun c -> trace "c"; a + (b * 10) + (c * 100)
let mixed a b = trace "ab"; fun c d -> trace "cd"; a + b + c + d
let apply2 f x y = f x y
let apply1 f x = f x
let table = [ ("make", make); ("flat", flat); ("counted", counted); ("partial three", three 1 |> fun f -> fun x y -> f x y) ]

let () =
  let add = make 1 in
  trace "|";
  Printf.printf "%d %d\n" (add 2) (add 3);
  let add = flat 1 in
  trace "|";
  Printf.printf "%d %d\n" (add 2) (add 3);
  let a = counted 1 and b = counted 2 in
  Printf.printf "%d %d %d %d\n" (a 0) (b 0) (a 1) (counted 3 0);
  let f = three 1 in
  trace "|";
  let g = f 2 in
  trace "|";
  Printf.printf "%d %d\n" (g 3) (f 4 5);
  let f = mixed 1 2 in
  trace "|";
  let g = f 3 in
  trace "|";
  Printf.printf "%d %d %d\n" (g 4) (g 5) (f 1 1);
  List.iter (fun (name, f) -> let v = f 5 6 in Printf.printf "%s %d\n" name v) table;
  List.iter (fun (name, f) -> let g = f 7 in trace "|"; let v = g 8 in Printf.printf "%s %d\n" name v) table;
  Printf.printf "%d %d\n" (apply2 make 1 2) (apply2 flat 1 2);
  Printf.printf "%d %d\n" (apply1 (apply1 make 3) 4) (apply1 (apply1 flat 3) 4);
  Printf.printf "%d\n" (apply2 apply2 mixed 1 2 3 4);
  let fs = List.map make [ 1; 2; 3 ] in
  trace "|";
  Printf.printf "%s\n" (String.concat "," (List.map (fun f -> string_of_int (f 10)) fs))
