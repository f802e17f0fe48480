(* Hashtbl: shadowing bindings with add, replace, fold, filter_map_inplace, Hashtbl.Make, resizing. *)

module Ci = Hashtbl.Make (struct
    type t = string
    let equal a b = String.lowercase_ascii a = String.lowercase_ascii b
    let hash s = Hashtbl.hash (String.lowercase_ascii s)
  end)

module Pt = Hashtbl.Make (struct
    type t = int * int
    let equal (a, b) (c, d) = a = c && b = d
    let hash (a, b) = (a * 31 + b) land max_int
  end)

let sorted h = List.sort compare (Hashtbl.fold (fun k v l -> (k, v) :: l) h [])
let show h = String.concat " " (List.map (fun (k, v) -> Printf.sprintf "%s:%d" k v) (sorted h))

let () =
  let h = Hashtbl.create 2 in
  Hashtbl.add h "a" 1;
  Hashtbl.add h "a" 2;
  Hashtbl.add h "b" 3;
  Printf.printf "%d %d %s\n" (Hashtbl.find h "a") (Hashtbl.length h) (String.concat "," (List.map string_of_int (Hashtbl.find_all h "a")));
  Hashtbl.remove h "a";
  Printf.printf "%d\n" (Hashtbl.find h "a");
  Hashtbl.replace h "a" 10;
  Hashtbl.replace h "c" 4;
  print_endline (show h);
  Hashtbl.remove h "nope";
  Printf.printf "%b %b\n" (Hashtbl.mem h "c") (Hashtbl.mem h "d");
  (match Hashtbl.find h "zzz" with _ -> () | exception Not_found -> print_endline "Not_found");
  Hashtbl.filter_map_inplace (fun k v -> if k = "b" then None else Some (v * 2)) h;
  print_endline (show h);
  let copy = Hashtbl.copy h in
  Hashtbl.reset h;
  Printf.printf "%d %d\n" (Hashtbl.length h) (Hashtbl.length copy);
  let big = Hashtbl.create 1 in
  for i = 0 to 999 do Hashtbl.replace big (i * i) i done;
  let ok = ref true in
  for i = 0 to 999 do if Hashtbl.find_opt big (i * i) <> Some i then ok := false done;
  Printf.printf "%d %b %b\n" (Hashtbl.length big) !ok (Hashtbl.mem big 2);
  let ci = Ci.create 8 in
  Ci.replace ci "Content-Type" "text";
  Ci.replace ci "CONTENT-TYPE" "html";
  Printf.printf "%d %s\n" (Ci.length ci) (Ci.find ci "content-type");
  let pt = Pt.create 8 in
  for x = 0 to 9 do for y = 0 to 9 do Pt.add pt (x, y) (x * y) done done;
  Printf.printf "%d %d\n" (Pt.find pt (7, 8)) (Pt.fold (fun _ v s -> s + v) pt 0);
  let mixed = Hashtbl.create 8 in
  List.iter (fun k -> Hashtbl.replace mixed k ()) [ (1, "x", Some 'c'); (1, "x", Some 'c'); (1, "x", None); (2, "x", None) ];
  Printf.printf "%d\n" (Hashtbl.length mixed);
  let groups = Hashtbl.create 8 in
  List.iter (fun w -> Hashtbl.add groups (String.length w) w) [ "a"; "bb"; "c"; "dd"; "eee" ];
  List.iter (fun n -> Printf.printf "%d:%s " n (String.concat "+" (Hashtbl.find_all groups n))) [ 1; 2; 3; 4 ];
  print_newline ();
  Printf.printf "%b %b\n" (Hashtbl.hash "abc" = Hashtbl.hash ("ab" ^ "c")) (Hashtbl.hash [ 1; 2 ] = Hashtbl.hash [ 1; 2 ])
