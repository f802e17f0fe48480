(* Persistent arrays: random-access lists (skew binary) and Baker's version tree. *)

(* skew binary random-access list *)
type 'a tree = Leaf of 'a | Node of 'a * 'a tree * 'a tree
type 'a ral = (int * 'a tree) list

let cons x = function
  | (w1, t1) :: (w2, t2) :: rest when w1 = w2 -> (1 + w1 + w2, Node (x, t1, t2)) :: rest
  | l -> (1, Leaf x) :: l

let rec tree_get w t i =
  match t with
  | Leaf x -> if i = 0 then x else raise Not_found
  | Node (x, l, r) ->
    if i = 0 then x
    else
      let half = w / 2 in
      if i <= half then tree_get half l (i - 1) else tree_get half r (i - 1 - half)

let rec get l i =
  match l with
  | [] -> raise Not_found
  | (w, t) :: rest -> if i < w then tree_get w t i else get rest (i - w)

let rec tree_set w t i v =
  match t with
  | Leaf _ -> if i = 0 then Leaf v else raise Not_found
  | Node (x, l, r) ->
    if i = 0 then Node (v, l, r)
    else
      let half = w / 2 in
      if i <= half then Node (x, tree_set half l (i - 1) v, r)
      else Node (x, l, tree_set half r (i - 1 - half) v)

let rec set l i v =
  match l with
  | [] -> raise Not_found
  | (w, t) :: rest -> if i < w then (w, tree_set w t i v) :: rest else (w, t) :: set rest (i - w) v

(* Baker's trick *)
type 'a pa = 'a data ref
and 'a data = Arr of 'a array | Diff of int * 'a * 'a pa

let init n f = ref (Arr (Array.init n f))

let rec reroot t =
  match !t with
  | Arr a -> a
  | Diff (i, v, t') ->
    let a = reroot t' in
    let old = a.(i) in
    a.(i) <- v;
    t := Arr a;
    t' := Diff (i, old, t);
    a

let pget t i = (reroot t).(i)

let pset t i v =
  let a = reroot t in
  let old = a.(i) in
  a.(i) <- v;
  let res = ref (Arr a) in
  t := Diff (i, old, res);
  res

let () =
  let l = List.fold_right cons (List.init 20 (fun i -> i * i)) [] in
  Printf.printf "weights: %s\n" (String.concat " " (List.map (fun (w, _) -> string_of_int w) l));
  let l' = set l 7 (-1) in
  Printf.printf "%d %d %d %d\n" (get l 7) (get l' 7) (get l 19) (get l' 0);
  (try ignore (get l 20) with Not_found -> print_endline "out of range");
  let a = init 5 (fun i -> i) in
  let b = pset a 2 20 in
  let c = pset b 3 30 in
  let d = pset a 0 99 in
  let show t = String.concat "," (List.init 5 (fun i -> string_of_int (pget t i))) in
  Printf.printf "a=%s b=%s c=%s d=%s\n" (show a) (show b) (show c) (show d);
  Printf.printf "a=%s again\n" (show a);
  (try ignore (pget a 5) with Invalid_argument m -> print_endline m)
