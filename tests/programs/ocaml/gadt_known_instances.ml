(* Code in branches that say what a type is: polymorphic functions and references there are used at known types. *)

type _ ty = Int : int ty | Float : float ty | List : 'a ty -> 'a list ty | Pair : 'a ty * 'b ty -> ('a * 'b) ty
type any = Any : 'a ty * 'a -> any

let count = ref 0
let total = ref 0.5
let id x = x
let swap (x, y) = (y, x)

(* A reference of a known type gives what the branch calls `a`. *)
let default : type a. a ty -> a = function
  | Int -> !count
  | Float -> !total
  | List _ -> id []
  | Pair (Int, Float) -> swap (!total, !count)
  | Pair (_, _) -> failwith "pair"

let rec add : type a. a ty -> a -> a -> a =
 fun ty x y ->
  match ty with
  | Int -> ( match (id x, y) with 0, n | n, 0 -> n | n, m -> n + m)
  | Float -> ( match (x, id y) with 0., f -> f | f, g -> f +. g)
  | List _ -> ( match (x, y) with [], l | l, [] -> l | x :: xs, _ -> x :: add ty xs y)
  | Pair (a, b) -> (
      match (x, id y) with (x1, y1), (x2, y2) -> (add a x1 x2, add b y1 y2))

let rec show : type a. a ty -> a -> string =
 fun ty x ->
  match (ty, x) with
  | Int, 0 -> "zero"
  | Int, n -> string_of_int (id n)
  | Float, f -> Printf.sprintf "%.2f" f
  | List _, [] -> "[]"
  | List item, l -> "[" ^ String.concat ";" (List.map (show item) l) ^ "]"
  | Pair (a, b), (x, y) ->
      let shown = ref (show a (id x)) in
      shown := !shown ^ "," ^ show b y;
      "(" ^ !shown ^ ")"

let twice (Any (ty, x)) = Any (ty, add ty x (id x))

let () =
  count := 3;
  let all = [ Any (Int, 4); Any (Float, 0.25); Any (List Int, [ 1; 0 ]); Any (Pair (Int, List Float), (7, [ 1. ])) ] in
  List.iter (fun (Any (ty, x)) -> print_endline (show ty x)) all;
  List.iter (fun (Any (ty, x)) -> print_endline (show ty x)) (List.map twice all);
  print_endline (show Int (default Int));
  print_endline (show (Pair (Int, Float)) (default (Pair (Int, Float))));
  print_endline (show (List (List Int)) (add (List (List Int)) (default (List (List Int))) [ [ 5 ] ]));
  let cell = ref (default Float) in
  cell := add Float !cell 1.;
  Printf.printf "%.1f\n" !cell
