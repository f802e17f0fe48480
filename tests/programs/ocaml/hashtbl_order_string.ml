(* Hashtbl iteration in bucket order with string keys, and hashes of other structures. *)

let () =
  let h = Hashtbl.create 10 in
  String.split_on_char ' ' "the quick brown fox jumps over the lazy dog and then some more words follow it"
  |> List.iteri (fun i w -> Hashtbl.replace h w i);
  Hashtbl.iter (fun k v -> Printf.printf "%s=%d " k v) h;
  print_newline ();
  List.iter (fun s -> Printf.printf "%S:%d " s (Hashtbl.hash s)) [ ""; "a"; "ab"; "abc"; "abcd"; "abcde"; String.make 100 'x' ];
  print_newline ();
  Printf.printf "%d %d %d\n" (Hashtbl.hash 1.5) (Hashtbl.hash 0.0) (Hashtbl.hash (-0.0));
  Printf.printf "%d %d %d\n" (Hashtbl.hash (1, 2)) (Hashtbl.hash [ 1; 2; 3 ]) (Hashtbl.hash (Some "x"));
  Printf.printf "%d %d %d\n" (Hashtbl.hash 'c') (Hashtbl.hash true) (Hashtbl.hash ());
  Printf.printf "%d %d\n" (Hashtbl.hash 7l) (Hashtbl.hash 7L);
  Printf.printf "%d %d\n" (Hashtbl.hash [| 1.; 2. |]) (Hashtbl.hash (1, "a", [ 2.5 ]));
  Printf.printf "%d\n" (Hashtbl.hash (List.init 1000 Fun.id))
