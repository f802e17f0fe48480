(* let*, let+, and+ for options, results, lists, state and writer. *)

module Opt = struct
  let ( let* ) = Option.bind
  let ( let+ ) o f = Option.map f o
  let ( and+ ) a b = match a, b with Some a, Some b -> Some (a, b) | _ -> None
end

module Res = struct
  let ( let* ) = Result.bind
  let ( let+ ) r f = Result.map f r
end

module Lst = struct
  let ( let* ) l f = List.concat_map f l
  let ( let+ ) l f = List.map f l
  let ( and+ ) a b = List.concat_map (fun x -> List.map (fun y -> (x, y)) b) a
  let guard c = if c then [ () ] else []
end

module State = struct
  type ('s, 'a) t = 's -> 'a * 's
  let return x s = (x, s)
  let ( let* ) (m : ('s, 'a) t) f s = let a, s = m s in f a s
  let ( let+ ) m f s = let a, s = m s in (f a, s)
  let get s = (s, s)
  let put s _ = ((), s)
  let rec map_m f = function
    | [] -> return []
    | x :: xs -> let* y = f x in let* ys = map_m f xs in return (y :: ys)
end

let lookup k = List.assoc_opt k [ "a", 1; "b", 2; "zero", 0 ]

let ratio x y =
  let open Opt in
  let* a = lookup x in
  let* b = lookup y in
  if b = 0 then None else Some (a * 100 / b)

let parse_pair s =
  let open Res in
  let int s = match int_of_string_opt s with Some n -> Ok n | None -> Error (s ^ " is not a number") in
  match String.split_on_char ',' s with
  | [ a; b ] ->
    let* a = int a in
    let+ b = int b in
    (a, b)
  | l -> Error (Printf.sprintf "%d fields" (List.length l))

let triples n =
  let open Lst in
  let range a b = List.init (max 0 (b - a + 1)) (fun i -> a + i) in
  let* c = range 1 n in
  let* b = range 1 c in
  let* a = range 1 b in
  let+ () = guard (a * a + b * b = c * c) in
  (a, b, c)

type tree = Leaf | Node of tree * string * tree

let label t =
  let open State in
  let rec go = function
    | Leaf -> return Leaf
    | Node (l, s, r) ->
      let* l = go l in
      let* n = get in
      let* () = put (n + 1) in
      let+ r = go r in
      Node (l, s ^ string_of_int n, r) in
  fst (go t 0)

let rec show = function Leaf -> "" | Node (l, s, r) -> "(" ^ show l ^ s ^ show r ^ ")"

let () =
  let p = function Some n -> string_of_int n | None -> "none" in
  Printf.printf "%s %s %s\n" (p (ratio "a" "b")) (p (ratio "a" "zero")) (p (ratio "a" "q"));
  let sum = Opt.(let+ a = lookup "a" and+ b = lookup "b" in a + b) in
  print_endline (p sum);
  List.iter (fun s ->
      match parse_pair s with
      | Ok (a, b) -> Printf.printf "%d %d\n" a b
      | Error e -> print_endline e) [ "1,2"; "1,x"; "y,x"; "1,2,3" ];
  List.iter (fun (a, b, c) -> Printf.printf "%d-%d-%d " a b c) (triples 20);
  print_newline ();
  let grid = Lst.(let+ x = [ 1; 2; 3 ] and+ y = [ "a"; "b" ] in y ^ string_of_int x) in
  print_endline (String.concat " " grid);
  print_endline (show (label (Node (Node (Leaf, "x", Leaf), "y", Node (Leaf, "z", Node (Leaf, "w", Leaf))))));
  let fresh, n = State.(map_m (fun s -> let* n = get in let* () = put (n + 10) in return (s ^ string_of_int n)) [ "p"; "q"; "r" ]) 1 in
  Printf.printf "%s %d\n" (String.concat "," fresh) n
