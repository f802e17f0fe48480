(* Map colouring by backtracking and greedily, over string-keyed adjacency lists. *)

let borders = [
  "WA", [ "NT"; "SA" ]; "NT", [ "WA"; "SA"; "QL" ]; "SA", [ "WA"; "NT"; "QL"; "NS"; "VI" ];
  "QL", [ "NT"; "SA"; "NS" ]; "NS", [ "QL"; "SA"; "VI" ]; "VI", [ "SA"; "NS" ]; "TA", [] ]

let colours = [ "red"; "green"; "blue" ]

let ok assignment region colour =
  List.for_all (fun n -> List.assoc_opt n assignment <> Some colour) (List.assoc region borders)

let tried = ref 0

let rec solve colours assignment = function
  | [] -> Some (List.rev assignment)
  | r :: rest ->
    List.fold_left (fun found c ->
        match found with
        | Some _ -> found
        | None ->
          incr tried;
          if ok assignment r c then solve colours ((r, c) :: assignment) rest else None)
      None colours

let count colours =
  let rec go assignment = function
    | [] -> 1
    | r :: rest ->
      List.fold_left (fun n c -> if ok assignment r c then n + go ((r, c) :: assignment) rest else n) 0 colours in
  go [] (List.map fst borders)

let () =
  (match solve colours [] (List.map fst borders) with
   | Some a -> List.iter (fun (r, c) -> Printf.printf "%s %s\n" r c) a
   | None -> print_endline "impossible");
  Printf.printf "%d tried\n" !tried;
  Printf.printf "with 3 colours: %d ways, with 2: %d\n" (count colours) (count [ "a"; "b" ]);
  match solve [ "x"; "y" ] [] (List.map fst borders) with
  | Some _ -> print_endline "?"
  | None -> print_endline "two are not enough"
