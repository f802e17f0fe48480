(* A solver for clauses by splitting, with assignments as persistent maps. *)

module M = Map.Make (Int)

type outcome = Satisfied | Conflict | Unit of int | Open of int

let value model literal =
  match M.find_opt (abs literal) model with None -> None | Some b -> Some (b = (literal > 0))

let look model clause =
  let rec go unknown count = function
    | [] -> if count = 0 then Conflict else if count = 1 then Unit unknown else Open unknown
    | l :: rest -> (
        match value model l with
        | Some true -> Satisfied
        | Some false -> go unknown count rest
        | None -> go l (count + 1) rest)
  in
  go 0 0 clause

let rec propagate model clauses =
  let rec go model kept changed choice = function
    | [] -> if changed then propagate model kept else Some (model, kept, choice)
    | c :: rest -> (
        match look model c with
        | Satisfied -> go model kept changed choice rest
        | Conflict -> None
        | Unit l -> go (M.add (abs l) (l > 0) model) kept true choice rest
        | Open l -> go model (c :: kept) changed l rest)
  in
  go model [] false 0 clauses

let splits = ref 0

let rec solve model clauses =
  match propagate model clauses with
  | None -> None
  | Some (model, [], _) -> Some model
  | Some (model, clauses, l) -> (
      incr splits;
      match solve (M.add (abs l) (l > 0) model) clauses with
      | Some _ as it -> it
      | None -> solve (M.add (abs l) (l < 0) model) clauses)

let seed = ref 5
let random n =
  seed := ((!seed * 1103515245) + 12345) land 0x3fffffff;
  (!seed lsr 8) mod n

let () =
  let literal n = let v = 1 + random n in if random 2 = 0 then v else -v in
  let good = ref 0 in
  for _ = 1 to 60 do
    let clauses = List.init 190 (fun _ -> let a = literal 45 in let b = literal 45 in [ a; b; literal 45 ]) in
    if solve M.empty clauses <> None then incr good
  done;
  Printf.printf "%d %d\n" !good !splits
