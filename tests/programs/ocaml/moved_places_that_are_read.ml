(* raising closures, try in closures, moves out of places that the callee reads *)
let z = ref [ 1; 2; 3 ]
let cell = { contents = fun l -> List.rev l }
let upd f = z := f !z
let risky l = if List.length l > 4 then failwith "long" else 0 :: l
let peek () = List.length !z
type st = { mutable s : int list; mutable k : (int list -> int list) }
let st = { s = [ 5 ]; k = (fun l -> l) }
let bump st = st.s <- st.k st.s
let arr = Array.make 3 [ 1 ]
let () =
  upd !cell; upd (fun l -> peek () :: l); upd (fun l -> try risky (risky l) with Failure _ -> peek () :: l);
  upd (fun l -> try risky (risky l) with Failure _ -> peek () :: l);
  List.iter (Printf.printf "%d ") !z; print_newline ();
  (try upd risky with Failure m -> Printf.printf "%s %d\n" m (peek ()));
  st.k <- (fun l -> List.length st.s :: l); bump st; bump st;
  st.k <- (fun l -> st.s <- []; 9 :: l); bump st;
  List.iter (Printf.printf "%d ") st.s; print_newline ();
  for i = 0 to 5 do arr.(i mod 3) <- i :: arr.(i mod 3); arr.(i mod 3) <- List.map (fun x -> x + List.length arr.((i + 1) mod 3)) arr.(i mod 3) done;
  Array.iter (fun l -> List.iter (Printf.printf "%d ") l; print_string "; ") arr; print_newline ();
  let alias = !z in
  let zz = ref alias in
  zz := List.map succ !zz; zz := 7 :: !zz; zz := List.filter (fun x -> x mod 2 = 0) !zz;
  List.iter (Printf.printf "%d ") !zz; List.iter (Printf.printf "%d ") alias; print_newline ();
  let swap a b = let t = !a in a := !b; b := t in
  let p = ref "p" and q = ref "q" in swap p q; swap p p; Printf.printf "%s%s\n" !p !q;
  let fr = ref (fun () -> "x") in
  let f1 = !fr in fr := (fun () -> f1 () ^ "y"); let f2 = !fr in fr := (fun () -> f2 () ^ f1 ()); print_endline (!fr ())
