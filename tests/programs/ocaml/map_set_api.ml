(* Map and Set over ints, strings and tuples: the common operations. *)

module IS = Set.Make (Int)
module SM = Map.Make (String)
module PM = Map.Make (struct type t = int * int let compare = compare end)
module RS = Set.Make (struct type t = string let compare a b = compare b a end)

let s l = IS.of_list l
let show t = "{" ^ String.concat "," (List.map string_of_int (IS.elements t)) ^ "}"
let showm m = String.concat " " (List.map (fun (k, v) -> Printf.sprintf "%s=%d" k v) (SM.bindings m))

let () =
  let p = print_endline in
  let a = s [ 5; 1; 3; 9; 1 ] and b = s [ 3; 4; 5 ] in
  p (show a); p (show (IS.union a b)); p (show (IS.inter a b)); p (show (IS.diff a b)); p (show (IS.add 2 a)); p (show (IS.remove 9 a));
  Printf.printf "%d %b %b %b\n" (IS.cardinal a) (IS.mem 3 a) (IS.subset (s [ 1 ]) a) (IS.equal a (s [ 9; 5; 3; 1 ]));
  Printf.printf "%d %d %d\n" (IS.min_elt a) (IS.max_elt a) (IS.fold ( + ) a 0);
  p (show (IS.filter (fun x -> x > 2) a)); p (show (IS.map (fun x -> x / 2) a));
  let l, present, r = IS.split 4 a in
  Printf.printf "%s %b %s\n" (show l) present (show r);
  let yes, no = IS.partition (fun x -> x mod 3 = 0) a in
  Printf.printf "%s %s\n" (show yes) (show no);
  Printf.printf "%b %b\n" (IS.exists (fun x -> x = 9) a) (IS.for_all (fun x -> x > 1) a);
  (match IS.find_opt 7 a with None -> p "no 7" | Some _ -> p "7");
  (try ignore (IS.min_elt IS.empty) with Not_found -> p "empty");
  p (show (IS.of_seq (IS.to_seq_from 3 a)));
  IS.iter (Printf.printf "%d;") a; print_newline ();
  p (String.concat " " (RS.elements (RS.of_list [ "b"; "c"; "a" ])));
  let m = SM.(empty |> add "one" 1 |> add "two" 2 |> add "three" 3) in
  p (showm m); p (showm (SM.add "one" 100 m)); p (showm (SM.remove "two" m)); p (showm (SM.map (fun v -> v * v) m));
  p (showm (SM.mapi (fun k v -> String.length k + v) m)); p (showm (SM.filter (fun k _ -> k.[0] = 't') m));
  p (showm (SM.update "two" (Option.map (fun v -> v + 40)) m)); p (showm (SM.update "four" (fun _ -> Some 4) m));
  Printf.printf "%d %b %d\n" (SM.cardinal m) (SM.mem "two" m) (SM.find "three" m);
  (try ignore (SM.find "x" m) with Not_found -> p "Not_found");
  let n = SM.of_seq (List.to_seq [ ("two", 22); ("five", 5) ]) in
  p (showm (SM.union (fun _ a b -> Some (a + b)) m n));
  p (showm (SM.merge (fun _ a b -> match a, b with Some a, Some b -> Some (a * b) | _ -> None) m n));
  let k, v = SM.min_binding m in
  Printf.printf "%s %d %s\n" k v (fst (SM.max_binding m));
  Printf.printf "%d %b\n" (SM.fold (fun _ v a -> v + a) m 0) (SM.exists (fun _ v -> v = 2) m);
  (match SM.find_first_opt (fun k -> k >= "p") m with Some (k, _) -> p k | None -> p "none");
  Printf.printf "%b %d\n" (SM.equal ( = ) m (SM.add "one" 1 m)) (SM.compare compare m n);
  SM.iter (fun k v -> Printf.printf "%s->%d " k v) m; print_newline ();
  let grid = List.fold_left (fun g (x, y, c) -> PM.add (x, y) c g) PM.empty [ (1, 2, 'a'); (0, 5, 'b'); (1, 0, 'c') ] in
  PM.iter (fun (x, y) c -> Printf.printf "%d,%d:%c " x y c) grid; print_newline ();
  let big = List.fold_left (fun s i -> IS.add (i * 7919 mod 1009) s) IS.empty (List.init 1000 Fun.id) in
  Printf.printf "%d %d\n" (IS.cardinal big) (List.nth (IS.elements big) 500)
