(* A text adventure: world as records and maps, command parser, game state threaded functionally; input from stdin. *)

module SM = Map.Make (String)
module SS = Set.Make (String)

type dir = North | South | East | West | Up | Down

type item = { id : string; desc : string; weight : int; light : bool }

type exit_ = { target : string; locked_by : string option }

type room = { title : string; text : string; exits : (dir * exit_) list; dark : bool }

type state = {
  here : string;
  carrying : SS.t;
  where : string SM.t;         (* item -> room *)
  unlocked : (string * dir) list;
  visited : SS.t;
  moves : int;
  score : int;
  over : bool;
}

let dir_of_string = function
  | "north" | "n" -> Some North
  | "south" | "s" -> Some South
  | "east" | "e" -> Some East
  | "west" | "w" -> Some West
  | "up" | "u" -> Some Up
  | "down" | "d" -> Some Down
  | _ -> None

let string_of_dir = function
  | North -> "north" | South -> "south" | East -> "east"
  | West -> "west" | Up -> "up" | Down -> "down"

let items =
  List.fold_left (fun m i -> SM.add i.id i m) SM.empty
    [ { id = "lamp"; desc = "a brass lamp, still warm"; weight = 2; light = true };
      { id = "key"; desc = "an iron key"; weight = 1; light = false };
      { id = "anvil"; desc = "an anvil, absurdly heavy"; weight = 50; light = false };
      { id = "crown"; desc = "a thin gold crown"; weight = 3; light = false };
      { id = "bread"; desc = "half a loaf"; weight = 1; light = false } ]

let go ?lock target = { target; locked_by = lock }

let rooms =
  SM.of_seq (List.to_seq [
      "meadow", { title = "Meadow"; text = "Long grass by a slow river."; dark = false;
                  exits = [ (North, go "mill"); (East, go "bridge") ] };
      "mill", { title = "Old mill"; text = "The wheel has not turned for years."; dark = false;
                exits = [ (South, go "meadow"); (Down, go "cellar") ] };
      "cellar", { title = "Cellar"; text = "Casks, cobwebs and a low door to the east."; dark = true;
                  exits = [ (Up, go "mill"); (East, go ~lock:"key" "vault") ] };
      "vault", { title = "Vault"; text = "Shelves line the walls."; dark = true; exits = [ (West, go "cellar") ] };
      "bridge", { title = "Bridge"; text = "Planks over brown water."; dark = false;
                  exits = [ (West, go "meadow") ] } ])

let start = {
  here = "meadow"; carrying = SS.empty;
  where = SM.of_seq (List.to_seq [ "lamp", "mill"; "key", "bridge"; "anvil", "mill"; "crown", "vault"; "bread", "meadow" ]);
  unlocked = []; visited = SS.empty; moves = 0; score = 0; over = false }

type command =
  | Go of dir
  | Look
  | Take of string
  | Drop of string
  | Unlock of dir
  | Inventory
  | Examine of string
  | Quit
  | Unknown of string

let parse line =
  let words =
    String.split_on_char ' ' (String.lowercase_ascii (String.trim line))
    |> List.filter (fun w -> not (List.mem w [ ""; "the"; "a"; "an"; "to" ])) in
  match words with
  | [] -> Unknown ""
  | [ ("look" | "l") ] -> Look
  | [ ("inventory" | "i" | "inv") ] -> Inventory
  | [ ("quit" | "q") ] -> Quit
  | [ ("take" | "get"); x ] | [ "pick"; "up"; x ] -> Take x
  | [ ("drop" | "leave"); x ] -> Drop x
  | [ ("examine" | "x"); x ] -> Examine x
  | [ "unlock"; d ] as ws -> (match dir_of_string d with Some d -> Unlock d | None -> Unknown (String.concat " " ws))
  | [ "go"; d ] | [ d ] when dir_of_string d <> None -> Go (Option.get (dir_of_string d))
  | ws -> Unknown (String.concat " " ws)

let say fmt = Printf.printf (fmt ^^ "\n")

let room st = SM.find st.here rooms
let here st = SM.fold (fun i r acc -> if r = st.here then i :: acc else acc) st.where [] |> List.rev
let has_light st = SS.exists (fun i -> (SM.find i items).light) st.carrying
let can_see st = (not (room st).dark) || has_light st
let load st = SS.fold (fun i n -> n + (SM.find i items).weight) st.carrying 0

let describe st =
  let r = room st in
  say "** %s **" r.title;
  if can_see st then begin
    print_endline r.text;
    List.iter (fun i -> say "There is %s here." (SM.find i items).desc) (here st);
    say "Exits: %s" (String.concat ", " (List.map (fun (d, _) -> string_of_dir d) r.exits))
  end else print_endline "It is too dark to see."

let arrive st =
  describe st;
  if SS.mem st.here st.visited then st
  else { st with visited = SS.add st.here st.visited; score = st.score + 5 }

let exec st = function
  | Look -> describe st; st
  | Quit -> { st with over = true }
  | Unknown "" -> say "Say something."; st
  | Unknown s -> say "I do not understand \"%s\"." s; st
  | Inventory ->
    if SS.is_empty st.carrying then say "You carry nothing."
    else SS.iter (fun i -> say "- %s" (SM.find i items).desc) st.carrying;
    st
  | Go d ->
    (match List.assoc_opt d (room st).exits with
     | None -> say "You cannot go %s." (string_of_dir d); st
     | Some { locked_by = Some _; _ } when not (List.mem (st.here, d) st.unlocked) -> say "It is locked."; st
     | Some { target; _ } -> arrive { st with here = target })
  | Unlock d ->
    (match List.assoc_opt d (room st).exits with
     | None | Some { locked_by = None; _ } -> say "There is no lock."; st
     | Some { locked_by = Some k; _ } ->
       if not (can_see st) then (say "You fumble in the dark."; st)
       else if SS.mem k st.carrying then begin
         say "Click.";
         { st with unlocked = (st.here, d) :: st.unlocked; score = st.score + 10 }
       end else (say "You have no %s." k; st))
  | Take x ->
    if not (List.mem x (here st)) then (say "No %s here." x; st)
    else if not (can_see st) then (say "You cannot see it."; st)
    else begin
      let i = SM.find x items in
      if load st + i.weight > 20 then (say "The %s is too heavy." x; st)
      else begin
        say "Taken.";
        let score = if x = "crown" then st.score + 50 else st.score in
        { st with carrying = SS.add x st.carrying; where = SM.remove x st.where; score }
      end
    end
  | Drop x ->
    if SS.mem x st.carrying then begin
      say "Dropped.";
      { st with carrying = SS.remove x st.carrying; where = SM.add x st.here st.where }
    end else (say "You have no %s." x; st)
  | Examine x ->
    (match SM.find_opt x items with
     | Some i when SS.mem x st.carrying || List.mem x (here st) ->
       say "You see %s (weight %d)." i.desc i.weight; st
     | _ -> say "You see no %s." x; st)

let rec loop st =
  if st.over then st
  else
    match read_line () with
    | exception End_of_file -> st
    | line ->
      say "> %s" line;
      let st = exec st (parse line) in
      loop { st with moves = st.moves + 1 }

let () =
  let st = loop (arrive start) in
  say "You scored %d in %d moves, visiting %d of %d rooms." st.score st.moves (SS.cardinal st.visited) (SM.cardinal rooms);
  exit (if SS.mem "crown" st.carrying then 0 else 1)
