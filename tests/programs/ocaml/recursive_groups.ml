(* Groups whose functions need each other in part: polymorphic by annotation, with values, with exceptions of their own. *)
let rec size : 'a. 'a list -> int = function [] -> 0 | _ :: rest -> 1 + size (List.map (fun _ -> ()) rest)
and show : 'a. ('a -> string) -> 'a list -> string = fun f -> function
  | [] -> last ()
  | [x] -> f x ^ last ()
  | x :: rest -> f x ^ ";" ^ show (fun s -> "<" ^ s ^ ">") (List.map f rest)
and last () = "."
and pair : 'x 'y. 'x -> 'y -> 'x * 'y = fun x y -> (x, y)
and twice : 'z. ('z -> 'z) -> 'z -> 'z = fun f x -> f (f x)
and use_all : 'b. 'b -> 'b * int = fun x -> (fst (pair x (twice succ 1)), size [x; x])
and unused x = snd (use_all x)

let () =
  print_endline (show string_of_int [1; 2; 3]);
  print_endline (show (fun x -> x) ["a"; "b"]);
  Printf.printf "%d %d\n" (size [1; 2; 3]) (snd (use_all "x"));
  Printf.printf "%s %d\n" (fst (use_all "y")) (unused 1.5);
  Printf.printf "%d %s\n" (twice succ 3) (twice (fun s -> s ^ s) "ab");
  Printf.printf "%b %s\n" (fst (pair true 1)) (snd (pair 1 "z"))

type holder = { items : int list; run : int -> int }
let rec f x = if x = 0 then List.hd r.items else g (x - 1)
and g x = f x
and r = { items = [7]; run = (fun x -> f x) }
and first () = print_string "first "; List.length r.items
let rec xs = 1 :: ys and ys = 2 :: xs
let rec even n = n = 0 || odd (n - 1)
and odd n = n <> 0 && even (n - 1)
and table = lazy (print_string "lazy "; List.map even [1; 2; 3])
let () =
  Printf.printf "%d %d %d\n" (f 3) (r.run 2) (first ());
  Printf.printf "%d %d\n" (List.hd xs) (List.nth xs 3);
  Printf.printf "%b\n" (List.nth (Lazy.force table) 1)

exception E of int
let rec outer : 'a. 'a -> 'a list = fun x ->
  let exception Found of int in
  (try if inner x then raise (Found 1); [x] with Found n -> List.init n (fun _ -> x))
and inner : 'b. 'b -> bool = fun _ -> (try raise (E 1) with E n -> n = 1)
and count l = match l with [] -> 0 | _ :: t -> 1 + count t
let () = Printf.printf "%d %d\n" (count (outer 'c')) (count (outer 1.0))
