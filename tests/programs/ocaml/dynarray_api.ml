let t name f = try f () with e -> print_endline (name ^ ": " ^ Printexc.to_string e)
open Dynarray
let () =
  let e : int t = create () in let a = of_list [1;2;3] in
  t "get" (fun () -> ignore (get a 3)); t "get-" (fun () -> ignore (get a (-1))); t "get e" (fun () -> ignore (get e 0));
  t "set" (fun () -> set a 5 0); t "get_last" (fun () -> ignore (get_last e)); t "pop" (fun () -> ignore (pop_last e));
  t "make" (fun () -> ignore (make (-1) 0)); t "init" (fun () -> ignore (init (-1) (fun i -> i)));
  t "truncate" (fun () -> truncate a (-1)); t "blit1" (fun () -> blit ~src:a ~src_pos:2 ~dst:e ~dst_pos:0 ~len:2);
  t "blit2" (fun () -> blit ~src:a ~src_pos:0 ~dst:e ~dst_pos:1 ~len:2);
  t "blit3" (fun () -> blit ~src:a ~src_pos:0 ~dst:e ~dst_pos:(-1) ~len:2);
  t "blit4" (fun () -> blit ~src:a ~src_pos:0 ~dst:e ~dst_pos:0 ~len:(-2));
  t "blit4" (fun () -> blit ~src:a ~src_pos:(-1) ~dst:e ~dst_pos:0 ~len:(2));
  t "ensure" (fun () -> ensure_capacity a (-1)); t "ensurex" (fun () -> ensure_extra_capacity a (-1)); t "setcap" (fun () -> set_capacity a (-1));
  t "iter" (fun () -> iter (fun x -> add_last a x) a);
  t "iter" (fun () -> iter (fun x -> if length a > 1 then remove_last a) (of_list [1;2;3]); let b = of_list [1;2;3] in iter (fun _ -> remove_last b) b);
  t "map" (fun () -> let b = of_list [1;2;3] in ignore (map (fun x -> add_last b 1; x) b));
  t "fold" (fun () -> let b = of_list [1;2;3] in ignore (fold_left (fun x y -> add_last b 1; x) 0 b));
  t "foldr" (fun () -> let b = of_list [1;2;3] in ignore (fold_right (fun y x -> add_last b 1; x) b 0));
  t "exists" (fun () -> let b = of_list [1;2;3] in ignore (exists (fun x -> add_last b 1; false) b));
  t "forall" (fun () -> let b = of_list [1;2;3] in ignore (for_all (fun x -> add_last b 1; true) b));
  t "filter" (fun () -> let b = of_list [1;2;3] in ignore (filter (fun x -> add_last b 1; true) b));
  t "filtermap" (fun () -> let b = of_list [1;2;3] in ignore (filter_map (fun x -> add_last b 1; None) b));
  t "find" (fun () -> let b = of_list [1;2;3] in ignore (find_opt (fun x -> add_last b 1; false) b));
  t "findm" (fun () -> let b = of_list [1;2;3] in ignore (find_map (fun x -> add_last b 1; None) b));
  t "findi" (fun () -> let b = of_list [1;2;3] in ignore (find_index (fun x -> add_last b 1; false) b));
  t "equal" (fun () -> let b = of_list [1;2;3] in ignore (equal (fun x y -> add_last b 1; true) b (of_list [1;2;3])));
  t "equal2" (fun () -> let b = of_list [1;2;3] in ignore (equal (fun x y -> add_last b 1; true)  (of_list [1;2;3]) b));
  t "compare" (fun () -> let b = of_list [1;2;3] in ignore (compare (fun x y -> add_last b 1; 0) b (of_list [1;2;3])));
  t "for_all2" (fun () -> ignore (for_all2 (fun x y -> true) a e));
  t "exists2" (fun () -> ignore (exists2 (fun x y -> true) a e));
  t "exists2" (fun () -> let b = of_list [1;2;3] in ignore (exists2 (fun x y -> add_last b 1; false) b (of_list [1;2;3])));
  t "to_seq" (fun () -> let b = of_list [1;2;3] in Seq.iter (fun _ -> add_last b 1) (to_seq b));
  t "to_seq_rev" (fun () -> let b = of_list [1;2;3] in Seq.iter (fun _ -> add_last b 1) (to_seq_rev b));
  t "to_seq_re" (fun () -> let b = of_list [1;2;3] in Seq.iter (fun _ -> if length b < 6 then add_last b 1; Printf.printf "%d " (length b)) (to_seq_reentrant b); print_newline ());
  t "to_seq_revre" (fun () -> let b = of_list [1;2;3] in Seq.iter (fun _ -> remove_last b; Printf.printf "%d " (length b)) (to_seq_rev_reentrant b); print_newline ());
  t "to_list" (fun () -> ignore (to_list a));
  t "append" (fun () -> let b = of_list [1;2;3] in append b b; Printf.printf "%d %d\n" (length b) (capacity b));
  let b = create () in
  for i = 0 to 40 do add_last b i; Printf.printf "%d " (capacity b) done; print_newline ();
  let b = create () in append_list b [1;2;3]; Printf.printf "%d " (capacity b); append_array b (Array.make 20 1); Printf.printf "%d " (capacity b); append_seq b (Seq.take 5 (Seq.ints 0)); Printf.printf "%d " (capacity b);
  ensure_capacity b 100; Printf.printf "%d " (capacity b); ensure_extra_capacity b 100; Printf.printf "%d " (capacity b); fit_capacity b;Printf.printf "%d " (capacity b); set_capacity b 5; Printf.printf "%d %d " (capacity b) (length b); truncate b 2; Printf.printf "%d " (capacity b); clear b;  Printf.printf "%d " (capacity b); reset b; Printf.printf "%d\n" (capacity b);
  let b = make 3 0 in Printf.printf "%d " (capacity b); remove_last b; remove_last b; remove_last b; remove_last b; Printf.printf "%d\n" (length b);
  ensure_capacity b 4; Printf.printf "%d " (capacity b); set_capacity b 7; Printf.printf "%d " (capacity b);
  let c = init 5 (fun i -> i) in Printf.printf "%d " (capacity c); let c = copy c in Printf.printf "%d " (capacity c); let c = map succ c in Printf.printf "%d " (capacity c); let c = filter (fun x -> x > 2) c in Printf.printf "%d " (capacity c); ensure_capacity c 9;  Printf.printf "%d\n" (capacity c);
  let c = of_seq (Seq.take 11 (Seq.ints 0)) in Printf.printf "%d " (capacity c);
  blit ~src:(of_list [1;2;3;4;5]) ~src_pos:1 ~dst:c ~dst_pos:9 ~len:4; Printf.printf "%d %d %s\n" (length c) (capacity c) (String.concat "," (List.map string_of_int (to_list c)));
  t "iarr" (fun () -> Printf.printf "%d\n" (Iarray.length (unsafe_to_iarray ~capacity:3 (fun d -> add_last d 1; add_last d 2))));
  t "iarr" (fun () -> Printf.printf "%d\n" (Iarray.length (unsafe_to_iarray ~capacity:(-3) (fun d -> add_last d 1; add_last d 2))));
  t "iarr" (fun () -> Printf.printf "%d\n" (Iarray.length (unsafe_to_iarray ~capacity:1 (fun d -> add_last d 1; add_last d 2))))
