(* covers Obj: values of any type, and what they look like in OCaml *)
type shape = Dot | Line of int | Nothing | Box of { w : int; h : float }

let describe (o : Obj.t) =
  if Obj.is_int o then Printf.printf "int\n"
  else Printf.printf "block, tag %d, size %d\n" (Obj.tag o) (Obj.size o)

let () =
  describe (Obj.repr 5);
  describe (Obj.repr true);
  describe (Obj.repr Dot);
  describe (Obj.repr (Line 3));
  describe (Obj.repr (Box { w = 1; h = 2. }));
  describe (Obj.repr (1, "a", 2.));
  describe (Obj.repr "a string");
  describe (Obj.repr 1.5);
  describe (Obj.repr [ 1; 2 ]);
  describe (Obj.repr [| 1; 2; 3 |]);
  describe (Obj.repr [| 1.; 2. |]);
  describe (Obj.repr 5L);
  describe (Obj.repr (Some ()));
  describe (Obj.repr None);
  describe (Obj.repr (`A 1));
  let o = Obj.repr (1, "two", [ 3 ]) in
  Printf.printf "%d %s %d\n" (Obj.obj (Obj.field o 0)) (Obj.obj (Obj.field o 1)) (List.hd (Obj.obj (Obj.field o 2)));
  let o = Obj.repr (Line 7) in
  Printf.printf "%d\n" (Obj.obj (Obj.field o 0));
  let table : (string, Obj.t) Hashtbl.t = Hashtbl.create 8 in
  Hashtbl.replace table "n" (Obj.repr 42);
  Hashtbl.replace table "s" (Obj.repr "text");
  Hashtbl.replace table "f" (Obj.repr (fun x -> x + 1));
  Printf.printf "%d %s %d\n" (Obj.obj (Hashtbl.find table "n")) (Obj.obj (Hashtbl.find table "s")) ((Obj.obj (Hashtbl.find table "f") : int -> int) 5);
  let cell : string ref = ref (Obj.magic 0) in
  cell := "set";
  print_endline !cell;
  Printf.printf "%d\n" (Obj.magic (Obj.magic "same" : string) |> String.length)
