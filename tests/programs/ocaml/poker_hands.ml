(* Poker hands: parsing cards, classification by grouping, comparing hands, a deterministic deal. *)

type suit = Clubs | Diamonds | Hearts | Spades
type card = { rank : int; suit : suit }
type hand =
  | High_card of int list
  | Pair of int * int list
  | Two_pair of int * int * int
  | Three of int * int list
  | Straight of int
  | Flush of int list
  | Full_house of int * int
  | Four of int * int
  | Straight_flush of int

let ranks = "23456789TJQKA"
let parse s =
  { rank = String.index ranks s.[0] + 2;
    suit = (match s.[1] with 'C' -> Clubs | 'D' -> Diamonds | 'H' -> Hearts | 'S' -> Spades | c -> failwith (Printf.sprintf "suit %c" c)) }

let group l =
  List.sort_uniq compare l
  |> List.map (fun r -> (List.length (List.filter (( = ) r) l), r))
  |> List.sort (fun a b -> compare b a)

let straight = function
  | [ 14; 5; 4; 3; 2 ] -> Some 5
  | a :: _ as l when List.mapi (fun i _ -> a - i) l = l -> Some a
  | _ -> None

let classify cards =
  let rs = List.sort (fun a b -> compare b a) (List.map (fun c -> c.rank) cards) in
  let flush = match cards with [] -> false | c :: t -> List.for_all (fun d -> d.suit = c.suit) t in
  match group rs, straight rs with
  | _, Some top when flush -> Straight_flush top
  | [ (4, a); (1, b) ], _ -> Four (a, b)
  | [ (3, a); (2, b) ], _ -> Full_house (a, b)
  | _ when flush -> Flush rs
  | _, Some top -> Straight top
  | (3, a) :: rest, _ -> Three (a, List.map snd rest)
  | [ (2, a); (2, b); (1, c) ], _ -> Two_pair (a, b, c)
  | (2, a) :: rest, _ -> Pair (a, List.map snd rest)
  | _ -> High_card rs

let name = function
  | High_card _ -> "high card" | Pair _ -> "pair" | Two_pair _ -> "two pair" | Three _ -> "three of a kind"
  | Straight _ -> "straight" | Flush _ -> "flush" | Full_house _ -> "full house" | Four _ -> "four of a kind"
  | Straight_flush 14 -> "royal flush" | Straight_flush _ -> "straight flush"

let hand s = classify (List.map parse (String.split_on_char ' ' s))

let () =
  let hands = [ "2H 3D 5S 9C KD"; "2H 2D 5S 9C KD"; "2H 2D 5S 5C KD"; "2H 2D 2S 5C KD"; "AH 2D 3S 4C 5D"; "2H 9H 5H JH KH";
                "2H 2D 2S KC KD"; "7H 7D 7S 7C KD"; "9S TS JS QS KS"; "TS JS QS KS AS"; "3H 3D 5S 9C KD" ] in
  List.iter (fun s -> Printf.printf "%s: %s\n" s (name (hand s))) hands;
  let best = List.sort (fun a b -> compare (hand b) (hand a)) hands in
  print_endline (String.concat "\n" (List.filteri (fun i _ -> i < 4) best));
  (try ignore (hand "2X 3D 5S 9C KD") with Failure m -> print_endline m);
  (try ignore (hand "1H 3D 5S 9C KD") with Not_found -> print_endline "bad rank");
  let counts = Hashtbl.create 9 in
  let seed = ref 99 in
  for _ = 1 to 300 do
    let deck = Array.init 52 Fun.id in
    let cards = List.init 5 (fun i ->
        seed := ((!seed * 1664525) + 1013904223) land 0xFFFFFFFF;
        let j = i + ((!seed lsr 8) mod (52 - i)) in
        let c = deck.(j) in
        deck.(j) <- deck.(i);
        { rank = (c mod 13) + 2; suit = [| Clubs; Diamonds; Hearts; Spades |].(c / 13) }) in
    let k = name (classify cards) in
    Hashtbl.replace counts k (1 + Option.value ~default:0 (Hashtbl.find_opt counts k))
  done;
  Hashtbl.fold (fun k n l -> (n, k) :: l) counts [] |> List.sort (fun a b -> compare b a)
  |> List.iter (fun (n, k) -> Printf.printf "%3d %s\n" n k)
