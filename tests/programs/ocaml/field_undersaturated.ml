(* Local functions with captures, used with fewer arguments than they have. *)

let outer a b =
  let add x y = a + x + (b * y) in
  let rec sum f l = match l with [] -> a | x :: rest -> f x + sum f rest in
  let plus_five = add 5 in
  let adders = List.map add [ 1; 2; 3 ] in
  let sums = sum (add 1) in
  (plus_five 1, List.map (fun f -> f 10) adders, sums [ 1; 2; 3 ])

let recursive k =
  let rec pow base n = if n = 0 then k else base * pow base (n - 1) in
  let of_two = pow 2 in
  let apply = List.map pow [ 2; 3 ] in
  (of_two 8, List.map (fun f -> f 3) apply)

let mutual limit =
  let rec even step n = if n >= limit then true else odd step (n + step)
  and odd step n = if n >= limit then false else even step (n + step) in
  let by_one = even 1 and by_three = odd 3 in
  List.map (fun f -> f 0) [ by_one; by_three; even 2; odd 2 ]

let returned a =
  let f x y z = Printf.sprintf "%d%d%d%d" a x y z in
  if a > 1 then f 0 else f a

let stored a =
  let cell = ref (fun x -> x) in
  let f x y = (a * x) - y in
  cell := f 3;
  let first = !cell 1 in
  cell := f a;
  (first, !cell 1)

let captured_partial n =
  let f x y = x + y + n in
  let g = f n in
  let h k = fun z -> g (k z) in
  (h g 1, h (f 0) 2, h (h g) 3)

let () =
  let a, b, c = outer 2 3 in
  Printf.printf "%d [%s] %d\n" a (String.concat ";" (List.map string_of_int b)) c;
  let a, b = recursive 1 in
  Printf.printf "%d [%s]\n" a (String.concat ";" (List.map string_of_int b));
  List.iter (fun b -> Printf.printf "%b " b) (mutual 7);
  print_newline ();
  let f = returned 1 and g = returned 2 in
  Printf.printf "%s %s %s\n" (f 2 3) (g 3 4) (let h = f 9 in h 8);
  let a, b = stored 10 in
  Printf.printf "%d %d\n" a b;
  let a, b, c = captured_partial 5 in
  Printf.printf "%d %d %d\n" a b c
