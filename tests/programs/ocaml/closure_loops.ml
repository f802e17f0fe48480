(* Loop variables are captured per iteration; refs are captured by reference. *)

let () =
  let fs = ref [] in
  for i = 0 to 4 do fs := (fun () -> i) :: !fs done;
  print_endline (String.concat " " (List.rev_map (fun f -> string_of_int (f ())) !fs));
  let gs = Array.make 5 (fun _ -> 0) in
  for i = 4 downto 0 do
    let sq = i * i in
    gs.(i) <- (fun x -> sq + (x * i))
  done;
  Array.iter (fun g -> Printf.printf "%d " (g 10)) gs;
  print_newline ();
  let j = ref 0 in
  let hs = ref [] in
  while !j < 3 do
    let snapshot = !j in
    hs := (fun () -> (snapshot, !j)) :: !hs;
    incr j
  done;
  List.iter (fun h -> let a, b = h () in Printf.printf "(%d,%d) " a b) (List.rev !hs);
  print_newline ();
  j := 99;
  List.iter (fun h -> let a, b = h () in Printf.printf "(%d,%d) " a b) (List.rev !hs);
  print_newline ();
  (* nested loops *)
  let table = ref [] in
  for i = 1 to 3 do
    for k = i to 3 do
      table := (fun m -> Printf.sprintf "%d%d%d" i k m) :: !table
    done
  done;
  List.iteri (fun n f -> print_string (f n ^ " ")) (List.rev !table);
  print_newline ();
  (* each counter is separate *)
  let counters = List.init 3 (fun start -> let r = ref (start * 10) in fun () -> incr r; !r) in
  List.iter (fun c -> ignore (c ()); ignore (c ())) counters;
  List.iter (fun c -> Printf.printf "%d " (c ())) counters;
  print_newline ();
  (* empty loops do not run *)
  for i = 5 to 4 do Printf.printf "never %d" i done;
  for i = 1 downto 2 do Printf.printf "never %d" i done;
  (* the bounds are evaluated once *)
  let n = ref 3 in
  for i = 1 to !n do n := 10; Printf.printf "%d " i done;
  print_newline ()
