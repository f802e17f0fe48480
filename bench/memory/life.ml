(* Conway's life on an unbounded board, as a list of living cells: a glider, and a blinker far away. rounds: 200, full: 100000 *)
module Cells = Set.Make (struct
  type t = int * int

  let compare = compare
end)

let neighbours (x, y) =
  List.concat_map
    (fun dx -> List.filter_map (fun dy -> if dx = 0 && dy = 0 then None else Some (x + dx, y + dy)) [ -1; 0; 1 ])
    [ -1; 0; 1 ]

let alive board cell = Cells.mem cell board

let next board =
  let lives cell =
    let count = List.length (List.filter (alive board) (neighbours cell)) in
    count = 3 || (count = 2 && alive board cell)
  in
  let near = Cells.fold (fun cell all -> List.fold_left (fun s c -> Cells.add c s) all (neighbours cell)) board board in
  Cells.filter lives near

let () =
  let n = int_of_string Sys.argv.(1) in
  let start = Cells.of_list [ (1, 0); (2, 1); (0, 2); (1, 2); (2, 2); (0, -10); (1, -10); (2, -10) ] in
  let rec run n board = if n = 0 then board else run (n - 1) (next board) in
  let board = run n start in
  Printf.printf "%d cells, last at %d\n" (Cells.cardinal board) (fst (Cells.max_elt board))
