(* A function that calls itself at ever larger types. *)
let rec f : 'a. int -> 'a -> int = fun n x -> if n = 0 then Hashtbl.hash x else f (n - 1) [x]
let rec g : 'a. int -> ('a -> string) -> 'a -> string = fun n show x ->
  if n = 0 then show x else g (n - 1) (fun (a, b) -> "(" ^ show a ^ "," ^ show b ^ ")") (x, x)
let rec h : 'a 'b. int -> 'a -> 'b -> ('a -> 'b -> unit) -> unit = fun n x y k ->
  k x y; if n > 0 then h (n - 1) (Some x) [| y; y |] (fun x y -> match x with None -> () | Some x -> k x y.(1))
type 'a nested = Leaf of 'a | Nest of 'a list nested
let rec depth : 'a. 'a nested -> int = function Leaf _ -> 0 | Nest n -> 1 + depth n
let rec build : 'a. int -> 'a -> 'a nested = fun n x -> if n = 0 then Leaf x else Nest (build (n - 1) [x; x])
let rec total : 'a. ('a -> int) -> 'a nested -> int = fun f -> function
  | Leaf x -> f x
  | Nest n -> total (List.fold_left (fun s x -> s + f x) 0) n
type 'a tree = Node of 'a * 'a tree option ref tree option
let () =
  Printf.printf "%d %d\n" (f 5 "a") (f 3 1.5);
  print_endline (g 3 string_of_int 7);
  print_endline (g 2 (fun s -> s) "s");
  h 3 'c' 2.5 (fun c x -> Printf.printf "%c %g\n" c x);
  Printf.printf "%d %d\n" (depth (build 6 ())) (total (fun x -> x) (build 6 3));
  Printf.printf "%b\n" (build 3 "x" = build 3 "x");
  Printf.printf "%d\n" (compare (build 3 "x") (build 3 "y"));
  let local n =
    let rec go : 'a. int -> 'a -> (unit -> 'a -> int) -> int = fun n x k ->
      if n = 0 then k () x else go (n - 1) (x, n) (fun o (x, m) -> m + k o x) in
    go n "seed" (fun _ s -> String.length s) in
  Printf.printf "%d\n" (local 4)
