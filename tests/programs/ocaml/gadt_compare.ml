type ordered = O : 'a list * 'a -> ordered
type pair = Two : 'a * 'a -> pair
let same (Two (a, b)) = a = b
let less (Two (a, b)) = compare a b
let hash (Two (a, b)) = Hashtbl.hash a = Hashtbl.hash b
let rank (O (l, x)) = List.length (List.filter (fun y -> y < x) l)
let () =
  let ps = [ Two (1, 1); Two (1, 2); Two ("b", "a"); Two ("a", "a"); Two (1.5, 2.5); Two ([ 1; 2 ], [ 1; 3 ]);
             Two (Some 1, None); Two ((1, "x"), (1, "x")); Two (nan, nan); Two ('a', 'b'); Two ((), ()); Two (true, false); Two (5L, 5L); Two ([| 1 |], [| 1; 2 |]) ] in
  List.iter (fun p -> Printf.printf "%b %d %b\n" (same p) (less p) (hash p)) ps;
  Printf.printf "%d %d\n" (rank (O ([ 3; 1; 2 ], 3))) (rank (O ([ "x"; "a" ], "b")))
