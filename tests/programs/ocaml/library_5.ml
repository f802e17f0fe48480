(* covers what OCaml 5 added to modules of the library *)
module IM = Map.Make (Int)
module IS = Set.Make (Int)
module L = MoreLabels

let ints l = print_endline (String.concat " " (List.map string_of_int l))

let () =
  ints (List.take 2 [ 1; 2; 3 ]);
  ints (List.take 9 [ 1; 2 ]);
  ints (List.take (-1) [ 1; 2 ]);
  ints (List.drop 2 [ 1; 2; 3 ]);
  ints (List.drop (-1) [ 1; 2; 3 ]);
  ints (List.take_while (fun x -> x < 3) [ 1; 2; 3; 1 ]);
  ints (List.drop_while (fun x -> x < 3) [ 1; 2; 3; 1 ]);
  Printf.printf "%b %b\n" (List.is_empty []) (List.find_index (( = ) 3) [ 1; 3 ] = Some 1);
  ints (Option.to_list (List.find_mapi (fun i x -> if i * x > 3 then Some (i + x) else None) [ 1; 2; 3 ]));
  let a = [| 3; 1; 2 |] in
  Array.map_inplace succ a;
  Array.mapi_inplace (fun i x -> x * i) a;
  ints (Array.to_list a);
  Printf.printf "%b %d %d\n" (Array.equal ( = ) a [| 0; 2; 6 |]) (Array.compare compare a [| 0; 3; 0 |]) (Array.compare compare a [| 9 |]);
  Array.iter (fun row -> ints (Array.to_list row)) (Array.init_matrix 2 3 (fun i j -> (i * 3) + j));
  let m = IM.of_list [ (1, "a"); (2, "b"); (1, "c") ] in
  List.iter (fun (k, v) -> Printf.printf "%d%s " k v) (IM.to_list m);
  let m = IM.add_to_list 1 "x" (IM.add_to_list 1 "y" IM.empty) in
  print_endline (String.concat "," (IM.find 1 m));
  ints (IS.to_list (IS.of_list [ 3; 1; 2 ]));
  let q = Queue.create () in
  Queue.add 1 q;
  Queue.add 2 q;
  Queue.drop q;
  ints (List.of_seq (Queue.to_seq q));
  (try Queue.drop q; Queue.drop q with Queue.Empty -> print_endline "empty");
  let s = Stack.create () in
  Stack.push 1 s;
  Stack.drop s;
  (try Stack.drop s with Stack.Empty -> print_endline "empty");
  Printf.printf "%b %b %b\n" (Bool.logand true false) (Bool.logor true false) (Bool.logxor true true);
  Printf.printf "%d %d\n" (Fun.compose succ (fun x -> x * 2) 5) (Pair.fold ( + ) (Pair.map succ pred (1, 2)));
  let open Result.Syntax in
  let r = let* x = Ok 1 in let+ y = Ok 2 and+ z = Ok 3 in x + y + z in
  ints [ Result.get_ok' (Result.map_error string_of_int r) ];
  (try ignore (Result.get_ok' (Error "no")) with Invalid_argument m -> print_endline m);
  (try ignore (Result.error_to_failure (Error "no")) with Failure m -> print_endline m);
  let h = L.Hashtbl.create 4 in
  L.Hashtbl.add h ~key:1 ~data:"one";
  L.Hashtbl.iter ~f:(fun ~key ~data -> Printf.printf "%d %s\n" key data) h;
  let module LM = L.Map.Make (Int) in
  ints (LM.fold ~f:(fun ~key ~data acc -> (key * data) :: acc) (LM.add ~key:2 ~data:3 LM.empty) ~init:[]);
  let module LS = L.Set.Make (Int) in
  ints (LS.elements (LS.filter ~f:(fun x -> x > 1) (LS.of_list [ 1; 2; 3 ])));
  let f = Float.Array.of_list [ 3.; nan; 1. ] in
  Float.Array.sort Float.compare f;
  Printf.printf "%b %b %b\n" (Float.Array.mem nan f) (Float.Array.mem_ieee nan f) (Float.is_nan (Float.Array.get f 0));
  let i = Iarray.of_list [ 5; 3; 4 ] in
  ints (Iarray.to_list (Iarray.sort compare i));
  ints (Iarray.to_list (Iarray.map succ (Iarray.append i i)));
  let id1 : int Type.Id.t = Type.Id.make () and id2 : int Type.Id.t = Type.Id.make () in
  let same : type a b. a Type.Id.t -> b Type.Id.t -> a -> b option =
   fun x y v -> match Type.Id.provably_equal x y with Some Type.Equal -> Some v | None -> None
  in
  Printf.printf "%b %b\n" (same id1 id1 5 = Some 5) (same id1 id2 5 = None);
  Printf.printf "%s %d.%d %b\n" Sys.ocaml_version Sys.ocaml_release.major Sys.ocaml_release.minor (Sys.signal_to_string Sys.sigint = "SIGINT");
  Printf.printf "%s\n" (Printexc.exn_slot_name Not_found);
  Printf.printf "%Ld %b\n" (Out_channel.pos stdout |> fun _ -> 0L) (In_channel.is_binary_mode stdin)
