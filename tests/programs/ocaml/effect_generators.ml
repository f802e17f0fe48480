(* Generators made of iterators: the fringes of trees, compared and zipped. *)
open Effect
open Effect.Deep

type 'a tree = Leaf | Node of 'a tree * 'a * 'a tree

let rec iter f = function
  | Leaf -> ()
  | Node (l, x, r) -> iter f l; f x; iter f r

let rec of_list = function
  | [] -> Leaf
  | x :: rest ->
    let n = List.length rest / 2 in
    Node (of_list (List.filteri (fun i _ -> i < n) rest), x, of_list (List.filteri (fun i _ -> i >= n) rest))

let generator (type elt) (iter : (elt -> unit) -> unit) : unit -> elt option =
  let module M = struct type _ Effect.t += Yield : elt -> unit Effect.t end in
  let rec step = ref (fun () ->
    match iter (fun x -> perform (M.Yield x)) with
    | () -> step := (fun () -> None); None
    | effect M.Yield x, k -> step := (fun () -> continue k ()); Some x) in
  fun () -> !step ()

let to_list g =
  let rec go acc = match g () with None -> List.rev acc | Some x -> go (x :: acc) in
  go []

let same_fringe a b =
  let ga = generator (fun f -> iter f a) and gb = generator (fun f -> iter f b) in
  let rec go () = match ga (), gb () with
    | None, None -> true
    | Some x, Some y when x = y -> go ()
    | _ -> false in
  go ()

let rec left = function Leaf -> Leaf | Node (Node (a, x, b), y, c) -> left (Node (a, x, Node (b, y, c))) | Node (Leaf, x, r) -> Node (Leaf, x, left r)

let zip ga gb =
  let rec go acc = match ga () with
    | None -> List.rev acc
    | Some x -> (match gb () with None -> List.rev acc | Some y -> go ((x, y) :: acc)) in
  go []

let primes () =
  generator (fun yield ->
    let rec go n = if n < 60 then begin
      let rec prime d = d * d > n || (n mod d <> 0 && prime (d + 1)) in
      if prime 2 then yield n;
      go (n + 1) end in
    go 2)

let () =
  let t = of_list [5; 3; 8; 1; 4; 7; 9; 2; 6] in
  List.iter (Printf.printf "%d ") (to_list (generator (fun f -> iter f t)));
  print_newline ();
  Printf.printf "%b %b\n" (same_fringe t (left t)) (same_fringe t (of_list [5; 3; 8]));
  let words = generator (fun f -> List.iter f ["one"; "two"; "three"; "four"]) in
  List.iter (fun (p, w) -> Printf.printf "%d:%s " p w) (zip (primes ()) words);
  print_newline ();
  let floats = generator (fun f -> Array.iter f [| 1.5; 2.5; 4.25 |]) in
  Printf.printf "%g\n" (List.fold_left ( +. ) 0. (to_list floats));
  (* one that is left in the middle *)
  let g = primes () in
  ignore (g ()); ignore (g ());
  (match g () with Some p -> Printf.printf "%d\n" p | None -> ());
  (* strings that are made in the generator and die with it *)
  let g = generator (fun f -> for i = 0 to 3 do f (String.make i (Char.chr (97 + i))) done) in
  print_endline (String.concat "," (to_list g))
