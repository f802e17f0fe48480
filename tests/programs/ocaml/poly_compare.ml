(* Polymorphic comparison, equality and ordering over nested structures; physical equality on refs. *)

type t = A | B | C of int | D of string * t | E of { k : int; v : float }

let show = function
  | A -> "A" | B -> "B"
  | C n -> Printf.sprintf "C%d" n
  | D (s, _) -> "D" ^ s
  | E { k; _ } -> Printf.sprintf "E%d" k

let sign n = if n < 0 then '<' else if n > 0 then '>' else '='

let () =
  let l = [ E { k = 1; v = 2. }; C 5; D ("x", A); B; C (-1); A; D ("a", B); D ("a", A); E { k = 0; v = 9. } ] in
  print_endline (String.concat " " (List.map show (List.sort compare l)));
  let c a b = print_char (sign (compare a b)) in
  c 1 2; c "b" "a"; c "ab" "abc"; c [] [ 1 ]; print_newline ();
  c [ 1; 2; 3 ] [ 1; 3 ]; c (1, "z") (2, "a"); c [| 1; 2 |] [| 9 |]; c (Some 1) None; c true false; c 'a' 'b'; c () (); c 1.5 1.25;
  print_newline ();
  c (1, (2, [ "x" ])) (1, (2, [ "x" ])); c (ref 1) (ref 2); c [| 1.; 2. |] [| 1.; 3. |]; c 3L 2L; c (Ok 1) (Error 1);
  print_newline ();
  Printf.printf "%b %b %b\n" ([ 1; 2 ] = [ 1; 2 ]) ((1, 'a') <> (1, 'b')) ("abc" = "ab" ^ "c");
  Printf.printf "%b %b\n" (C 1 = C 1) (D ("q", C 2) = D ("q", C 3));
  let r = ref 0 and s = ref 0 in
  Printf.printf "%b %b %b %b\n" (r = s) (r == s) (r == r) (r != s);
  let alias = r in
  incr alias;
  Printf.printf "%d %b %b\n" !r (alias == r) (r = s);
  let x = [ 1; 2 ] in
  Printf.printf "%b %b\n" (x == x) (List.tl x == List.tl x);
  (match compare (fun x -> x) (fun x -> x) with
   | _ -> print_endline "?"
   | exception Invalid_argument m -> print_endline m);
  (match (fun x -> x + 1) = (fun x -> x + 2) with
   | _ -> print_endline "?"
   | exception Invalid_argument m -> print_endline m);
  Printf.printf "%b\n" ([ (1, fun x -> x) ] = []);
  Printf.printf "%s %s\n" (max "apple" "pear") (min "apple" "pear");
  let a, b = max (1, "b") (1, "c") in
  Printf.printf "%d%s\n" a b;
  print_endline (String.concat " " (List.map (fun (n, s) -> s ^ string_of_int n)
                                      (List.sort compare [ (2, "b"); (1, "z"); (2, "a"); (1, "") ])));
  Printf.printf "%d %d\n" (Stdlib.compare 1 1) (Stdlib.compare [ A ] [ B ]);
  Printf.printf "%b %b\n" (nan = nan) (compare nan nan = 0);
  Printf.printf "%b %b\n" ([ nan ] = [ nan ]) (compare [ nan ] [ nan ] = 0);
  let deep n = List.fold_left (fun acc i -> [ i ] :: acc) [] (List.init n Fun.id) in
  Printf.printf "%b %d\n" (deep 1000 = deep 1000) (compare (deep 1000) (deep 999))
