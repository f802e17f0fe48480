(* Hashtbl iteration in bucket order with int keys: depends on the hash function. *)

let () =
  let h = Hashtbl.create 16 in
  for i = 0 to 30 do Hashtbl.replace h (i * 3) (i * i) done;
  Hashtbl.iter (fun k v -> Printf.printf "%d=%d " k v) h;
  print_newline ();
  for i = 0 to 10 do Hashtbl.remove h (i * 6) done;
  print_endline (String.concat " " (Hashtbl.fold (fun k _ acc -> string_of_int k :: acc) h []));
  Seq.iter (fun k -> Printf.printf "%d " k) (Hashtbl.to_seq_keys h);
  print_newline ();
  List.iter (fun n -> Printf.printf "%d " (Hashtbl.hash n)) [ 0; 1; -1; 42; max_int; min_int; 1 lsl 40 ];
  print_newline ();
  let neg = Hashtbl.create 4 in
  List.iter (fun k -> Hashtbl.add neg k ()) [ -5; 5; -100; 100; 0; 7; 5 ];
  Hashtbl.iter (fun k () -> Printf.printf "%d " k) neg;
  print_newline ()
