(* Lists through `map`, `filter` and folds, with closures over the round. *)

let rec range lo hi = if lo > hi then [] else lo :: range (lo + 1) hi

let round k numbers =
  numbers
  |> List.map (fun x -> x * ((2 * k) + 1) land 0xffff)
  |> List.filter (fun x -> x land 3 <> 0)
  |> List.rev_map (fun x -> x + k)
  |> List.mapi (fun i x -> if i land 1 = 0 then x else -x)
  |> List.fold_left ( + ) 0

let pairs k numbers =
  List.combine numbers (List.rev numbers)
  |> List.filter (fun (a, _) -> (a + k) land 3 <> 0)
  |> List.map (fun (a, b) -> (a * k) lxor b)
  |> List.fold_left max 0

let () =
  let numbers = range 1 1000 in
  let total = ref 0 in
  for k = 1 to 28_000 do
    total := !total + round k numbers + pairs k numbers
  done;
  let words = List.map string_of_int (range 1 2000) in
  for _ = 1 to 50 do
    let sorted = List.sort compare words in
    total := !total + String.length (String.concat "," sorted)
  done;
  Printf.printf "%d\n" !total
