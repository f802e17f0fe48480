let t name f = try f () with e -> print_endline (name ^ ": " ^ Printexc.to_string e)
open Dynarray
module P = Pqueue.MakeMin(Int)
module X = Pqueue.MakeMax(Int)
let () =
  let a = of_list [1;2;3] in ensure_capacity a 8;
  t "get" (fun () -> ignore (get a 3)); t "set" (fun () -> set a (-1) 0); t "set" (fun () -> set a 4 0);
  let e = create () in t "set" (fun () -> set e 0 0); ensure_capacity e 8;  t "set" (fun () -> set e 0 0); t "get" (fun () -> ignore (get e 0));
  t "ee" (fun () -> ensure_extra_capacity a (-1); print_endline "ok");
  t "ap" (fun () -> append_iter a (fun f x -> List.iter f x) [1;2]; Printf.printf "%d\n" (length a));
  t "m" (fun () -> let b = of_list [1;2;3] in mapi (fun i x -> add_last b 1; x) b |> ignore);
  t "i" (fun () -> let b = of_list [1;2;3] in iteri (fun i x -> add_last b 1) b |> ignore);
  t "fm" (fun () -> let b = of_list [1;2;3] in find_mapi (fun i x -> add_last b 1; None) b |> ignore);
  t "mem" (fun () -> Printf.printf "%b %b\n" (mem 2 a) (memq 9 a));
  t "cmp" (fun () -> Printf.printf "%d %d %d\n" (compare Int.compare (of_list [5]) (of_list [1;2])) (compare Int.compare (of_list [5]) (of_list [4])) (compare Int.compare (of_list []) (of_list [])));
  t "pq" (fun () -> ignore (P.get_min_elt (P.create ()))); t "pq" (fun () -> P.remove_min (P.create ()); print_endline "ok");
  t "pqx" (fun () -> ignore (X.get_max_elt (X.create ())));
  let q = P.of_list [5;3;8;1;9;2;7] in P.iter_unordered (Printf.printf "%d ") q; print_newline ();
  P.add q 4; P.add q 0; P.iter_unordered (Printf.printf "%d ") q; print_newline ();
  ignore (P.pop_min q); P.iter_unordered (Printf.printf "%d ") q; print_newline ();
  let q = P.create () in List.iter (P.add q) [5;3;8;1;9;2;7];P.iter_unordered (Printf.printf "%d ") q; print_newline ();
  P.remove_min q;P.iter_unordered (Printf.printf "%d ") q; print_newline ();
  P.add_iter q List.iter [6;6;0;10]; P.iter_unordered (Printf.printf "%d ") q; print_newline ();
  let q = P.of_iter List.iter [5;3;8;1;9;2;7] in P.iter_unordered (Printf.printf "%d ") q; print_newline ();
  let q = X.of_array [|5;3;8;1;9;2;7|] in X.iter_unordered (Printf.printf "%d ") q; print_newline ();
  Printf.printf "%d\n" (P.fold_unordered (fun acc x -> acc * 3 + x) 0 (P.of_list [5;3;8;1;9;2;7]));
  t "pqi" (fun () -> let q = P.of_list [1;2;3] in P.iter_unordered (fun x -> P.add q x) q);
  let module S = Pqueue.MakeMin(struct type t = int * string let compare (a,_) (b,_) = Int.compare a b end) in
  let q = S.of_list [1,"a";1,"b";0,"c";1,"d";0,"e"] in
  let rec go () = match S.pop_min q with None -> print_newline () | Some (i,s) -> Printf.printf "%d%s " i s; go () in go ();
  let q = S.create () in List.iter (S.add q) [1,"a";1,"b";0,"c";1,"d";0,"e"];
  let rec go () = match S.pop_min q with None -> print_newline () | Some (i,s) -> Printf.printf "%d%s " i s; go () in go ();
  let module S = Pqueue.MakeMax(struct type t = int * string let compare (a,_) (b,_) = Int.compare a b end) in
  let q = S.of_list [1,"a";1,"b";0,"c";1,"d";0,"e"] in
  let rec go () = match S.pop_max q with None -> print_newline () | Some (i,s) -> Printf.printf "%d%s " i s; go () in go ()
