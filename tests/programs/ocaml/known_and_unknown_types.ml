(* Tables, maps, exceptions, arrays and suspensions that are seen at known and at unknown types. *)
exception Found of string * int
type color = Red | Green | Blue
type 'a grow = Stop | More of 'a * 'a option grow
let rec fill : 'a. ('a, int) Hashtbl.t -> 'a -> int -> unit = fun t x n ->
  Hashtbl.replace t x n;
  if n > 0 then begin
    let u = Hashtbl.create 3 in
    Hashtbl.replace u (x, x) n;
    fill u (x, x) (n - 1);
    if not (Hashtbl.mem u ((x, x))) && n > 5 then print_endline "missing"
  end
let rec sum_arrays : 'a. int -> ('a -> float) -> 'a array -> float = fun n f a ->
  if n = 0 then Array.fold_left (fun s x -> s +. f x) 0. a
  else sum_arrays (n - 1) (fun (x, y) -> f x +. f y) (Array.map (fun x -> (x, x)) a)
let rec show_all : 'a. ('a -> string) -> 'a grow -> string = fun f -> function
  | Stop -> "."
  | More (x, rest) -> f x ^ ";" ^ show_all (function None -> "-" | Some x -> f x) rest
let rec raises : type a. int -> a -> unit = fun n x ->
  let exception Local of a * int in
  if n = 0 then raise (Local (x, 3)) else
  try raises (n - 1) [x] with Local (y, _) -> ignore (y == x) | Found (s, k) -> raise (Found (s ^ "'", k + 1))
let rec lazily : 'a. int -> 'a Lazy.t -> ('a -> string) -> string = fun n l f ->
  if n = 0 then f (Lazy.force l) else lazily (n - 1) (lazy (Lazy.force l, n)) (fun (x, m) -> f x ^ string_of_int m)
let rec order : 'a. int -> 'a list -> 'a list * int = fun n l ->
  let sorted = List.sort compare l in
  if n = 0 then (sorted, List.length (List.sort_uniq compare l))
  else let pairs, k = order (n - 1) (List.map (fun x -> (x, x)) l) in (List.map fst pairs, k)
let rec same : 'a. int -> 'a -> 'a -> bool list = fun n x y ->
  (x == y) :: (x = y) :: (if n = 0 then [] else same (n - 1) (Some x) (Some y))
let rec texts : type a. int -> a -> string list = fun n x ->
  let exception E of a in
  let t = Printexc.to_string (E x) in
  let t = String.sub t (String.index t '(') (String.length t - String.index t '(') in
  if n = 0 then [t] else t :: texts (n - 1) [x]
let () =
  let t = Hashtbl.create 7 in
  Hashtbl.add t "known" 1;
  fill t "a" 4;
  Printf.printf "%d %d\n" (Hashtbl.length t) (Hashtbl.find t "a");
  let c = Hashtbl.create 7 in
  List.iter (fun x -> fill c x 1) [Red; Green; Blue; Red];
  Printf.printf "%d %b\n" (Hashtbl.length c) (Hashtbl.mem c Green);
  let f = Hashtbl.create 7 in
  fill f 2.5 2; fill f (-0.0) 1;
  Printf.printf "%d %d\n" (Hashtbl.find f 2.5) (Hashtbl.find f 0.0);
  let l = Hashtbl.create 7 in
  fill l 5L 2; Printf.printf "%d\n" (Hashtbl.find l 5L);
  Printf.printf "%g\n" (sum_arrays 3 (fun x -> x) [| 1.5; 2.5 |]);
  let a = [| 1.; 2. |] in
  a.(0) <- 5.; Printf.printf "%g %d %d %d\n" a.(0) (Hashtbl.hash a) (Hashtbl.hash [| 1; 2 |]) (Hashtbl.hash [||]);
  print_endline (show_all string_of_int (More (1, More (Some 2, More (Some None, More (Some (Some (Some 3)), Stop))))));
  (try raises 3 'x' with e -> print_endline "caught");
  print_endline (lazily 3 (lazy "v") Fun.id);
  let s, k = order 2 [3; 1; 2; 3] in
  Printf.printf "%s %d\n" (String.concat "," (List.map string_of_int s)) k;
  let s, k = order 2 ["b"; "a"; "c"; "a"] in
  Printf.printf "%s %d\n" (String.concat "," s) k;
  let s, k = order 1 [Blue; Red] in
  Printf.printf "%b %d\n" (s = [Red; Blue]) k;
  let show l = print_endline (String.concat " " (List.map string_of_bool l)) in
  show (same 2 1 1); show (same 1 'c' 'd'); show (same 1 true true);
  let r = ref 1 in
  show (same 0 r r); show (same 0 r (ref 1));
  List.iter print_endline (texts 1 5 @ texts 1 "q\"" @ texts 0 2.5 @ texts 0 true @ texts 0 Blue @ texts 0 'a' @ texts 0 (Some 1) @ texts 0 (1, 2));
  let b = Buffer.create 10 in
  let rec visit : 'a. 'a list -> ('a -> string) -> int -> unit = fun l f n ->
    List.iter (fun x -> Buffer.add_string b (f x)) l;
    if n > 0 then visit (List.map (fun x -> [| x |]) l) (fun a -> f a.(0)) (n - 1) in
  visit [1; 2] string_of_int 3;
  print_endline (Buffer.contents b)
