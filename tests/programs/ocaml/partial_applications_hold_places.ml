(* A function literal that is applied to some of its arguments holds them: a reference or a record among them lives as
   long as the function that is left. *)

let logged = ref 0
let say s = incr logged; if !logged < 120 then (print_string s; print_char ' ')

type counter = { mutable count : int; step : int }

let[@inline never] of_reference _ = say "reference"; (fun r _ _ -> !r) (ref 3)
let[@inline never] of_two x = say "two"; (fun a b _ c -> a := !a + !b + c; !a) (ref x) (ref 10)
let[@inline never] of_record x = say "record"; (fun it by () -> it.count <- it.count + (by * it.step); it.count) { count = x; step = 2 }

let[@inline never] nested x =
  say "nested";
  (fun a -> say "inner"; (fun b _ d -> incr b; a + !b + d) (ref a)) (x + 1)

let[@inline never] under_handler x =
  say "handler";
  try (fun a _ c -> if c = 0 then raise Not_found else a := !a * c; !a) (ref x) with Not_found -> fun _ _ -> -1

let rec chosen n = if n = 0 then (fun r _ _ -> incr r; !r) (ref n) else chosen (n - 1)

let call name f = Printf.printf "%s %d\n" name (f 1.5 3)

let () =
  Printf.printf "%d\n" ((of_reference [ (fun _ -> true) ]) 1.5 3);
  Printf.printf "%d\n" ((of_reference [ (fun _ -> false) ]) 1.5 3);
  call "reference" (of_reference 1);
  let two = of_two 5 in
  let first = two true 1 in
  let second = two false 2 in
  Printf.printf "%d %d\n" first second;
  Printf.printf "%d\n" ((of_two 6) true 1);
  let record = of_record 7 in
  let first = record 1 () in
  let second = record 2 () in
  Printf.printf "%d %d\n" first second;
  Printf.printf "%d\n" ((of_record 8) 3 ());
  Printf.printf "%d\n" ((nested 4) 'x' 2);
  Printf.printf "%d\n" ((nested 5) 'y' 2);
  let f = under_handler 3 in
  let first = f () 2 in
  let second = f () 5 in
  Printf.printf "%d %d\n" first second;
  Printf.printf "%s\n" (try string_of_int ((under_handler 1) () 0) with Not_found -> "not found");
  call "chosen" (chosen 4);
  let all = List.map (fun i -> (fun r s _ -> r := !r + s; !r) (ref i)) [ 1; 2; 3 ] in
  List.iter (fun f -> Printf.printf "%d " (f 10 ())) all;
  List.iter (fun f -> Printf.printf "%d " (f 10 ())) all;
  print_newline ()
