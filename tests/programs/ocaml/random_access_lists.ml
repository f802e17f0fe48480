(* Random-access lists: each level holds pairs of the one before. *)
type 'a t = Nil | Zero of ('a * 'a) t | One of 'a * ('a * 'a) t

let rec cons : 'a. 'a -> 'a t -> 'a t = fun x -> function
  | Nil -> One (x, Nil)
  | Zero rest -> One (x, rest)
  | One (y, rest) -> Zero (cons (x, y) rest)

let rec uncons : 'a. 'a t -> 'a * 'a t = function
  | Nil -> raise Not_found
  | One (x, Nil) -> (x, Nil)
  | One (x, rest) -> (x, Zero rest)
  | Zero rest -> let (x, y), rest = uncons rest in (x, One (y, rest))

let rec lookup : 'a. int -> 'a t -> 'a = fun i -> function
  | Nil -> raise Not_found
  | One (x, rest) -> if i = 0 then x else lookup (i - 1) (Zero rest)
  | Zero rest -> let x, y = lookup (i / 2) rest in if i land 1 = 0 then x else y

let rec update : 'a. int -> ('a -> 'a) -> 'a t -> 'a t = fun i f -> function
  | Nil -> raise Not_found
  | One (x, rest) -> if i = 0 then One (f x, rest) else cons x (update (i - 1) f (Zero rest))
  | Zero rest ->
    let f' (x, y) = if i land 1 = 0 then (f x, y) else (x, f y) in
    Zero (update (i / 2) f' rest)

let rec size : 'a. 'a t -> int = function
  | Nil -> 0
  | Zero rest -> 2 * size rest
  | One (_, rest) -> 1 + 2 * size rest

let rec fold : 'a 'b. ('b -> 'a -> 'b) -> 'b -> 'a t -> 'b = fun f acc -> function
  | Nil -> acc
  | Zero rest -> fold (fun acc (x, y) -> f (f acc x) y) acc rest
  | One (x, rest) -> fold (fun acc (x, y) -> f (f acc x) y) (f acc x) rest

let of_list l = List.fold_right cons l Nil

let () =
  let t = of_list (List.init 100 Fun.id) in
  Printf.printf "%d %d %d\n" (size t) (lookup 0 t) (lookup 77 t);
  let t' = update 50 (fun x -> x * 1000) t in
  Printf.printf "%d %d\n" (lookup 50 t') (lookup 50 t);
  Printf.printf "%d\n" (fold ( + ) 0 t');
  let s = of_list ["a"; "b"; "c"; "d"; "e"] in
  print_endline (fold ( ^ ) "" s);
  let x, rest = uncons s in
  Printf.printf "%s %d %s\n" x (size rest) (lookup 3 rest);
  let f = of_list [1.5; 2.5; 3.5] in
  Printf.printf "%g\n" (fold ( +. ) 0. f);
  Printf.printf "%b %b %d\n" (t = t') (t = of_list (List.init 100 Fun.id)) (compare t t');
  Printf.printf "%b %b\n" (f < update 2 (fun _ -> nan) f) (compare f (update 2 (fun _ -> nan) f) > 0);
  Printf.printf "%d %d\n" (Hashtbl.hash t) (Hashtbl.hash s);
  (match lookup 1000 t with exception Not_found -> print_endline "none" | _ -> assert false);
  let b = of_list [true; false; true] in
  Printf.printf "%b %b\n" (lookup 1 b) (lookup 2 b);
  let u = of_list [(); ()] in
  lookup 1 u;
  let fs = of_list [(fun x -> x + 1); (fun x -> x * 2)] in
  Printf.printf "%d %d\n" (lookup 0 fs 10) (lookup 1 fs 10);
  (match fs = fs with exception Invalid_argument m -> print_endline m | b -> Printf.printf "%b\n" b)
