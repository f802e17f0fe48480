(* Float arrays, float records, float refs and polymorphic functions over floats (boxing edges). *)

type v3 = { x : float; y : float; z : float }
let cross a b = { x = (a.y *. b.z) -. (a.z *. b.y); y = (a.z *. b.x) -. (a.x *. b.z); z = (a.x *. b.y) -. (a.y *. b.x) }
let pick b x y = if b then x else y
let swap (a, b) = (b, a)
let first a = a.(0)
let fill_with a v = for i = 0 to Array.length a - 1 do a.(i) <- v done

let () =
  let c = cross { x = 1.; y = 2.; z = 3. } { x = 4.; y = 5.; z = 6. } in
  Printf.printf "%g %g %g\n" c.x c.y c.z;
  let a = Array.make 4 0.5 in
  a.(2) <- a.(0) +. a.(1);
  Printf.printf "%g %g\n" (Array.fold_left ( +. ) 0. a) (first a);
  let b = [| "x"; "y" |] in
  print_endline (first b);
  let p = pick true 1.5 2.5 and q = pick false "s" "t" in
  Printf.printf "%g %s\n" p q;
  let f, s = swap (1, 2.5) in
  Printf.printf "%g %d\n" f s;
  fill_with a 9.; fill_with b "z";
  Printf.printf "%g %s\n" a.(3) b.(1);
  let m = Array.init 3 (fun i -> Array.init 3 (fun j -> float (i * 3 + j))) in
  let trace = ref 0. in
  for i = 0 to 2 do trace := !trace +. m.(i).(i) done;
  Printf.printf "%g\n" !trace;
  let l = List.map (fun x -> x *. x) [ 1.; 2.; 3. ] in
  Printf.printf "%s\n" (String.concat " " (List.map string_of_float l));
  let sorted = List.sort compare [ 3.5; -2.; 0.; -0.; nan; 1e9 ] in
  print_endline (String.concat " " (List.map (Printf.sprintf "%g") sorted));
  let best = Array.fold_left max neg_infinity [| 1.; 7.; 3. |] in
  Printf.printf "%g\n" best;
  let empty : float array = [||] in
  Printf.printf "%d\n" (Array.length (Array.append empty [| 1. |]));
  Printf.printf "%b %b\n" ([| 1.; 2. |] = [| 1.; 2. |]) (compare [| 1. |] [| 2. |] < 0);
  let opts = [ Some 1.5; None; Some 2.5 ] in
  Printf.printf "%g\n" (List.fold_left (fun s -> function Some x -> s +. x | None -> s) 0. opts);
  let h = Hashtbl.create 4 in
  Hashtbl.replace h 1.5 "a"; Hashtbl.replace h 0. "zero";
  Printf.printf "%s %s\n" (Hashtbl.find h 1.5) (Hashtbl.find h (-0.));
  (try ignore a.(4) with Invalid_argument m -> print_endline m);
  let r = { c with y = 100. } in
  Printf.printf "%g %g\n" r.x r.y;
  let lst = Array.to_list (Array.map int_of_float [| 1.9; -1.9 |]) in
  List.iter (Printf.printf "%d ") lst;
  print_newline ()
