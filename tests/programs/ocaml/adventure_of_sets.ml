(* text adventure state machine + tokenizer via Seq + Map of sets + records with functional update *)
module SSet = Set.Make (String)
module SMap = Map.Make (String)
type dir = N | S | E | W
type room = { name : string; exits : (dir * string) list; items : SSet.t; visited : bool }
type game = { rooms : room SMap.t; here : string; bag : SSet.t; turn : int; log : string list }
type cmd = Go of dir | Take of string | Drop of string | Look | Inv | Quit | Unknown of string list
let dir_of = function "n" | "north" -> Some N | "s" | "south" -> Some S | "e" | "east" -> Some E | "w" | "west" -> Some W | _ -> None
let tokens s = String.to_seq s |> Seq.map Char.lowercase_ascii
  |> Seq.fold_left (fun (cur, acc) c -> if c = ' ' then ("", if cur = "" then acc else cur :: acc) else (cur ^ String.make 1 c, acc)) ("", [])
  |> fun (cur, acc) -> List.rev (if cur = "" then acc else cur :: acc)
let parse s = match tokens s with
  | [ "go"; d ] | [ d ] when dir_of d <> None -> Go (Option.get (dir_of d))
  | "take" :: (_ :: _ as rest) -> Take (String.concat " " rest)
  | "drop" :: (_ :: _ as rest) -> Drop (String.concat " " rest)
  | [ "look" ] | [ "l" ] -> Look | [ "inventory" | "inv" | "i" ] -> Inv | [ "quit" ] -> Quit
  | l -> Unknown l
let say fmt = Printf.ksprintf (fun s g -> { g with log = s :: g.log }) fmt
let update_room f g = { g with rooms = SMap.update g.here (Option.map f) g.rooms }
let room g = SMap.find g.here g.rooms
let describe g = let r = room g in
  g |> say "%s%s" r.name (if r.visited then "" else " (new)")
  |> (fun g -> if SSet.is_empty r.items then g else say "  items: %s" (String.concat ", " (SSet.elements r.items)) g)
  |> update_room (fun r -> { r with visited = true })
let step g c = let g = { g with turn = g.turn + 1 } in
  match c with
  | Go d -> (match List.assoc_opt d (room g).exits with Some r -> describe { g with here = r } | None -> say "no way" g)
  | Take i when SSet.mem i (room g).items -> { g with bag = SSet.add i g.bag } |> update_room (fun r -> { r with items = SSet.remove i r.items }) |> say "taken %s" i
  | Take i -> say "no %s here" i g
  | Drop i -> if SSet.mem i g.bag then { g with bag = SSet.remove i g.bag } |> update_room (fun r -> { r with items = SSet.add i r.items }) |> say "dropped" else say "you have no %S" i g
  | Look -> describe g
  | Inv -> say "bag: {%s}" (SSet.fold (fun i acc -> if acc = "" then i else acc ^ "; " ^ i) g.bag "") g
  | Quit -> say "bye after %d turns" g.turn g
  | Unknown l -> say "what is %s?" (match l with [] -> "that" | w :: _ -> Printf.sprintf "%S" w) g
let initial =
  let r name exits items = (name, { name; exits; items = SSet.of_list items; visited = false }) in
  { rooms = SMap.of_list [ r "hall" [ N, "attic"; E, "kitchen" ] [ "lamp" ]; r "attic" [ S, "hall" ] [ "old map"; "dust" ]; r "kitchen" [ W, "hall" ] [] ]; here = "hall"; bag = SSet.empty; turn = 0; log = [] }
let () =
  let script = [ "look"; "take lamp"; "TAKE  lamp"; "n"; "take old map"; "i"; "south"; "go east"; "drop old map"; "look"; "drop x"; "dance now"; ""; "w"; "w"; "quit" ] in
  let g = List.fold_left (fun g s -> step g (parse s)) initial script in
  List.iter print_endline (List.rev g.log);
  SMap.iter (fun k r -> Printf.printf "%s: %b %d\n" k r.visited (SSet.cardinal r.items)) g.rooms;
  let s1 = SSet.of_list [ "a"; "b"; "c" ] and s2 = SSet.of_list [ "b"; "d" ] in
  let p s = print_endline (String.concat "" (SSet.elements s)) in
  p (SSet.union s1 s2); p (SSet.inter s1 s2); p (SSet.diff s1 s2); Printf.printf "%b %b\n" (SSet.subset s2 s1) (SSet.disjoint s1 s2);
  let m = SMap.union (fun _ a b -> Some (a + b)) (SMap.of_list [ "x", 1; "y", 2 ]) (SMap.of_list [ "y", 3; "z", 4 ]) in
  SMap.iter (Printf.printf "%s=%d ") m; print_newline ();
  let l, v, r = SMap.split "y" m in Printf.printf "%d %s %d\n" (SMap.cardinal l) (match v with Some n -> string_of_int n | None -> "-") (SMap.cardinal r);
  print_endline (match SMap.find_first_opt (fun k -> k > "x") m with Some (k, v) -> k ^ string_of_int v | None -> "-");
  Seq.iter (fun (k, v) -> Printf.printf "%s%d;" k v) (SMap.to_rev_seq m); print_newline ();
  Printf.printf "%d\n" (compare g.rooms initial.rooms |> abs)
[@@ocaml.warning "-a"]
