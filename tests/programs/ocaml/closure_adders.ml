(* Adders, flips, partial application, over-application, functions returning functions. *)

let add x y = x + y
let add3 x y z = x + y + z
let curried = fun m -> fun x -> fun y -> (m * 100) + (x * 10) + y
let pick b = if b then fun x y -> x - y else fun x y -> y - x
let twice f x = f (f x)
let flip f a b = f b a
let uncurry f (a, b) = f a b
let curry f a b = f (a, b)
let const k _ = k
let apply_n n f = List.fold_left (fun g () x -> f (g x)) Fun.id (List.init n (fun _ -> ()))

let rec arity_chain n = fun k -> if n = 0 then k else k + n

let noisy tag =
  Printf.printf "[%s" tag;
  fun x ->
    Printf.printf " %d" x;
    fun y ->
      Printf.printf " %d]\n" y;
      x * y

let () =
  let inc = add 1 in
  let p2 = add3 1 2 in
  let p1 = add3 10 in
  Printf.printf "%d %d %d %d\n" (inc 5) (p2 3) (p1 20 30) ((p1 5) 6);
  Printf.printf "%d %d %d\n" (curried 1 2 3) ((curried 4) 5 6) (((curried 7) 8) 9);
  let c1 = curried 9 in
  Printf.printf "%d %d\n" (c1 1 2) ((c1 3) 4);
  Printf.printf "%d %d\n" (pick true 10 3) (pick false 10 3);
  Printf.printf "%d %d\n" (twice twice inc 0) (twice (twice (twice inc)) 0);
  Printf.printf "%d %d\n" (flip ( - ) 1 10) (flip (pick true) 5 9);
  Printf.printf "%d %d\n" (uncurry ( * ) (6, 7)) (curry (fun (a, b) -> a - b) 6 7);
  Printf.printf "%s %d\n" (const "k" 1) (const 3 "unused");
  Printf.printf "%d\n" (apply_n 10 (add 7) 0);
  Printf.printf "%d\n" (arity_chain 5 6);
  let n1 = noisy "a" in
  let n2 = n1 3 in
  Printf.printf "%d\n" (n2 4);
  Printf.printf "%d\n" (noisy "b" 5 6);
  let fs = List.map add [ 1; 2; 3 ] in
  print_endline (String.concat " " (List.map (fun f -> string_of_int (f 10)) fs));
  let gs = List.map (fun x -> add3 x x) [ 1; 2; 3 ] in
  print_endline (String.concat " " (List.map (fun g -> string_of_int (g 100)) gs));
  Printf.printf "%d\n" (List.fold_left (fun acc f -> f acc) 1 [ add 1; ( * ) 5; flip ( - ) 3; (fun x -> x * x) ])
