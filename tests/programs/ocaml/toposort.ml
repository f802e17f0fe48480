(* Topological sort by depth-first search with cycle reporting, and by Kahn's algorithm. *)

module SMap = Map.Make (String)
module SSet = Set.Make (String)

exception Cycle of string list

let deps = [
  "app", [ "ui"; "net"; "log" ];
  "ui", [ "gfx"; "log" ];
  "net", [ "ssl"; "log" ];
  "gfx", [ "math" ];
  "ssl", [ "math"; "bignum" ];
  "bignum", [];
  "math", [];
  "log", [];
]

let dfs graph =
  let rec visit (done_, order) path v =
    if SSet.mem v done_ then (done_, order)
    else if List.mem v path then begin
      let rec upto acc = function
        | [] -> acc
        | x :: rest -> if x = v then x :: acc else upto (x :: acc) rest in
      raise (Cycle (upto [] path))
    end else
      let succs = try List.assoc v graph with Not_found -> [] in
      let done_, order =
        List.fold_left (fun acc w -> visit acc (v :: path) w) (done_, order) succs in
      (SSet.add v done_, v :: order) in
  let _, order =
    List.fold_left (fun acc (v, _) -> visit acc [] v) (SSet.empty, []) graph in
  List.rev order

let kahn graph =
  let indegree = Hashtbl.create 16 in
  List.iter (fun (v, ds) -> Hashtbl.replace indegree v (List.length ds)) graph;
  let dependents v = List.filter_map (fun (w, ds) -> if List.mem v ds then Some w else None) graph in
  let rec loop ready acc =
    match ready with
    | [] -> List.rev acc
    | v :: rest ->
      let freed =
        List.filter (fun w ->
            let n = Hashtbl.find indegree w - 1 in
            Hashtbl.replace indegree w n;
            n = 0) (dependents v) in
      loop (List.sort compare (rest @ freed)) (v :: acc) in
  let ready = List.filter_map (fun (v, ds) -> if ds = [] then Some v else None) graph in
  let order = loop (List.sort compare ready) [] in
  if List.length order = List.length graph then Some order else None

let levels graph =
  let memo = Hashtbl.create 16 in
  let rec level v =
    match Hashtbl.find_opt memo v with
    | Some n -> n
    | None ->
      let n = List.fold_left (fun m d -> max m (1 + level d)) 0 (List.assoc v graph) in
      Hashtbl.add memo v n;
      n in
  List.map (fun (v, _) -> (v, level v)) graph

let () =
  print_endline (String.concat " " (dfs deps));
  (match kahn deps with
   | Some o -> print_endline (String.concat " " o)
   | None -> print_endline "cycle");
  List.iter (fun (v, l) -> Printf.printf "%s%s\n" (String.make (2 * l) ' ') v) (levels deps);
  let cyclic = ("math", [ "ui" ]) :: List.remove_assoc "math" deps in
  (match dfs cyclic with
   | o -> print_endline (String.concat " " o)
   | exception Cycle c -> print_endline ("cycle: " ^ String.concat " -> " c));
  match kahn cyclic with
  | Some _ -> print_endline "?"
  | None -> print_endline "kahn: cycle"
