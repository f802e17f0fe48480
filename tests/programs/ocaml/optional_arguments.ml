(* Functions with labels and optional parameters where others are expected. *)
let f ?(a = 1) ~c d = a + (c * 10) + (d * 100)
let g ?(a = 1) ?(b = 2) d = a + (b * 10) + (d * 100)
let sort ?(down = false) x y = if down then compare y x else compare x y
let add ?(times = 1) sum x = sum + (times * x)
let twice ?(by = 2) x = x * by
let cut ?(limit = 9) ~sep ~by text = Printf.sprintf "%s%s%s%d" sep text by limit
let make ?(a = 1) = print_string "made "; fun ?(b = 2) c -> a + b + c

type 'a handler = { run : int -> 'a; name : string }
type step = Step of (int -> int) * (int -> int) | Done

let say s x = print_string (s ^ " "); x
let ints = List.iter (Printf.printf "%d ")
let apply (h : int -> int) x = h x
let with_default ?(k = fun x -> x) x = k x
let compose f g x = f (g x)

let () =
  ints (List.map (f ~c:1) [ 1; 2 ]);
  ints (List.map (f ~a:5 ~c:1) [ 1; 2 ]);
  ints (List.map (f ~c:(say "c" 2)) [ 1; 2; 3 ]);
  ints (List.map g [ 1 ]);
  ints (List.map (g ~b:0) [ 1 ]);
  ints (List.sort sort [ 2; 3; 1 ]);
  ints (List.sort (sort ~down:true) [ 2; 3; 1 ]);
  ints [ List.fold_left add 0 [ 1; 2; 3 ]; List.fold_left (add ~times:2) 0 [ 1; 2; 3 ] ];
  print_newline ();
  ints [ apply (if Array.length Sys.argv > 9 then twice else twice) 5 ];
  ints [ apply (say "seq" (); twice) 5; with_default ~k:twice 4; with_default ?k:(Some (twice ~by:5)) 4 ];
  let h : int -> int = twice in
  ints [ h 1; (twice : int -> int) 2; { run = twice; name = "r" }.run 3 ];
  (match Step (twice, twice ~by:7) with Step (a, b) -> ints [ a 1; b 1 ] | Done -> ());
  ints (List.map (fun k -> k 2) ([ twice; twice ~by:9; (fun x -> x) ] : (int -> int) list));
  ints [ compose twice (twice ~by:3) 4 ];
  print_newline ();
  print_endline (cut "," "b" "a");
  print_endline (cut ~limit:1 ~sep:"," ~by:";" "a");
  let m = make ~a:3 in
  ints [ apply m 1; m ~b:5 1; make 1 ];
  print_newline ()
