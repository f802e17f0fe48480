(* A loop with functional state: a record with a map and a queue. rounds: 5000 *)
module Ints = Map.Make (Int)

type state = { tick : int; scores : int Ints.t; waiting : int list * int list; log : string }

let push (front, back) x = (front, x :: back)

let pop = function
  | x :: front, back -> Some (x, (front, back))
  | [], back -> (
      match List.rev back with
      | [] -> None
      | x :: front -> Some (x, (front, [])))

let step state =
  let player = state.tick * 7919 mod 101 in
  let old = Option.value ~default:0 (Ints.find_opt player state.scores) in
  let scores = Ints.add player ((old + state.tick) mod 1000) state.scores in
  let scores = if Ints.cardinal scores > 50 then Ints.remove (fst (Ints.min_binding scores)) scores else scores in
  let waiting = push state.waiting player in
  let waiting =
    if state.tick mod 3 <> 0 then
      match pop waiting with
      | Some (_, rest) -> rest
      | None -> waiting
    else waiting
  in
  let waiting = if List.length (snd waiting) > 100 then ([], []) else waiting in
  { tick = state.tick + 1; scores; waiting; log = "tick " ^ string_of_int state.tick }

let rec run n state = if n = 0 then state else run (n - 1) (step state)

let () =
  let n = int_of_string Sys.argv.(1) in
  let last = run n { tick = 0; scores = Ints.empty; waiting = ([], []); log = "" } in
  Printf.printf "%d %s %d\n" last.tick last.log (Ints.fold (fun _ v sum -> sum + v) last.scores 0)
