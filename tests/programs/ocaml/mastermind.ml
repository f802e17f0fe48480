(* Mastermind: codes as lists, feedback, a consistent-candidate solver. *)

type colour = Red | Green | Blue | Yellow | White | Black

let all = [ Red; Green; Blue; Yellow; White; Black ]

let letter = function
  | Red -> 'R' | Green -> 'G' | Blue -> 'B'
  | Yellow -> 'Y' | White -> 'W' | Black -> 'K'

let of_letter c =
  match List.find_opt (fun x -> letter x = c) all with
  | Some x -> x
  | None -> invalid_arg (Printf.sprintf "of_letter: %c" c)

let show code = String.of_seq (Seq.map letter (List.to_seq code))
let read s = List.map of_letter (List.of_seq (String.to_seq s))

let count x l = List.length (List.filter (( = ) x) l)

let feedback secret guess =
  let exact = List.fold_left2 (fun n a b -> if a = b then n + 1 else n) 0 secret guess in
  let common = List.fold_left (fun n c -> n + min (count c secret) (count c guess)) 0 all in
  (exact, common - exact)

let rec codes n =
  if n = 0 then [ [] ]
  else
    let rest = codes (n - 1) in
    List.concat_map (fun c -> List.map (fun r -> c :: r) rest) all

let pick candidates k = List.nth candidates (k mod List.length candidates)

let solve secret =
  let rec go turn candidates =
    let guess = if turn = 1 then read "RRGG" else pick candidates (turn * 7) in
    let (b, w) as fb = feedback secret guess in
    Printf.printf "  %d. %s  %d black %d white (%d candidates)\n" turn (show guess) b w
      (List.length candidates);
    if b = 4 then turn
    else go (turn + 1) (List.filter (fun c -> feedback c guess = fb) candidates) in
  go 1 (codes 4)

let () =
  let turns =
    List.map (fun s -> Printf.printf "secret %s\n" s; solve (read s))
      [ "BYWK"; "GRKB" ] in
  Printf.printf "turns: %s, worst %d\n"
    (String.concat " " (List.map string_of_int turns))
    (List.fold_left max 0 turns);
  (try ignore (read "RGX") with Invalid_argument m -> print_endline m)
