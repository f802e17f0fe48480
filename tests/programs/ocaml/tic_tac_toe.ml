(* Tic-tac-toe: exhaustive minimax with memoisation over board strings. *)

type player = X | O

let other = function X -> O | O -> X
let mark = function X -> 'x' | O -> 'o'

let lines = [ [ 0; 1; 2 ]; [ 3; 4; 5 ]; [ 6; 7; 8 ];
              [ 0; 3; 6 ]; [ 1; 4; 7 ]; [ 2; 5; 8 ];
              [ 0; 4; 8 ]; [ 2; 4; 6 ] ]

let wins p b = List.exists (List.for_all (fun i -> b.[i] = mark p)) lines
let full b = not (String.contains b '.')
let moves b = List.filter (fun i -> b.[i] = '.') [ 0; 1; 2; 3; 4; 5; 6; 7; 8 ]
let play p b i = String.mapi (fun j c -> if i = j then mark p else c) b

let memo : (string, int) Hashtbl.t = Hashtbl.create 1000

(* score from the point of view of the player to move *)
let rec score p b =
  let key = b ^ String.make 1 (mark p) in
  match Hashtbl.find_opt memo key with
  | Some s -> s
  | None ->
    let s =
      if wins (other p) b then -1
      else if full b then 0
      else List.fold_left (fun best i -> max best (- score (other p) (play p b i))) (-2) (moves b) in
    Hashtbl.add memo key s;
    s

let best p b =
  let scored = List.map (fun i -> (- score (other p) (play p b i), i)) (moves b) in
  List.fold_left (fun (s, i) (s', i') -> if s' > s then (s', i') else (s, i))
    (List.hd scored) (List.tl scored)

let show b =
  for r = 0 to 2 do
    Printf.printf "  %c %c %c\n" b.[3 * r] b.[3 * r + 1] b.[3 * r + 2]
  done

let rec game p b turn =
  if wins (other p) b then Printf.printf "%c wins\n" (mark (other p))
  else if full b then print_endline "draw"
  else begin
    let s, i = best p b in
    Printf.printf "turn %d: %c plays %d (score %+d)\n" turn (mark p) i s;
    let b = play p b i in
    show b;
    game (other p) b (turn + 1)
  end

let () =
  game X "xo......." 3;
  Printf.printf "positions after the first game: %d\n" (Hashtbl.length memo);
  List.iter (fun (p, b) ->
      let s, i = best p b in
      Printf.printf "%s %c -> %d (%d)\n" b (mark p) i s)
    [ (X, "xx.oo...."); (O, "xx.oo...."); (O, "x........"); (X, "xoxoxo..."); (O, "x...o...x") ]
