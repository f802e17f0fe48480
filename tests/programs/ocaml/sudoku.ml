(* Sudoku: bit masks, most-constrained-cell search, exception to leave the search. *)

exception Solved of int array

let parse s =
  Array.init 81 (fun i -> match s.[i] with '1' .. '9' as c -> Char.code c - 48 | _ -> 0)

let popcount n =
  let rec go n acc = if n = 0 then acc else go (n land (n - 1)) (acc + 1) in
  go n 0

let solve board =
  let rows = Array.make 9 0 and cols = Array.make 9 0 and boxes = Array.make 9 0 in
  let box i = i / 27 * 3 + i mod 9 / 3 in
  let toggle i v =
    let m = 1 lsl v in
    rows.(i / 9) <- rows.(i / 9) lxor m;
    cols.(i mod 9) <- cols.(i mod 9) lxor m;
    boxes.(box i) <- boxes.(box i) lxor m in
  let free i = lnot (rows.(i / 9) lor cols.(i mod 9) lor boxes.(box i)) land 0x3FE in
  Array.iteri (fun i v -> if v > 0 then toggle i v) board;
  let nodes = ref 0 in
  let rec search () =
    incr nodes;
    let best = ref (-1) and best_n = ref 10 in
    Array.iteri (fun i v ->
        if v = 0 then begin
          let n = popcount (free i) in
          if n < !best_n then begin best := i; best_n := n end
        end) board;
    if !best < 0 then raise (Solved (Array.copy board))
    else begin
      let i = !best in
      let m = free i in
      for v = 1 to 9 do
        if m land (1 lsl v) <> 0 then begin
          board.(i) <- v; toggle i v;
          search ();
          toggle i v; board.(i) <- 0
        end
      done
    end in
  match search () with
  | () -> (None, !nodes)
  | exception Solved b -> (Some b, !nodes)

let print b =
  for r = 0 to 8 do
    if r mod 3 = 0 && r > 0 then print_endline "------+-------+------";
    for c = 0 to 8 do
      if c mod 3 = 0 && c > 0 then print_string "| ";
      Printf.printf "%d%s" b.(r * 9 + c) (if c = 8 then "\n" else " ")
    done
  done

let () =
  let puzzles = [
    "easy", "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    "harder", "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..";
    "impossible", "55..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
  ] in
  List.iter (fun (name, p) ->
      match solve (parse p) with
      | Some b, nodes -> Printf.printf "%s: solved in %d nodes\n" name nodes; print b
      | None, nodes -> Printf.printf "%s: no solution (%d nodes)\n" name nodes)
    puzzles
