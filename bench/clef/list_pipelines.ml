(* Lists through `map`, `filter` and folds, with closures over the round. *)

let rec range lo hi = if lo > hi then [] else lo :: range (lo + 1) hi

let round k numbers =
  numbers
  |> List.map (fun x -> (x * ((2 * k) + 1)) land 0xffff)
  |> List.filter (fun x -> x land 3 <> 0)
  |> List.map (fun x -> x + k)
  |> List.mapi (fun i x -> if i land 1 = 0 then x else -x)
  |> List.fold_left ( + ) 0

let () =
  let numbers = range 1 1000 in
  let total = ref 0 in
  for k = 1 to 20_000 do
    total := (!total + round k numbers) land 0xffffff
  done;
  Printf.printf "%d\n" !total
