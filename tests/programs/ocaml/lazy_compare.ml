(* Suspensions under [=], [compare], [==] and [Hashtbl.hash]: evaluated ones are their values, others hold
   functions, and one of each kind are ordered as their blocks are. *)

let show name f =
  let text =
    match f () with
    | text -> text
    | exception Invalid_argument message -> "Invalid_argument " ^ message
    | exception error -> Printexc.to_string error
  in
  Printf.printf "%s: %s\n" name text

let truth name f = show name (fun () -> string_of_bool (f ()))
let number name f = show name (fun () -> string_of_int (f ()))
let successor x = lazy (x + 1)

let forced suspension =
  ignore (Lazy.force suspension);
  suspension

type 'a tree = Leaf | Node of 'a tree Lazy.t * 'a * 'a tree Lazy.t
type stream = { head : int; mutable tail : stream option Lazy.t }

let relations name a b =
  truth (name ^ " =") (fun () -> a = b);
  truth (name ^ " <>") (fun () -> a <> b);
  truth (name ^ " <") (fun () -> a < b);
  truth (name ^ " <=") (fun () -> a <= b);
  truth (name ^ " >") (fun () -> a > b);
  truth (name ^ " >=") (fun () -> a >= b);
  number (name ^ " compare") (fun () -> compare a b);
  truth (name ^ " ==") (fun () -> a == b)

let () =
  relations "constants" (lazy 1) (lazy 1);
  relations "different constants" (lazy 1) (lazy 2);
  relations "suspended" (successor 1) (successor 1);
  let a = successor 1 in
  relations "one suspension" a a;
  relations "forced" (forced (successor 1)) (forced (successor 1));
  relations "forced, smaller" (forced (successor 1)) (forced (successor 2));
  relations "forced int and suspended" (forced (successor 1)) (successor 1);
  relations "suspended and forced int" (successor 1) (forced (successor 1));
  let text x = lazy (x ^ "!") in
  relations "forced string and suspended" (forced (text "a")) (text "a");
  let float x = lazy (x +. 1.) in
  relations "forced float and suspended" (forced (float 1.)) (float 1.);
  relations "floats" (forced (float 1.)) (lazy 2.);
  let nan = lazy (0. /. 0. +. 0.) in
  relations "nan" (forced nan) nan;
  let list x = lazy [ x ] in
  relations "forced list and suspended" (forced (list 1)) (list 1);
  relations "suspended and forced list" (list 1) (forced (list 1));
  relations "lists" (forced (list 1)) (forced (list 2));
  let wide x = lazy (Int64.add x 1L) in
  relations "forced int64 and suspended" (forced (wide 1L)) (wide 1L);
  let floats n = lazy (Array.make n 1.) in
  relations "forced float array and suspended" (forced (floats 1)) (floats 1);
  relations "forced empty array and suspended" (forced (floats 0)) (floats 0);
  let function_ () = lazy (fun x -> x + 1) in
  relations "functions" (function_ ()) (lazy (fun x -> x + 2));
  let exn e = lazy (if Sys.opaque_identity true then e else Exit) in
  relations "forced exception and suspended" (forced (exn (Failure "a"))) (exn Exit);
  relations "forced constant exception and suspended" (forced (exn Not_found)) (exn Exit)

let () =
  let nested x = lazy (forced (successor x)) in
  relations "nested" (forced (nested 1)) (forced (nested 2));
  relations "nested, alike" (forced (nested 1)) (forced (nested 1));
  let half x = lazy (successor x) in
  relations "half forced" (forced (half 1)) (forced (half 1));
  relations "half forced and suspended" (forced (half 1)) (half 1);
  relations "pairs" (1, forced (successor 1)) (1, forced (successor 2));
  relations "pairs that differ before" (1, successor 1) (2, successor 1);
  relations "arrays" [| forced (successor 1) |] [| forced (successor 1) |];
  relations "arrays, suspended" [| successor 1 |] [| successor 1 |];
  relations "options" (Some (lazy 3)) (Some (forced (successor 2)));
  let tree () = Node (lazy Leaf, Sys.opaque_identity 1, lazy Leaf) in
  relations "trees" (tree ()) (tree ());
  relations "deeper trees" (Node (lazy (tree ()), 1, lazy Leaf)) (tree ());
  let stream n = { head = n; tail = lazy (if n > 0 then None else None) } in
  let force s = ignore (Lazy.force s.tail); s in
  relations "records" (force (stream 1)) (force (stream 1));
  relations "records, suspended" (stream 1) (stream 1)

let () =
  let failing = lazy (failwith "no") in
  (try ignore (Lazy.force failing : int) with Failure _ -> ());
  relations "failed" failing failing;
  let make () = 7 in
  relations "from_val" (Lazy.from_val 1) (Lazy.from_val 1);
  relations "from_fun" (Lazy.from_fun make) (Lazy.from_fun make);
  relations "map" (Lazy.map succ (lazy 1)) (Lazy.map succ (lazy 1));
  relations "map_val" (Lazy.map_val succ (lazy 1)) (Lazy.map_val succ (lazy 1));
  let x = [ 1; 2 ] in
  relations "of a variable" (lazy x) (lazy x);
  truth "try" (fun () -> try lazy (make ()) = lazy (make ()) with Invalid_argument _ -> false)

let () =
  let hash name value = number (name ^ " hash") (fun () -> Hashtbl.hash value) in
  hash "forced" (forced (successor 1));
  hash "constant" (lazy 2);
  hash "2" 2;
  hash "float" (lazy 1.5);
  hash "string" (forced (lazy (String.make 3 'a')));
  hash "nested" (forced (lazy (forced (successor 1))));
  hash "pair" (lazy 1, [ forced (successor 1) ]);
  hash "tree" (Node (lazy Leaf, "key", lazy (Leaf : string tree)))

let () =
  let is name suspension = truth (name ^ " is_val") (fun () -> Lazy.is_val suspension) in
  let x = 3 in
  is "constant" (lazy 1);
  is "float" (lazy 1.);
  is "variable" (lazy x);
  is "constructor" (lazy None);
  is "construction" (lazy (Some x));
  is "function" (lazy (fun y -> y + x));
  is "sum" (lazy (x + 1));
  is "from_fun" (Lazy.from_fun (fun () -> 1));
  is "exception" (lazy Not_found)

let () =
  let table = Hashtbl.create 8 in
  Hashtbl.replace table (forced (successor 1)) "one";
  Hashtbl.replace table (lazy 2) "two";
  Printf.printf "%d %s\n" (Hashtbl.length table) (Hashtbl.find table (forced (successor 1)));
  let sorted = List.sort compare [ lazy 3; forced (successor 0); lazy 2 ] in
  List.iter (fun it -> Printf.printf "%d " (Lazy.force it)) sorted;
  print_newline ()
