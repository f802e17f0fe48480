(* A copy of what is held weakly is another object, with the same parts. *)
type r = { mutable x : int; y : string }
let () =
  let w = Weak.create 3 in
  let v = { x = 1; y = "a" } in
  Weak.set w 0 (Some v);
  (match Weak.get_copy w 0 with
  | Some c -> c.x <- 10; Printf.printf "%d %d %b %b\n" v.x c.x (c == v) (c.y == v.y)
  | None -> print_endline "none");
  (match Weak.get_copy w 1 with Some _ -> print_endline "some" | None -> print_endline "none");
  (try ignore (Weak.get_copy w 3) with Invalid_argument m -> print_endline m);
  let w = Weak.create 1 in
  let b = Bytes.of_string "hello" in
  Weak.set w 0 (Some b);
  (match Weak.get_copy w 0 with Some c -> Bytes.set c 0 'j'; Printf.printf "%s %s\n" (Bytes.to_string b) (Bytes.to_string c) | None -> ());
  let w = Weak.create 1 in
  let a = [| 1; 2; 3 |] in
  Weak.set w 0 (Some a);
  (match Weak.get_copy w 0 with Some c -> c.(0) <- 7; Printf.printf "%d %d\n" a.(0) c.(0) | None -> ());
  ignore (Sys.opaque_identity (v, b, a))
type wide = { mutable first : int; a : string; b : int list; c : float; d : string; e : int; f : int; g : int; h : string list; mutable last : int array }
let () =
  let v = { first = 1; a = "a"; b = [ 1; 2 ]; c = 1.5; d = "d"; e = 5; f = 6; g = 7; h = [ "h" ]; last = [| 1 |] } in
  let w = Weak.create 2 in
  Weak.set w 0 (Some v);
  Weak.set w 1 (Some v);
  (match (Weak.get_copy w 0, Weak.get_copy w 1) with
  | Some c, Some c' ->
      c.first <- 2;
      c.last.(0) <- 9;
      c'.last <- [||];
      Printf.printf "%d %d %d %b %b\n" v.first c'.first v.last.(0) (c.b == v.b) (c' = v)
  | _ -> print_endline "gone");
  let w = Weak.create 1 in
  let l = [ ref 1; ref 2 ] in
  Weak.set w 0 (Some l);
  (match Weak.get_copy w 0 with
  | Some (x :: _ as c) -> incr x; Printf.printf "%d %b\n" !(List.hd l) (c == l)
  | _ -> print_endline "gone");
  ignore (Sys.opaque_identity (v, l))
