(* Queens on a board, with lists and with bits. *)

let rec safe column distance = function
  | [] -> true
  | other :: rest ->
      column <> other
      && abs (column - other) <> distance
      && safe column (distance + 1) rest

let solve_lists n =
  let rec place row queens =
    if row = n then 1
    else
      let count = ref 0 in
      for column = 0 to n - 1 do
        if safe column 1 queens then count := !count + place (row + 1) (column :: queens)
      done;
      !count
  in
  place 0 []

let solve_bits n =
  let all = (1 lsl n) - 1 in
  let rec place columns left right =
    if columns = all then 1
    else
      let rec each free count =
        if free = 0 then count
        else
          let bit = free land -free in
          let found =
            place (columns lor bit) ((left lor bit) lsl 1) ((right lor bit) lsr 1)
          in
          each (free land lnot bit) (count + found)
      in
      each (all land lnot (columns lor left lor right)) 0
  in
  place 0 0 0

let () = Printf.printf "%d %d\n" (solve_lists 12) (solve_bits 15)
