(* Calls with more arguments than the called function has parameters, known and unknown. *)

let trace s v = print_string s; print_char ' '; v
let choose b = if b then (fun x y -> x + y) else fun x -> trace "partial" (fun y -> x - y)
let id x = x
let const x _ = x
let compose f g x = f (g x)
let rec nest n = if n = 0 then (fun x -> x) else fun x -> nest (n - 1) (x + n)
let many a = fun b c -> fun d -> fun e f -> a + (b * 2) + (c * 3) + (d * 4) + (e * 5) + (f * 6)
let flip f x y = f y x
let church n f x = let rec go i = if i = 0 then x else f (go (i - 1)) in go n
let add m n f x = m f (n f x)
let raising n = if n > 3 then failwith "no function" else fun x y -> x * y * n
let stored = ref (fun x -> fun y -> x * y)
let fields = ((fun a b -> a ^ b), [ (fun x y -> x + y); (fun x -> let z = x * x in fun y -> z + y) ])

let () =
  Printf.printf "%d %d\n" (choose true 1 2) (choose false 1 2);
  Printf.printf "%d %d\n" (id id id (fun x -> x + 1) 5) (id const 1 "unused");
  Printf.printf "%d %d\n" (const (fun x y -> x - y) () 7 3) (const const 1 2 3);
  Printf.printf "%d %d\n" (compose choose not true 5 3) (compose id choose true 5 3);
  Printf.printf "%d\n" (nest 100 1);
  Printf.printf "%d %d\n" (many 1 2 3 4 5 6) (let f = many 1 2 in let g = f 3 4 in g 5 6);
  Printf.printf "%d\n" (flip (fun a f -> f a) (fun x y z -> x - y + z) 10 3 1);
  Printf.printf "%d %d\n" (church 5 succ 0) (add (church 2) (church 3) (fun x -> x * 2) 1);
  Printf.printf "%d\n" (church 3 (church 2) succ 0);
  Printf.printf "%d %s\n" (raising 3 4 5) (try string_of_int (raising 4 (trace "x" 1) (trace "y" 2)) with Failure s -> s);
  let first = !stored 3 4 in
  stored := (fun x -> if x > 0 then (fun y -> x + y) else fun _ -> 0);
  Printf.printf "%d %d %d\n" first (!stored 3 4) (!stored 0 4);
  Printf.printf "%s %s\n" (fst fields "a" "b") (String.concat "," (List.map (fun f -> string_of_int (f 3 4)) (snd fields)));
  Printf.printf "%d\n" (List.fold_left (fun k f -> fun x y -> f (k x y) y) (fun x y -> x + y) [ ( + ); ( * ); ( - ) ] 2 3)
