(* 2048 played by a fixed strategy, tiles placed by an own generator. *)

let seed = ref 12345
let rand n =
  seed := (!seed * 1103515245 + 12345) land 0x7FFFFFFF;
  (!seed lsr 8) mod n

type dir = Left | Right | Up | Down

let rec merge = function
  | a :: b :: rest when a = b -> let l, s = merge rest in (2 * a :: l, s + 2 * a)
  | a :: rest -> let l, s = merge rest in (a :: l, s)
  | [] -> ([], 0)

let slide row =
  let l, s = merge (List.filter (( <> ) 0) row) in
  (List.init 4 (fun i -> match List.nth_opt l i with Some x -> x | None -> 0), s)

let rec transpose = function
  | [] | [] :: _ -> []
  | rows -> List.map List.hd rows :: transpose (List.map List.tl rows)

let move dir board =
  let go rows =
    let parts = List.map slide rows in
    (List.map fst parts, List.fold_left (fun a (_, s) -> a + s) 0 parts) in
  match dir with
  | Left -> go board
  | Right -> let b, s = go (List.map List.rev board) in (List.map List.rev b, s)
  | Up -> let b, s = go (transpose board) in (transpose b, s)
  | Down ->
    let b, s = go (List.map List.rev (transpose board)) in
    (transpose (List.map List.rev b), s)

let add_tile board =
  let empty =
    List.concat (List.mapi (fun r row ->
        List.concat (List.mapi (fun c v -> if v = 0 then [ (r, c) ] else []) row)) board) in
  match empty with
  | [] -> board
  | _ ->
    let (r, c) = List.nth empty (rand (List.length empty)) in
    let v = if rand 10 = 0 then 4 else 2 in
    List.mapi (fun i row -> if i <> r then row
                else List.mapi (fun j x -> if j = c then v else x) row) board

let print board =
  List.iter (fun row ->
      print_endline (String.concat "" (List.map (fun v ->
          if v = 0 then "    ." else Printf.sprintf "%5d" v) row))) board

let rec play board score moves =
  let options =
    List.filter_map (fun d ->
        let b, s = move d board in
        if b = board then None else Some (b, s)) [ Left; Down; Right; Up ] in
  match options with
  | [] -> (board, score, moves)
  | first :: rest ->
    (* greedy: the first strictly best gain *)
    let b, s = List.fold_left (fun (b, s) (b', s') -> if s' > s then (b', s') else (b, s)) first rest in
    if moves mod 50 = 0 then Printf.printf "move %d, score %d\n" moves score;
    play (add_tile b) (score + s) (moves + 1)

let () =
  let empty = List.init 4 (fun _ -> List.init 4 (fun _ -> 0)) in
  let board, score, moves = play (add_tile (add_tile empty)) 0 0 in
  Printf.printf "over after %d moves, score %d, best tile %d\n" moves score
    (List.fold_left (List.fold_left max) 0 board);
  print board;
  List.iter (fun row ->
      let l, s = slide row in
      Printf.printf "%s -> %s +%d\n" (String.concat "," (List.map string_of_int row))
        (String.concat "," (List.map string_of_int l)) s)
    [ [ 2; 2; 2; 2 ]; [ 4; 0; 4; 8 ]; [ 2; 4; 8; 16 ]; [ 0; 0; 0; 2 ] ]
