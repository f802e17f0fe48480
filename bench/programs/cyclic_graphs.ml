(* Graphs with random edges, made, walked and dropped; trees with references to their parents. *)

type node = { id : int; mutable edges : node list; mutable mark : int }
type tree = { mutable parent : tree option; mutable children : tree list; size : int }

let seed = ref 9
let random n =
  seed := ((!seed * 1103515245) + 12345) land 0x3fffffff;
  (!seed lsr 8) mod n

let graph n =
  let nodes = Array.init n (fun id -> { id; edges = []; mark = 0 }) in
  Array.iter (fun a -> for _ = 1 to 3 do a.edges <- nodes.(random n) :: a.edges done) nodes;
  nodes.(0)

let reach node =
  let rec go count = function
    | [] -> count
    | n :: rest -> if n.mark = 1 then go count rest else (n.mark <- 1; go (count + 1) (List.rev_append n.edges rest))
  in
  go 0 [ node ]

let rec tree depth =
  let t = { parent = None; children = []; size = depth } in
  if depth > 0 then
    for _ = 1 to 2 do
      let c = tree (depth - 1) in
      c.parent <- Some t;
      t.children <- c :: t.children
    done;
  t

let rec height t = match t.parent with None -> 0 | Some p -> 1 + height p
let rec leaves t = if t.children = [] then height t else List.fold_left (fun s c -> s + leaves c) 0 t.children

let () =
  let kept = graph 50_000 and kept_tree = tree 14 in
  let total = ref 0 in
  for _ = 1 to 400 do total := !total + reach (graph 1000) done;
  for _ = 1 to 400 do total := !total + leaves (tree 9) done;
  Printf.printf "%d %d %d\n" !total (reach kept) (leaves kept_tree)
