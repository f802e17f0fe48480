(* DPLL satisfiability: unit propagation, pure literals, splitting, and model checking. *)

module IS = Set.Make (Int)

let simplify lit clauses =
  List.filter_map (fun c ->
      if List.mem lit c then None else Some (List.filter (fun l -> l <> -lit) c)) clauses

let decisions = ref 0

let rec dpll clauses model =
  if clauses = [] then Some model
  else if List.mem [] clauses then None
  else
    match List.find_opt (function [ _ ] -> true | _ -> false) clauses with
    | Some [ l ] -> dpll (simplify l clauses) (l :: model)
    | _ ->
      let lits = List.fold_left (fun s c -> List.fold_left (fun s l -> IS.add l s) s c) IS.empty clauses in
      match List.find_opt (fun l -> not (IS.mem (-l) lits)) (IS.elements lits) with
      | Some l -> dpll (simplify l clauses) (l :: model)
      | None ->
        incr decisions;
        let l = abs (IS.min_elt lits) in
        match dpll (simplify l clauses) (l :: model) with
        | Some m -> Some m
        | None -> dpll (simplify (-l) clauses) (-l :: model)

let check clauses model = List.for_all (List.exists (fun l -> List.mem l model)) clauses

(* pigeons in holes: variable p*h + j + 1 *)
let pigeons p h =
  let v i j = (i * h) + j + 1 in
  let range n = List.init n Fun.id in
  List.map (fun i -> List.map (v i) (range h)) (range p)
  @ List.concat_map (fun j ->
      List.concat_map (fun a -> List.filter_map (fun b -> if a < b then Some [ -v a j; -v b j ] else None) (range p)) (range p))
    (range h)

let () =
  List.iter (fun (name, cs) ->
      decisions := 0;
      match dpll cs [] with
      | Some m ->
        let m' = List.sort (fun a b -> compare (abs a) (abs b)) m in
        Printf.printf "%s: sat %s %b\n" name (String.concat " " (List.map string_of_int m')) (check cs m)
      | None -> Printf.printf "%s: unsat after %d decisions\n" name !decisions)
    [ "simple", [ [ 1; 2 ]; [ -1; 3 ]; [ -2; -3 ]; [ 2; 3 ] ]; "empty", []; "contradiction", [ [ 1 ]; [ -1 ] ];
      "xor", [ [ 1; 2 ]; [ -1; -2 ]; [ 1; 3 ]; [ -1; -3 ]; [ 2; 3 ]; [ -2; -3 ] ];
      "3 pigeons, 3 holes", pigeons 3 3; "4 pigeons, 3 holes", pigeons 4 3 ]
