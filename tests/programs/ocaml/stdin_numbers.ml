(* Reads integers until end of input with input_char; prints totals and a bar chart. *)

let read_ints () =
  let rec go acc cur neg seen =
    match input_char stdin with
    | exception End_of_file -> List.rev (flush acc cur neg seen)
    | '0' .. '9' as c -> go acc (cur * 10 + Char.code c - 48) neg true
    | '-' -> go (flush acc cur neg seen) 0 true false
    | _ -> go (flush acc cur neg seen) 0 false false
  and flush acc cur neg seen = if seen then (if neg then -cur else cur) :: acc else acc in
  go [] 0 false false

let () =
  let l = read_ints () in
  Printf.printf "count %d\n" (List.length l);
  match l with
  | [] -> print_endline "empty"
  | x :: _ ->
    Printf.printf "sum %d min %d max %d first %d\n" (List.fold_left ( + ) 0 l)
      (List.fold_left min x l) (List.fold_left max x l) x;
    List.iter (fun n -> Printf.printf "%4d %s\n" n (String.make (abs n) (if n < 0 then '-' else '+'))) l
