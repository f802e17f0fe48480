(* Regex by Brzozowski derivatives, with smart constructors and DFA construction in a Map. *)

type re =
  | Void
  | Eps
  | Chr of char
  | Cat of re * re
  | Or of re * re
  | Star of re
  | And of re * re
  | Not of re

let rec cat a b = match a, b with
  | Void, _ | _, Void -> Void
  | Eps, r | r, Eps -> r
  | Cat (x, y), z -> cat x (cat y z)
  | _ -> Cat (a, b)

let rec alt a b =
  match a, b with
  | Void, r | r, Void -> r
  | Or (x, y), z -> alt x (alt y z)
  | x, Or (y, z) when compare x y = 0 -> Or (y, z)
  | x, Or (y, z) when compare x y > 0 -> alt y (alt x z)
  | x, y ->
    let c = compare x y in
    if c = 0 then x else if c > 0 then Or (y, x) else Or (x, y)

let star = function Void | Eps -> Eps | Star _ as r -> r | r -> Star r
let neg = function Not r -> r | r -> Not r
let conj a b = match a, b with
  | Void, _ | _, Void -> Void
  | Not Void, r | r, Not Void -> r
  | a, b when a = b -> a
  | a, b -> And (a, b)

let rec nullable = function
  | Void | Chr _ -> false
  | Eps | Star _ -> true
  | Cat (a, b) | And (a, b) -> nullable a && nullable b
  | Or (a, b) -> nullable a || nullable b
  | Not r -> not (nullable r)

let rec deriv c = function
  | Void | Eps -> Void
  | Chr d -> if c = d then Eps else Void
  | Cat (a, b) ->
    let d = cat (deriv c a) b in
    if nullable a then alt d (deriv c b) else d
  | Or (a, b) -> alt (deriv c a) (deriv c b)
  | And (a, b) -> conj (deriv c a) (deriv c b)
  | Star r as s -> cat (deriv c r) s
  | Not r -> neg (deriv c r)

let matches r s =
  let rec go r i = if i = String.length s then nullable r else go (deriv s.[i] r) (i + 1) in
  go r 0

module RMap = Map.Make (struct type t = re let compare = compare end)

let dfa alphabet r =
  let rec explore states = function
    | [] -> states
    | r :: todo when RMap.mem r states -> explore states todo
    | r :: todo ->
      let states = RMap.add r (RMap.cardinal states) states in
      explore states (List.map (fun c -> deriv c r) alphabet @ todo) in
  let states = explore RMap.empty [ r ] in
  let table = Array.make_matrix (RMap.cardinal states) (List.length alphabet) 0 in
  let final = Array.make (RMap.cardinal states) false in
  RMap.iter (fun r i ->
      final.(i) <- nullable r;
      List.iteri (fun k c -> table.(i).(k) <- RMap.find (deriv c r) states) alphabet) states;
  (table, final)

let rec str s =
  if s = "" then Eps else cat (Chr s.[0]) (str (String.sub s 1 (String.length s - 1)))
let any l = List.fold_left (fun r c -> alt r (Chr c)) Void l
let all = star (any [ 'a'; 'b' ])

let () =
  let named = [
    "ends in abb", cat all (str "abb");
    "even number of a", star (alt (Chr 'b') (cat (Chr 'a') (cat (star (Chr 'b')) (Chr 'a'))));
    "no bb", neg (cat all (cat (str "bb") all));
    "has ab and ends a", conj (cat all (cat (str "ab") all)) (cat all (Chr 'a'));
    "exactly aba", str "aba";
  ] in
  let inputs = [ ""; "a"; "abb"; "aba"; "babb"; "bbaa"; "abab"; "aabba" ] in
  List.iter (fun (name, r) ->
      Printf.printf "%s:" name;
      List.iter (fun s -> if matches r s then Printf.printf " %S" s) inputs;
      let table, final = dfa [ 'a'; 'b' ] r in
      Printf.printf "\n  %d states\n" (Array.length table);
      Array.iteri (fun i row ->
          Printf.printf "  %d%c a->%d b->%d\n" i (if final.(i) then '*' else ' ') row.(0) row.(1))
        table) named
