(* Conway's life on a torus with arrays, and on an unbounded plane with a Set of cells. *)

let width = 16 and height = 8

let step grid =
  let alive r c = grid.((r + height) mod height).((c + width) mod width) in
  Array.init height (fun r ->
      Array.init width (fun c ->
          let n = ref 0 in
          for dr = -1 to 1 do
            for dc = -1 to 1 do
              if (dr <> 0 || dc <> 0) && alive (r + dr) (c + dc) then incr n
            done
          done;
          match alive r c, !n with
          | true, (2 | 3) -> true
          | false, 3 -> true
          | _ -> false))

let of_strings rows =
  let g = Array.make_matrix height width false in
  List.iteri (fun r s -> String.iteri (fun c ch -> g.(r).(c) <- ch = '#') s) rows;
  g

let print grid =
  Array.iter (fun row ->
      print_endline (String.init width (fun c -> if row.(c) then '#' else '.'))) grid

let population = Array.fold_left (Array.fold_left (fun n b -> if b then n + 1 else n)) 0

module Cell = struct
  type t = int * int
  let compare (a, b) (c, d) = match compare a c with 0 -> compare b d | n -> n
end
module Cells = Set.Make (Cell)
module Counts = Map.Make (Cell)

let neighbours (r, c) =
  [ (r - 1, c - 1); (r - 1, c); (r - 1, c + 1); (r, c - 1);
    (r, c + 1); (r + 1, c - 1); (r + 1, c); (r + 1, c + 1) ]

let evolve cells =
  let bump m p = Counts.update p (function None -> Some 1 | Some n -> Some (n + 1)) m in
  let counts =
    Cells.fold (fun p m -> List.fold_left bump m (neighbours p)) cells Counts.empty in
  Counts.fold (fun p n acc ->
      if n = 3 || (n = 2 && Cells.mem p cells) then Cells.add p acc else acc)
    counts Cells.empty

let () =
  let g = ref (of_strings [ ".#."; "..#"; "###" ]) in
  for i = 0 to 8 do
    if i mod 4 = 0 then begin
      Printf.printf "generation %d, population %d\n" i (population !g);
      print !g
    end;
    g := step !g
  done;
  (* the R-pentomino grows *)
  let r = Cells.of_list [ (0, 1); (0, 2); (1, 0); (1, 1); (2, 1) ] in
  let rec run n cells =
    if n mod 10 = 0 then Printf.printf "%d: %d cells\n" n (Cells.cardinal cells);
    if n < 40 then run (n + 1) (evolve cells) in
  run 0 r
