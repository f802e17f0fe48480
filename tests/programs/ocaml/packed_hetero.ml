(* Heterogeneous collections, equality of types through packed witnesses, maps over packed orders, dispatch tables. *)
module type ORD = sig type t val compare : t -> t -> int end
module type SHOW = sig type t val show : t -> string end
module type BOTH = sig type t include ORD with type t := t include SHOW with type t := t end

let sort (type a) (module O : ORD with type t = a) (l : a list) = List.sort O.compare l
let uniq (type a) (module O : ORD with type t = a) (l : a list) =
  let module S = Set.Make (O) in
  S.elements (S.of_list l)
let group (type k) (type v) (module O : ORD with type t = k) (l : (k * v) list) =
  let module M = Map.Make (struct type t = k let compare = O.compare end) in
  let m = List.fold_left (fun m (k, v) -> M.update k (function None -> Some [ v ] | Some l -> Some (v :: l)) m) M.empty l in
  List.map (fun (k, l) -> (k, List.rev l)) (M.bindings m)
module Down = struct type t = int let compare a b = compare b a let show = string_of_int end
let () =
  let show l = String.concat " " (List.map string_of_int l) in
  print_endline (show (sort (module Int) [ 3; 1; 2 ]));
  print_endline (show (sort (module Down) [ 3; 1; 2 ]));
  print_endline (show (uniq (module Down) [ 3; 1; 2; 3; 1 ]));
  print_endline (String.concat " " (uniq (module String) [ "b"; "a"; "b" ]));
  List.iter (fun (k, l) -> Printf.printf "%s: %s\n" k (show l)) (group (module String) [ ("x", 1); ("y", 2); ("x", 3) ])

type (_, _) eq = Refl : ('a, 'a) eq
module type KEY = sig
  type t
  type _ tag = ..
  type 'a key
end
module type WITNESS = sig
  type a
  type ty
  val name : string
end
type _ ty = Int : int ty | Str : string ty | List : 'a ty -> 'a list ty
module type VALUE = sig type t val ty : t ty val value : t end
let values : (module VALUE) list =
  [ (module struct type t = int let ty = Int let value = 3 end);
    (module struct type t = string let ty = Str let value = "three" end);
    (module struct type t = int list list let ty = List (List Int) let value = [ [ 1 ]; []; [ 2; 3 ] ] end) ]
let rec show : type a. a ty -> a -> string = fun t x ->
  match t with
  | Int -> string_of_int x
  | Str -> "\"" ^ x ^ "\""
  | List t -> "[" ^ String.concat ";" (List.map (show t) x) ^ "]"
let rec same : type a b. a ty -> b ty -> (a, b) eq option = fun a b ->
  match a, b with
  | Int, Int -> Some Refl
  | Str, Str -> Some Refl
  | List a, List b -> (match same a b with Some Refl -> Some Refl | None -> None)
  | _ -> None
let sum (module V : VALUE) : int =
  match V.ty with
  | Int -> V.value
  | Str -> String.length V.value
  | List Int -> List.fold_left ( + ) 0 V.value
  | List _ -> List.length V.value
let find (type a) (t : a ty) : a option =
  List.find_map (fun (module V : VALUE) ->
    match same V.ty t with Some Refl -> Some (V.value : a) | None -> None) values
let () =
  List.iter (fun (module V : VALUE) -> print_endline (show V.ty V.value)) values;
  print_endline (String.concat " " (List.map (fun v -> string_of_int (sum v)) values));
  (match find Str with Some s -> print_endline s | None -> ());
  (match find (List Int) with Some _ -> print_endline "?" | None -> print_endline "no list of numbers")

module type OP = sig val name : string val arity : int val apply : int list -> int end
let table : (module OP) array =
  [| (module struct let name = "add" let arity = 2 let apply = List.fold_left ( + ) 0 end);
     (module struct let name = "mul" let arity = 2 let apply = List.fold_left ( * ) 1 end);
     (module struct let name = "neg" let arity = 1 let apply l = -List.hd l end) |]
let exec stack code =
  let (module O) = table.(code) in
  let rec take n l acc = if n = 0 then (acc, l) else match l with x :: l -> take (n - 1) l (x :: acc) | [] -> failwith O.name in
  let args, rest = take O.arity stack [] in
  O.apply args :: rest
let () =
  print_int (List.hd (List.fold_left exec [ 2; 3; 4 ] [ 0; 1; 2 ])); print_newline ();
  (try ignore (exec [ 1 ] 0) with Failure s -> print_endline ("failed: " ^ s))

let both : (string * (module BOTH)) list = [ "down", (module Down); "string", (module struct include String let show s = s end) ]
let () = List.iter (fun (n, (module B : BOTH)) -> ignore B.compare; print_endline n) both
include (val (module struct let name = "included" let arity = 0 let apply _ = 9 end) : OP)
let () = Printf.printf "%s %d %d\n" name arity (apply [])
let () =
  let open (val table.(1)) in
  Printf.printf "%s %d\n" name (apply [ 6; 7 ])
let choose b : (module ORD with type t = int) = if b then (module Int) else (module Down)
let () =
  let module O = (val choose false) in
  Printf.printf "%d %d\n" (O.compare 1 2) (let (module O) = choose true in O.compare 1 2)
module type T = sig type t val x : t val f : t -> string end
let coerce (m : (module BOTH with type t = int)) = (m :> (module BOTH))
let () = let (module S) = coerce (module Down) in print_int (List.length (List.sort S.compare [])); print_newline ()
