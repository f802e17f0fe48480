(* Closures stored in lists, records, tuples, arrays, options and hash tables. *)

type shape = {
  name : string;
  area : unit -> float;
  scale : float -> shape;
}

let rec circle r =
  { name = "circle"; area = (fun () -> 3.14159 *. r *. r); scale = (fun k -> circle (k *. r)) }

let rec rect w h =
  { name = "rect"; area = (fun () -> w *. h); scale = fun k -> rect (k *. w) (k *. h) }

type 'a lens = { get : 'a -> int; set : int -> 'a -> 'a }

let first = { get = fst; set = (fun v (_, b) -> (v, b)) }
let second = { get = snd; set = (fun v (a, _) -> (a, v)) }
let over l f x = l.set (f (l.get x)) x

let commands : (string, string list -> string) Hashtbl.t = Hashtbl.create 8

let () =
  Hashtbl.add commands "echo" (String.concat " ");
  Hashtbl.add commands "count" (fun args -> string_of_int (List.length args));
  let total = ref 0 in
  Hashtbl.add commands "sum" (fun args ->
      List.iter (fun a -> total := !total + int_of_string a) args;
      string_of_int !total);
  Hashtbl.add commands "rev" (fun args -> String.concat " " (List.rev args))

let run line =
  match String.split_on_char ' ' line with
  | [] -> "?"
  | cmd :: args ->
    match Hashtbl.find_opt commands cmd with
    | Some f -> (try f args with Failure m -> "failed: " ^ m)
    | None -> "unknown " ^ cmd

let () =
  let shapes = [ circle 1.0; rect 2.0 3.5 ] in
  List.iter (fun s ->
      Printf.printf "%s %.3f %.3f\n" s.name (s.area ()) ((s.scale 2.0).area ())) shapes;
  Printf.printf "%.2f\n" ((((rect 1. 1.).scale 2.).scale 3.).area ());
  let p = (3, 4) in
  let a, b = over second (( * ) 10) (over first succ p) in
  Printf.printf "%d %d\n" a b;
  List.iter (fun l -> Printf.printf "%s -> %s\n" l (run l))
    [ "echo a b c"; "count x y"; "sum 1 2 3"; "sum 10"; "rev one two"; "sum x"; "nope" ];
  let table = [| ("+", ( + )); ("-", ( - )); ("*", ( * )); ("min", min); ("k", fun a _ -> a) |] in
  Array.iter (fun (n, f) -> Printf.printf "%s:%d " n (f 9 4)) table;
  print_newline ();
  let opt = [ Some (fun x -> x + 1); None; Some (fun x -> x * x) ] in
  print_endline (String.concat " " (List.map (function Some f -> string_of_int (f 7) | None -> "-") opt));
  let f, (g, h) = ((fun x -> x ^ "a"), ((fun x -> x ^ "b"), fun x -> x ^ "c")) in
  print_endline (h (g (f "")));
  let slots = Array.make 3 (fun () -> 0) in
  Array.iteri (fun i _ -> slots.(i) <- (fun () -> i * 11)) slots;
  Printf.printf "%d\n" (Array.fold_left (fun acc f -> acc + f ()) 0 slots)
