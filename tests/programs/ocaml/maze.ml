(* Maze carving by depth-first search with an own generator; shortest path by BFS. *)

let w = 12 and h = 7

type cell = { mutable right : bool; mutable down : bool; mutable seen : bool }

let state = ref 2023
let next () = state := (!state * 75 + 74) mod 65537; !state

let grid = Array.init h (fun _ -> Array.init w (fun _ -> { right = true; down = true; seen = false }))

let shuffle l =
  let tagged = List.map (fun x -> (next (), x)) l in
  List.map snd (List.sort compare tagged)

let inside r c = r >= 0 && r < h && c >= 0 && c < w

let rec carve r c =
  grid.(r).(c).seen <- true;
  List.iter (fun (dr, dc) ->
      let r' = r + dr and c' = c + dc in
      if inside r' c' && not grid.(r').(c').seen then begin
        (match dr, dc with
         | 0, 1 -> grid.(r).(c).right <- false
         | 0, _ -> grid.(r').(c').right <- false
         | 1, _ -> grid.(r).(c).down <- false
         | _ -> grid.(r').(c').down <- false);
        carve r' c'
      end)
    (shuffle [ (0, 1); (1, 0); (0, -1); (-1, 0) ])

let neighbours r c =
  List.filter (fun (r, c) -> inside r c)
    ((if grid.(r).(c).right then [] else [ (r, c + 1) ])
     @ (if grid.(r).(c).down then [] else [ (r + 1, c) ])
     @ (if c > 0 && not grid.(r).(c - 1).right then [ (r, c - 1) ] else [])
     @ (if r > 0 && not grid.(r - 1).(c).down then [ (r - 1, c) ] else []))

let bfs src dst =
  let prev = Hashtbl.create 97 in
  let q = Queue.create () in
  Hashtbl.add prev src src;
  Queue.add src q;
  while not (Queue.is_empty q) do
    let (r, c) as here = Queue.take q in
    List.iter (fun p ->
        if not (Hashtbl.mem prev p) then begin
          Hashtbl.add prev p here;
          Queue.push p q
        end) (neighbours r c)
  done;
  let rec back p acc =
    let q = Hashtbl.find prev p in
    if q = p then p :: acc else back q (p :: acc) in
  back dst []

let draw path =
  print_endline ("+" ^ String.concat "" (List.init w (fun _ -> "--+")));
  for r = 0 to h - 1 do
    let a = Buffer.create 40 and b = Buffer.create 40 in
    Buffer.add_char a '|';
    Buffer.add_char b '+';
    for c = 0 to w - 1 do
      let cell = grid.(r).(c) in
      Buffer.add_string a (if List.mem (r, c) path then "**" else "  ");
      Buffer.add_char a (if cell.right then '|' else ' ');
      Buffer.add_string b (if cell.down then "--+" else "  +")
    done;
    print_endline (Buffer.contents a);
    print_endline (Buffer.contents b)
  done

let () =
  carve 0 0;
  let path = bfs (0, 0) (h - 1, w - 1) in
  draw path;
  Printf.printf "path of %d cells\n" (List.length path);
  let dead_ends = ref 0 in
  Array.iteri (fun r -> Array.iteri (fun c _ ->
      if List.length (neighbours r c) = 1 then incr dead_ends)) grid;
  Printf.printf "%d dead ends\n" !dead_ends
