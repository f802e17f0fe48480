(* Equal-looking closures and cells are distinct; a load does not move over a store. *)

let cell () = ref 0
let pair n = let a = ref n in let b = ref n in (a, b)

let twins n =
  let a = ref n and b = ref n in
  let f () = incr a; !a and g () = incr b; !b in
  (f, g)

let loads r =
  let before = !r in
  r := before + 1;
  let middle = !r in
  let bump () = r := !r * 10 in
  bump ();
  let after = !r in
  (before, middle, after, !r = after)

let aliased a b =
  let x = !a in
  b := x + 5;
  let y = !a in
  (x, y)

let captured_then_changed () =
  let v = ref 1 in
  let now = !v in
  let by_value () = now and by_cell () = !v in
  v := 2;
  let a = (by_value (), by_cell ()) in
  v := 3;
  (a, (by_value (), by_cell ()))

let fields () =
  let t = [| 1; 1; 1 |] in
  let u = [| 1; 1; 1 |] in
  let f i = t.(i) <- t.(i) + u.(i) in
  f 0; f 0; u.(0) <- 10; f 0; f 1;
  (Array.to_list t, Array.to_list u, t == u, t = [| 13; 2; 1 |])

let make k = fun x -> x + k

let () =
  let a = cell () and b = cell () in
  a := 1;
  Printf.printf "%d %d %b\n" !a !b (a == b);
  let a, b = pair 3 in
  incr a;
  Printf.printf "%d %d %b %b\n" !a !b (a == b) (a = b);
  let f, g = twins 0 and f', g' = twins 0 in
  let r = [ f (); f (); g (); f' (); g' (); g' () ] in
  print_endline (String.concat " " (List.map string_of_int r));
  let w, x, y, z = loads (ref 4) in
  Printf.printf "%d %d %d %b\n" w x y z;
  let r = ref 1 in
  let a, b = aliased r r in
  let c, d = aliased r (ref 0) in
  Printf.printf "%d %d %d %d\n" a b c d;
  let (a, b), (c, d) = captured_then_changed () in
  Printf.printf "%d %d %d %d\n" a b c d;
  let t, u, same, equal = fields () in
  Printf.printf "%s %s %b %b\n" (String.concat "," (List.map string_of_int t)) (String.concat "," (List.map string_of_int u)) same equal;
  let f = make 1 and g = make 1 in
  Printf.printf "%d %d\n" (f 1) (g 2)
