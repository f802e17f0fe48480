(* Conway's Game of Life on a torus: a glider and a blinker. *)

let width = 24
let height = 10

type board = bool array array

let empty () : board = Array.make_matrix height width false

let place pattern row column board =
  List.iteri
    (fun r line ->
      String.iteri (fun c cell -> if cell = '#' then board.((row + r) mod height).((column + c) mod width) <- true) line)
    pattern

let neighbours board row column =
  let count = ref 0 in
  for r = -1 to 1 do
    for c = -1 to 1 do
      if (r <> 0 || c <> 0) && board.((row + r + height) mod height).((column + c + width) mod width) then incr count
    done
  done;
  !count

let step board =
  Array.mapi
    (fun row cells ->
      Array.mapi
        (fun column alive ->
          match neighbours board row column with
          | 3 -> true
          | 2 -> alive
          | _ -> false)
        cells)
    board

let show board =
  Array.iter (fun row -> print_endline (String.concat "" (List.map (fun it -> if it then "#" else ".") (Array.to_list row)))) board

let population board = Array.fold_left (Array.fold_left (fun sum alive -> if alive then sum + 1 else sum)) 0 board

let () =
  let board = empty () in
  place [ ".#."; "..#"; "###" ] 0 1 board;
  place [ "###" ] 4 16 board;
  let rec run generation board =
    if generation mod 8 = 0 then begin
      Printf.printf "generation %d, %d alive\n" generation (population board);
      show board
    end;
    if generation < 16 then run (generation + 1) (step board)
  in
  run 0 board
