(* [Hashtbl.seeded_hash] and its like: seeds, and limits on how much of a value is looked at. *)

type point = { x : float; y : float }
type shape = Empty | Circle of int | Named of string * shape | Box of { width : int; inner : shape }

let print = Printf.printf "%d\n"

let () =
  print (Hashtbl.seeded_hash 42 "hello");
  print (Hashtbl.hash_param 3 10 [ 1; 2; 3; 4; 5 ]);
  print (Hashtbl.hash_param 10 2 [ 1; 2; 3; 4; 5 ])

let () =
  for seed = -3 to 3 do
    print (Hashtbl.seeded_hash seed 1);
    print (Hashtbl.seeded_hash (seed * 1_000_000_007) "abc");
    print (Hashtbl.seeded_hash ((seed lsl 40) + 7) [ 1.5; 2.5 ]);
    print (Hashtbl.seeded_hash seed (Named ("x", Circle 3)));
    print (Hashtbl.seeded_hash seed 3L);
    print (Hashtbl.seeded_hash seed 3l);
    print (Hashtbl.seeded_hash seed 'c');
    print (Hashtbl.seeded_hash seed 2.5);
    print (Hashtbl.seeded_hash seed true);
    print (Hashtbl.seeded_hash seed ())
  done

let () =
  for meaningful = -1 to 6 do
    for total = -1 to 6 do
      print (Hashtbl.hash_param meaningful total [| 1; 2; 3; 4; 5; 6; 7 |]);
      print (Hashtbl.hash_param meaningful total [ (1, "a"); (2, "b"); (3, "c") ]);
      print
        (Hashtbl.hash_param meaningful total
           (Empty, Circle 1, Named ("q", Box { width = 1; inner = Circle 2 })));
      print (Hashtbl.hash_param meaningful total { x = 1.; y = 2. });
      print (Hashtbl.hash_param meaningful total [| 1.; 2.; 3.; 4. |]);
      print (Hashtbl.hash_param meaningful total 1);
      print (Hashtbl.hash_param meaningful total "abc");
      print (Hashtbl.seeded_hash_param meaningful total 77 (Some [ 1L ], [| Some 3l |], [||], ""))
    done
  done

(* No more than 256 values are looked at. *)
let () =
  print (Hashtbl.hash_param 300 300 (Array.init 400 (fun i -> i)));
  print (Hashtbl.hash_param 300 256 (List.init 400 (fun i -> i)));
  print (Hashtbl.hash_param 300 255 (Array.init 400 (fun i -> [ i; i ])));
  print (Hashtbl.hash_param 1000 1000 (Array.init 400 (fun i -> [ i; i ])))
