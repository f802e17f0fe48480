(* The common Array functions: blit, fill, sub, sort, folds, 2-d arrays, float arrays. *)

let show a = "[|" ^ String.concat ";" (Array.to_list (Array.map string_of_int a)) ^ "|]"
let p a = print_endline (show a)

let () =
  let a = Array.init 6 (fun i -> (i * 7) mod 5) in
  p a; p (Array.make 3 9); p (Array.copy a); p (Array.append a [| 100 |]); p (Array.concat [ [| 1 |]; [||]; [| 2; 3 |] ]);
  p (Array.sub a 1 3); p (Array.of_list [ 4; 5 ]); p (Array.map (fun x -> x * 2) a); p (Array.mapi (fun i x -> i - x) a);
  p (Array.map2 ( + ) [| 1; 2 |] [| 10; 20 |]);
  let b = Array.copy a in
  Array.fill b 1 2 (-1); p b;
  Array.blit [| 7; 8; 9 |] 0 b 3 3; p b;
  Array.blit b 0 b 1 5; p b;
  Array.blit b 2 b 0 4; p b;
  Array.sort compare b; p b;
  Array.sort (fun x y -> compare y x) b; p b;
  let words = [| "pear"; "fig"; "apple"; "kiwi"; "plum" |] in
  Array.stable_sort (fun a b -> compare (String.length a) (String.length b)) words;
  print_endline (String.concat " " (Array.to_list words));
  Printf.printf "%d %d %d\n" (Array.length a) (Array.fold_left ( + ) 0 a) (Array.fold_right (fun x acc -> x - acc) a 0);
  Printf.printf "%b %b %b\n" (Array.exists (fun x -> x = 4) a) (Array.for_all (fun x -> x < 5) a) (Array.mem 3 a);
  Array.iteri (fun i x -> Printf.printf "%d=%d " i x) a;
  print_newline ();
  Array.iter2 (fun x y -> Printf.printf "%d%s " x y) [| 1; 2 |] [| "a"; "b" |];
  print_newline ();
  let m = Array.make_matrix 2 3 'x' in
  m.(1).(2) <- 'y';
  Array.iter (fun r -> Array.iter print_char r; print_newline ()) m;
  let f = Array.make 3 1.5 in
  f.(1) <- 2.5;
  Printf.printf "%.2f\n" (Array.fold_left ( +. ) 0. f);
  let fs = Array.map float_of_int a in
  Array.iter (Printf.printf "%.1f ") fs;
  print_newline ();
  let x, y = Array.split [| (1, 'a'); (2, 'b') |] in
  Printf.printf "%s %c\n" (show x) y.(1);
  p (Array.map fst (Array.combine [| 3; 4 |] [| "x"; "y" |]));
  Printf.printf "%s %d\n" (match Array.find_opt (fun x -> x > 3) a with Some v -> string_of_int v | None -> "-") (Array.get a 2);
  List.iter (fun f -> match f () with
      | () -> print_endline "fine"
      | exception Invalid_argument m -> print_endline m)
    [ (fun () -> a.(6) <- 1); (fun () -> ignore a.(-1)); (fun () -> ignore (Array.sub a 4 5));
      (fun () -> Array.blit a 0 a 3 10); (fun () -> Array.fill a 5 2 0); (fun () -> ignore (Array.init (-2) Fun.id));
      (fun () -> Array.iter2 (fun _ _ -> ()) [| 1 |] [||]); (fun () -> Array.set a 0 42) ];
  p a;
  (* insertion sort and binary search *)
  let v = [| 9; 4; 7; 1; 8; 2 |] in
  for i = 1 to Array.length v - 1 do
    let x = v.(i) and j = ref (i - 1) in
    while !j >= 0 && v.(!j) > x do v.(!j + 1) <- v.(!j); decr j done;
    v.(!j + 1) <- x
  done;
  p v;
  let rec search lo hi x =
    if lo >= hi then None
    else
      let mid = (lo + hi) / 2 in
      if v.(mid) = x then Some mid else if v.(mid) < x then search (mid + 1) hi x else search lo mid x in
  List.iter (fun x -> print_string (match search 0 6 x with Some i -> string_of_int i ^ " " | None -> "- ")) [ 1; 7; 9; 5 ];
  print_newline ()
