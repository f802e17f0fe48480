(* covers Seq *)
let ints l = print_endline (String.concat " " (List.map string_of_int l))
let show s = ints (List.of_seq s)
let one_to n = Seq.take n (Seq.ints 1)
let t f = try f () with e -> print_endline (Printexc.to_string e)

let () =
  show (Seq.mapi (fun i x -> i * x) (one_to 5));
  show (Seq.filteri (fun i _ -> i mod 2 = 0) (one_to 7));
  show (Seq.scan ( + ) 0 (one_to 5));
  show (Seq.drop 3 (one_to 5));
  show (Seq.drop 9 (one_to 5));
  show (Seq.take_while (fun x -> x < 4) (Seq.ints 0));
  show (Seq.drop_while (fun x -> x < 4) (one_to 6));
  show (Seq.take 7 (Seq.cycle (one_to 3)));
  show (Seq.cycle Seq.empty);
  show (Seq.take 5 (Seq.iterate (fun x -> x * 2) 1));
  show (Seq.take 3 (Seq.repeat 7));
  let n = ref 0 in
  show (Seq.take 3 (Seq.forever (fun () -> incr n; !n)));
  show (Seq.init 4 (fun i -> i * i));
  show (Seq.singleton 3);
  show (Seq.interleave (one_to 3) (Seq.take 5 (Seq.ints 10)));
  show (Seq.sorted_merge compare (List.to_seq [ 1; 4; 6 ]) (List.to_seq [ 2; 4; 5; 9 ]));
  show (Seq.map2 ( * ) (one_to 3) (Seq.ints 5));
  Seq.iter (fun (a, b) -> Printf.printf "%d,%s " a b) (Seq.zip (Seq.ints 0) (List.to_seq [ "a"; "b" ]));
  print_newline ();
  Seq.iter (fun (a, b) -> Printf.printf "%d%d " a b) (Seq.take 8 (Seq.product (Seq.ints 0) (Seq.ints 0)));
  print_newline ();
  Seq.iter (fun (a, b) -> Printf.printf "%d%c " a b) (Seq.product (one_to 3) (String.to_seq "xy"));
  print_newline ();
  show (Seq.map_product ( + ) (one_to 2) (List.to_seq [ 10; 20; 30 ]));
  Seq.iter show (Seq.transpose (List.to_seq [ one_to 3; one_to 1; one_to 2 ]));
  Seq.iter show (Seq.group ( = ) (List.to_seq [ 1; 1; 2; 3; 3; 3; 1 ]));
  let a, b = Seq.unzip (List.to_seq [ (1, 2); (3, 4) ]) in
  show a;
  show b;
  let a, b = Seq.partition (fun x -> x mod 2 = 0) (one_to 6) in
  show a;
  show b;
  let a, b = Seq.partition_map (fun x -> if x < 3 then Either.Left x else Either.Right (string_of_int x)) (one_to 5) in
  show a;
  print_endline (String.concat "," (List.of_seq b));
  Printf.printf "%b %b %d\n" (Seq.is_empty Seq.empty) (Seq.is_empty (one_to 1)) (Seq.length (one_to 9));
  (match Seq.uncons (one_to 2) with Some (x, rest) -> Printf.printf "%d " x; show rest | None -> ());
  Printf.printf "%d\n" (Seq.fold_lefti (fun acc i x -> acc + (i * x)) 0 (one_to 4));
  Seq.iteri (fun i x -> Printf.printf "%d:%d " i x) (one_to 3);
  print_newline ();
  Printf.printf "%b %b\n" (Seq.for_all (fun x -> x < 9) (one_to 5)) (Seq.exists (fun x -> x > 4) (Seq.ints 0));
  Printf.printf "%s %s %s %s\n"
    (match Seq.find (fun x -> x > 3) (Seq.ints 0) with Some x -> string_of_int x | None -> "-")
    (match Seq.find_index (fun x -> x > 3) (one_to 9) with Some x -> string_of_int x | None -> "-")
    (match Seq.find_map (fun x -> if x > 3 then Some (x * 10) else None) (one_to 9) with Some x -> string_of_int x | None -> "-")
    (match Seq.find_mapi (fun i x -> if i > 3 then Some (x * 10) else None) (one_to 3) with Some x -> string_of_int x | None -> "-");
  Seq.iter2 (fun a b -> Printf.printf "%d%d " a b) (one_to 3) (Seq.ints 7);
  print_newline ();
  Printf.printf "%d %b %b\n" (Seq.fold_left2 (fun acc a b -> acc + (a * b)) 0 (one_to 3) (Seq.ints 1))
    (Seq.for_all2 ( < ) (one_to 3) (Seq.ints 2)) (Seq.exists2 ( > ) (one_to 3) (Seq.ints 2));
  Printf.printf "%b %b %d %d\n" (Seq.equal ( = ) (one_to 3) (one_to 3)) (Seq.equal ( = ) (one_to 3) (one_to 4))
    (Seq.compare compare (one_to 3) (one_to 4)) (Seq.compare compare (one_to 3) (List.to_seq [ 1; 1 ]));
  let forced = ref 0 in
  let counted = Seq.map (fun x -> incr forced; x) (one_to 3) in
  let memo = Seq.memoize counted in
  show memo;
  show memo;
  Printf.printf "%d\n" !forced;
  let once = Seq.once counted in
  show once;
  t (fun () -> show once);
  t (fun () -> ignore (Seq.take (-1) Seq.empty));
  t (fun () -> ignore (Seq.drop (-1) Seq.empty));
  t (fun () -> ignore (Seq.init (-1) Fun.id));
  let next = Seq.to_dispenser (one_to 2) in
  for _ = 1 to 3 do
    print_string (match next () with Some x -> string_of_int x | None -> "none");
    print_char ' '
  done;
  print_newline ();
  let left = ref 3 in
  show (Seq.of_dispenser (fun () -> if !left = 0 then None else (decr left; Some !left)))
