(* Prefix trie with a Map of children: insertion, completion, longest prefix, deletion. *)

module CMap = Map.Make (Char)

type t = { word : bool; next : t CMap.t; count : int }

let empty = { word = false; next = CMap.empty; count = 0 }

let rec add s i t =
  if i = String.length s then { t with word = true; count = t.count + 1 }
  else
    let child = Option.value (CMap.find_opt s.[i] t.next) ~default:empty in
    { t with next = CMap.add s.[i] (add s (i + 1) child) t.next; count = t.count + 1 }

let rec find_prefix s i t =
  if i = String.length s then Some t
  else match CMap.find_opt s.[i] t.next with
    | None -> None
    | Some c -> find_prefix s (i + 1) c

let mem s t = match find_prefix s 0 t with Some { word; _ } -> word | None -> false

let rec words prefix t acc =
  let acc = CMap.fold (fun c child acc -> words (prefix ^ String.make 1 c) child acc) t.next acc in
  if t.word then prefix :: acc else acc

let complete s t =
  match find_prefix s 0 t with
  | None -> []
  | Some sub -> List.sort compare (words s sub [])

let longest_prefix s t =
  let rec go i t best =
    let best = if t.word then i else best in
    if i = String.length s then best
    else match CMap.find_opt s.[i] t.next with
      | Some c -> go (i + 1) c best
      | None -> best in
  String.sub s 0 (go 0 t 0)

let rec remove s i t =
  let t =
    if i = String.length s then { t with word = false }
    else match CMap.find_opt s.[i] t.next with
      | None -> t
      | Some c ->
        match remove s (i + 1) c with
        | Some c -> { t with next = CMap.add s.[i] c t.next }
        | None -> { t with next = CMap.remove s.[i] t.next } in
  if (not t.word) && CMap.is_empty t.next then None else Some t

let rec nodes t = CMap.fold (fun _ c n -> n + nodes c) t.next 1

let () =
  let t = List.fold_left (fun t w -> add w 0 t) empty
      [ "car"; "card"; "care"; "cat"; "dog"; "do"; "done"; "caring"; "a" ] in
  Printf.printf "%d nodes, %d insertions\n" (nodes t) t.count;
  List.iter (fun p -> Printf.printf "%S: %s\n" p (String.concat " " (complete p t)))
    [ "car"; "do"; "x"; ""; "cat" ];
  List.iter (fun w -> Printf.printf "%s:%b " w (mem w t)) [ "car"; "ca"; "done"; "dones" ];
  print_newline ();
  List.iter (fun w -> Printf.printf "%s -> %S\n" w (longest_prefix w t)) [ "cards"; "doing"; "zebra"; "apple" ];
  match remove "caring" 0 t with
  | None -> print_endline "empty"
  | Some t ->
    Printf.printf "%d nodes after removal: %s\n" (nodes t) (String.concat " " (complete "car" t));
    let gone = List.fold_left (fun t w -> Option.bind t (remove w 0)) (Some t) (complete "" t) in
    Printf.printf "all removed: %b\n" (gone = None)
