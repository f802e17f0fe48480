(* Towers of Hanoi: recursive moves and a simulation on stacks that checks legality. *)

type peg = A | B | C
let name = function A -> 'A' | B -> 'B' | C -> 'C'

let rec hanoi n src dst via =
  if n = 0 then [] else hanoi (n - 1) src via dst @ [ (src, dst) ] @ hanoi (n - 1) via dst src

let simulate n moves =
  let pegs = [ (A, Stack.create ()); (B, Stack.create ()); (C, Stack.create ()) ] in
  for d = n downto 1 do Stack.push d (List.assq A pegs) done;
  List.iter (fun (s, d) ->
      let disk = Stack.pop (List.assoc s pegs) in
      let dst = List.assoc d pegs in
      if not (Stack.is_empty dst) && Stack.top dst < disk then failwith "illegal move";
      Stack.push disk dst) moves;
  List.map (fun (p, s) -> (name p, Stack.length s)) pegs

let () =
  List.iter (fun (s, d) -> Printf.printf "%c->%c " (name s) (name d)) (hanoi 3 A C B);
  print_newline ();
  List.iter (fun n -> Printf.printf "%d: %d moves\n" n (List.length (hanoi n A C B))) [ 1; 5; 10 ];
  List.iter (fun (c, n) -> Printf.printf "%c holds %d\n" c n) (simulate 8 (hanoi 8 A C B));
  try ignore (simulate 2 [ (A, B); (A, B) ]) with Failure m -> print_endline m
