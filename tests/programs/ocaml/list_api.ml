(* The common List functions, each at least once. *)

let ints l = "[" ^ String.concat ";" (List.map string_of_int l) ^ "]"
let p l = print_endline (ints l)
let strs l = print_endline (String.concat "," l)

let () =
  let l = [ 5; 3; 8; 1; 9; 2 ] in
  p (List.rev l); p (List.map succ l); p (List.mapi (fun i x -> i * x) l);
  p (List.rev_map (fun x -> x * x) l); p (List.append l [ 0 ]); p (l @ l); p (List.rev_append [ 1; 2; 3 ] l);
  p (List.concat [ [ 1 ]; []; [ 2; 3 ] ]); p (List.flatten [ [ 4 ]; [ 5; 6 ] ]);
  p (List.concat_map (fun x -> [ x; -x ]) [ 1; 2 ]);
  Printf.printf "%d %d\n" (List.fold_left ( - ) 0 l) (List.fold_right ( - ) l 0);
  Printf.printf "%d %d\n" (List.fold_left2 (fun a x y -> a + x * y) 0 [ 1; 2; 3 ] [ 4; 5; 6 ])
    (List.fold_right2 (fun x y a -> a * 2 + x - y) [ 1; 2 ] [ 3; 4 ] 1);
  p (List.filter (fun x -> x > 3) l); p (List.find_all (fun x -> x < 3) l); p (List.filteri (fun i _ -> i mod 2 = 0) l);
  p (List.filter_map (fun x -> if x mod 2 = 0 then Some (x / 2) else None) l);
  let a, b = List.partition (fun x -> x > 4) l in
  p a; p b;
  p (List.sort compare l); p (List.sort (fun a b -> compare b a) l); p (List.sort_uniq compare [ 3; 1; 3; 2; 1 ]);
  strs (List.map snd (List.stable_sort (fun (a, _) (b, _) -> compare a b)
                        [ (2, "a"); (1, "b"); (2, "c"); (1, "d"); (0, "e") ]));
  p (List.fast_sort compare [ 3; 2; 1 ]); p (List.merge compare [ 1; 4 ] [ 2; 3; 5 ]);
  Printf.printf "%d %d %d %d\n" (List.length l) (List.hd l) (List.nth l 2) (List.length (List.tl l));
  Printf.printf "%b %b %b\n" (List.mem 8 l) (List.memq 7 l) (List.exists (fun x -> x = 9) l);
  Printf.printf "%b %b %b\n" (List.for_all (fun x -> x > 0) l) (List.for_all2 ( < ) [ 1; 2 ] [ 2; 3 ]) (List.exists2 ( > ) [ 1; 2 ] [ 2; 3 ]);
  let d = [ "one", 1; "two", 2; "one", 11 ] in
  Printf.printf "%d %b %d\n" (List.assoc "one" d) (List.mem_assoc "three" d) (List.length (List.remove_assoc "one" d));
  Printf.printf "%s %s\n" (match List.assoc_opt "two" d with Some n -> string_of_int n | None -> "-")
    (match List.find_opt (fun (_, n) -> n > 100) d with Some (s, _) -> s | None -> "none");
  let xs, ys = List.split d in
  strs xs; p ys;
  List.iter2 (fun a b -> Printf.printf "%s%d " a b) xs ys;
  List.iteri (fun i x -> Printf.printf "%d:%d " i x) [ 7; 8 ];
  print_newline ();
  p (List.map2 ( * ) [ 1; 2; 3 ] [ 4; 5; 6 ]);
  p (List.map fst (List.combine [ 1; 2 ] [ 'a'; 'b' ]));
  p (List.init 6 (fun i -> i * i)); p (List.cons 1 [ 2 ]);
  Printf.printf "%d %d\n" (List.compare_lengths [ 1 ] [ 1; 2 ]) (List.compare_length_with [ 1; 2; 3 ] 2);
  Printf.printf "%d %b\n" (List.compare compare [ 1; 2 ] [ 1; 3 ]) (List.equal ( = ) [ 1 ] [ 1 ]);
  let s, l' = List.fold_left_map (fun acc x -> (acc + x, acc * x)) 0 [ 1; 2; 3; 4 ] in
  Printf.printf "%d %s\n" s (ints l');
  Printf.printf "%s\n" (match List.nth_opt l 10 with None -> "none" | Some _ -> "some");
  Printf.printf "%d\n" (Option.get (List.find_map (fun x -> if x > 7 then Some (x * 100) else None) l));
  List.iter (fun f -> match f () with
      | () -> print_endline "no error"
      | exception Invalid_argument m -> print_endline ("invalid: " ^ m)
      | exception Failure m -> print_endline ("failure: " ^ m)
      | exception Not_found -> print_endline "not found")
    [ (fun () -> ignore (List.combine [ 1 ] [])); (fun () -> ignore (List.map2 ( + ) [ 1 ] []));
      (fun () -> ignore (List.hd [])); (fun () -> ignore (List.tl [])); (fun () -> ignore (List.nth [ 1 ] 5));
      (fun () -> ignore (List.nth [ 1 ] (-5))); (fun () -> ignore (List.find (fun _ -> false) [ 1 ]));
      (fun () -> ignore (List.assoc 1 [])); (fun () -> ignore (List.init (-1) Fun.id));
      (fun () -> ignore (List.for_all2 ( = ) [ 1 ] [ 1; 2 ])); (fun () -> List.iter2 (fun _ _ -> ()) [] [ 1 ]) ];
  p (List.of_seq (List.to_seq [ 1; 2; 3 ]))
