type point = { x : float; y : float }
type shape = Circle of point * float | Polygon of point list

let point x y = { x; y }
let origin = point 0. 0.
let distance a b = sqrt (((a.x -. b.x) ** 2.) +. ((a.y -. b.y) ** 2.))

let edges ps =
  match ps with
  | [] -> []
  | first :: _ ->
    let rec go = function
      | [ last ] -> [ (last, first) ]
      | a :: (b :: _ as rest) -> (a, b) :: go rest
      | [] -> [] in
    go ps

let area = function
  | Circle (_, r) -> Float.pi *. r *. r
  | Polygon ps ->
    abs_float (List.fold_left (fun s (a, b) -> s +. (a.x *. b.y) -. (b.x *. a.y)) 0. (edges ps)) /. 2.

let perimeter = function
  | Circle (_, r) -> 2. *. Float.pi *. r
  | Polygon ps -> List.fold_left (fun s (a, b) -> s +. distance a b) 0. (edges ps)

let move dx dy p = { x = p.x +. dx; y = p.y +. dy }

let translate ~dx ~dy = function
  | Circle (c, r) -> Circle (move dx dy c, r)
  | Polygon ps -> Polygon (List.map (move dx dy) ps)

let show_point p = Printf.sprintf "(%g, %g)" p.x p.y
