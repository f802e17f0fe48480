(* Shortest paths: Dijkstra with a Set as priority queue, Bellman-Ford, path recovery. *)

module Node = String
module NMap = Map.Make (Node)
module PQ = Set.Make (struct type t = int * string let compare = Stdlib.compare end)

type graph = (string * int) list NMap.t

let add_edge g (a, b, w) =
  let push x y g =
    NMap.update x (function None -> Some [ (y, w) ] | Some l -> Some ((y, w) :: l)) g in
  push a b (push b a g)

let dijkstra g source =
  let rec loop queue dist prev =
    match PQ.min_elt_opt queue with
    | None -> (dist, prev)
    | Some ((d, u) as e) ->
      let queue = PQ.remove e queue in
      if d > NMap.find u dist then loop queue dist prev
      else
        let neighbours = try NMap.find u g with Not_found -> [] in
        let queue, dist, prev =
          List.fold_left (fun (q, dist, prev) (v, w) ->
              let nd = d + w in
              match NMap.find_opt v dist with
              | Some old when old <= nd -> (q, dist, prev)
              | _ -> (PQ.add (nd, v) q, NMap.add v nd dist, NMap.add v u prev))
            (queue, dist, prev) neighbours in
        loop queue dist prev in
  loop (PQ.singleton (0, source)) (NMap.singleton source 0) NMap.empty

let path prev target =
  let rec go acc v =
    match NMap.find_opt v prev with
    | None -> v :: acc
    | Some u -> go (v :: acc) u in
  go [] target

let bellman_ford n edges source =
  let dist = Array.make n max_int in
  dist.(source) <- 0;
  let relax () =
    List.fold_left (fun changed (u, v, w) ->
        if dist.(u) <> max_int && dist.(u) + w < dist.(v) then begin
          dist.(v) <- dist.(u) + w;
          true
        end else changed) false edges in
  let rec rounds k = if k > 0 && relax () then rounds (k - 1) in
  rounds (n - 1);
  if relax () then Error "negative cycle" else Ok dist

let () =
  let g =
    List.fold_left add_edge NMap.empty
      [ ("Amber", "Birch", 7); ("Amber", "Cedar", 9); ("Amber", "Fir", 14); ("Birch", "Cedar", 10);
        ("Birch", "Dale", 15); ("Cedar", "Dale", 11); ("Cedar", "Fir", 2); ("Dale", "Elm", 6);
        ("Elm", "Fir", 9); ("Gorse", "Heath", 1) ] in
  let dist, prev = dijkstra g "Amber" in
  NMap.iter (fun v _ ->
      match NMap.find_opt v dist with
      | Some d -> Printf.printf "%-6s %3d  %s\n" v d (String.concat " > " (path prev v))
      | None -> Printf.printf "%-6s unreachable\n" v) g;
  let show = function
    | Ok d ->
      print_endline (String.concat " " (Array.to_list (Array.map (fun x ->
          if x = max_int then "inf" else string_of_int x) d)))
    | Error m -> print_endline m in
  show (bellman_ford 5 [ (0, 1, 6); (0, 2, 7); (1, 3, 5); (2, 3, -3); (1, 2, 8); (3, 1, -2) ] 0);
  show (bellman_ford 3 [ (0, 1, 1); (1, 2, -3); (2, 1, 2) ] 0)
