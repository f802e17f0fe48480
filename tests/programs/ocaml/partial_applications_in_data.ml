(* partial applications of functions of many arguments, over- and under-applied, in data *)
let f4 a b c d = a * 1000 + b * 100 + c * 10 + d
let side = ref 0
let eff a = side := !side + a; fun b -> side := !side * b; fun c -> !side + c
let l = [ f4 1 2; f4 3 4; (fun c -> let k = c + 1 in fun d -> k * d); eff 5 ]
let apply2 f = f 7 8
let ho = [| (fun f x -> f (f x)); (fun f -> f); (fun _ -> fun x -> -x) |]
type t = P of (int -> int -> int) | Q of (int -> int)
let go x = function P f -> Q (f x) | Q f -> P (fun y z -> f (x + y + z))
let flip f a b = f b a
let curry3 f a b c = f (a, b, c)
let () =
  List.iter (fun f -> Printf.printf "%d " (apply2 f)) l; print_newline ();
  let ps = List.map (fun f -> f 1) l in
  List.iter (fun p -> Printf.printf "%d %d " (p 2) (p 3)) ps; Printf.printf "| %d\n" !side;
  Array.iter (fun h -> Printf.printf "%d " (h (fun x -> x * 3 + 1) 5)) ho; print_newline ();
  let rec iter n t = if n = 0 then t else iter (n - 1) (go n t) in
  (match iter 7 (P (f4 1 2)) with P f -> Printf.printf "P %d\n" (f 1 2) | Q f -> Printf.printf "Q %d\n" (f 3));
  (match iter 4 (P (f4 1 2)) with P f -> Printf.printf "P %d\n" (f 1 2) | Q f -> Printf.printf "Q %d\n" (f 3));
  let fl = List.map flip [ (+); (-); ( * ); (fun a b -> a lxor (b * 2)) ] in
  Printf.printf "%s\n" (String.concat " " (List.map (fun f -> string_of_int (f 3 10)) fl));
  let c = curry3 (fun (a, b, c) -> a + b * c) in
  let partials = [ c 1; c 2; flip (curry3 (fun (a, b, c) -> a - b - c)) 9 |> fun g -> g ] in
  List.iter (fun p -> let q = p 4 in Printf.printf "%d,%d " (q 1) (q 2)) partials; print_newline ();
  let opt ?(a = 1) ?b x = a + x + (match b with None -> 0 | Some f -> f x) in
  let os : (?b:(int -> int) -> int -> int) list = [ (fun ?b x -> opt ~a:2 ?b x); (fun ?b x -> ignore b; x); (fun ?b x -> opt ?b ~a:5 x) ] in
  List.iter (fun (o : ?b:(int -> int) -> int -> int) -> Printf.printf "%d %d " (o 3) (o ~b:(fun x -> -x) 3)) [ List.nth os 0; List.nth os 2 ]; print_newline ()
