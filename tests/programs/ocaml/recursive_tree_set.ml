(* Recursive modules: a tree with sets of trees, as in OCaml's manual, and maps keyed by them. *)
module rec A : sig
  type t = Leaf of string | Node of ASet.t
  val compare : t -> t -> int
  val depth : t -> int
  val show : t -> string
end = struct
  type t = Leaf of string | Node of ASet.t
  let compare t1 t2 =
    match (t1, t2) with
    | Leaf s1, Leaf s2 -> Stdlib.compare s1 s2
    | Leaf _, Node _ -> 1
    | Node _, Leaf _ -> -1
    | Node n1, Node n2 -> ASet.compare n1 n2
  let rec depth = function
    | Leaf _ -> 0
    | Node s -> 1 + ASet.fold (fun t d -> max d (depth t)) s 0
  let rec show = function
    | Leaf s -> s
    | Node s -> "{" ^ String.concat "," (List.map show (ASet.elements s)) ^ "}"
end
and ASet : Set.S with type elt = A.t = Set.Make (A)

let leaf s = A.Leaf s
let node l = A.Node (ASet.of_list l)
let t = node [ leaf "b"; node [ leaf "c"; leaf "a"; leaf "c" ]; leaf "b"; node [] ]
let () = Printf.printf "%s %d\n" (A.show t) (A.depth t)
let s = ASet.of_list [ t; leaf "z"; node []; t ]
let () = print_endline (String.concat " | " (List.map A.show (ASet.elements s)))

module rec Json : sig
  type t = Null | Num of int | Arr of t list | Obj of t Fields.t
  val show : t -> string
  val size : t -> int
end = struct
  type t = Null | Num of int | Arr of t list | Obj of t Fields.t
  let rec show = function
    | Null -> "null"
    | Num n -> string_of_int n
    | Arr l -> "[" ^ String.concat "," (List.map show l) ^ "]"
    | Obj m -> "{" ^ String.concat "," (List.map (fun (k, v) -> k ^ ":" ^ show v) (Fields.bindings m)) ^ "}"
  let rec size = function
    | Null | Num _ -> 1
    | Arr l -> List.fold_left (fun n x -> n + size x) 1 l
    | Obj m -> Fields.fold (fun _ x n -> n + size x) m 1
end
and Fields : Map.S with type key = string = Map.Make (String)
let j = Json.(Obj (Fields.add "b" (Arr [ Num 1; Null ]) (Fields.add "a" (Obj Fields.empty) Fields.empty)))
let () = Printf.printf "%s %d\n" (Json.show j) (Json.size j)

(* Keys of maps that contain maps of themselves. *)
module rec Key : sig
  type t = K of int | In of int M.t
  val compare : t -> t -> int
end = struct
  type t = K of int | In of int M.t
  let compare a b =
    match (a, b) with
    | K a, K b -> Int.compare a b
    | K _, In _ -> -1
    | In _, K _ -> 1
    | In a, In b -> M.compare Int.compare a b
end
and M : Map.S with type key = Key.t = Map.Make (Key)
let () =
  let m1 = M.add (Key.K 1) 10 M.empty in
  let m2 = M.add (Key.In m1) 20 (M.add (Key.In M.empty) 5 m1) in
  Printf.printf "%d %d %b\n" (M.cardinal m2) (M.find (Key.In (M.add (Key.K 1) 10 M.empty)) m2) (M.mem (Key.K 2) m2)
