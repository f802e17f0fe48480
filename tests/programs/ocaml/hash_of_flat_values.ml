(* Tuples and records without blocks in them are hashed as OCaml does, whatever they hold and how many they are. *)
type point = { x : int; y : string; z : float }
type floats = { a : float; b : float }
type one = { only : char }
type wide = { a1 : int; a2 : int; a3 : int; a4 : int; a5 : int; a6 : int; a7 : int; a8 : int; a9 : int; a10 : int; a11 : int; a12 : int }
type nested = { p : point; q : int }
type changing = { mutable n : int; mutable s : bytes }

let show h = Printf.printf "%d\n" (Hashtbl.hash h)

let () =
  for i = -2 to 2 do Printf.printf "%d %d\n" (Hashtbl.hash (i, i * 7, i land 15)) (Hashtbl.hash (i, "x", float_of_int i)) done;
  show (1, 2); show (1.5, 2.5); show (true, 'c', ()); show (3l, 4L, 5n); show ("a", "b", Bytes.of_string "c");
  show { x = 1; y = "two"; z = 3. }; show { a = 1.; b = 2. }; show { only = 'q' }; show (0.0, -0.0); show (nan, 1);
  let w = { a1 = 1; a2 = 2; a3 = 3; a4 = 4; a5 = 5; a6 = 6; a7 = 7; a8 = 8; a9 = 9; a10 = 10; a11 = 11; a12 = 12 } in
  show w; show { w with a12 = 0 }; show { w with a10 = 0 }; show { w with a11 = 0 };
  show { p = { x = 1; y = ""; z = 0. }; q = 2 }; show ((1, 2), 3); show (1, (2, 3)); show (1, [ 2 ], Some 3);
  show { n = max_int; s = Bytes.make 20 'z' }; show (min_int, max_int); show (ref 3); show (ref "x");
  Printf.printf "%d %d\n" (Hashtbl.hash_param 2 3 (1, 2, 3)) (Hashtbl.seeded_hash 7 (1, 2, 3));
  let t = Hashtbl.create 7 in
  for i = 1 to 100 do Hashtbl.replace t (i land 7, i land 3, "k") i done;
  Printf.printf "%d %d\n" (Hashtbl.length t) (Hashtbl.find t (4, 0, "k"))
