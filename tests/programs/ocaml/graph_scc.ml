(* Tarjan's strongly connected components, BFS levels, Floyd-Warshall, bipartite check. *)

let tarjan n succ =
  let index = Array.make n (-1) and low = Array.make n 0 in
  let on_stack = Array.make n false in
  let stack = Stack.create () in
  let counter = ref 0 and out = ref [] in
  let rec visit v =
    index.(v) <- !counter;
    low.(v) <- !counter;
    incr counter;
    Stack.push v stack;
    on_stack.(v) <- true;
    List.iter (fun w ->
        if index.(w) < 0 then begin
          visit w;
          low.(v) <- min low.(v) low.(w)
        end else if on_stack.(w) then low.(v) <- min low.(v) index.(w)) (succ v);
    if low.(v) = index.(v) then begin
      let rec pop acc =
        let w = Stack.pop stack in
        on_stack.(w) <- false;
        if w = v then w :: acc else pop (w :: acc) in
      out := pop [] :: !out
    end in
  for v = 0 to n - 1 do if index.(v) < 0 then visit v done;
  List.rev !out

let bfs n succ s =
  let level = Array.make n (-1) in
  let q = Queue.create () in
  level.(s) <- 0;
  Queue.push s q;
  let rec loop () =
    match Queue.take_opt q with
    | None -> ()
    | Some v ->
      List.iter (fun w ->
          if level.(w) = -1 then begin
            level.(w) <- level.(v) + 1;
            Queue.push w q
          end) (succ v);
      loop () in
  loop ();
  level

let floyd n edges =
  let inf = 1_000_000 in
  let d = Array.make_matrix n n inf in
  for i = 0 to n - 1 do d.(i).(i) <- 0 done;
  List.iter (fun (a, b, w) -> d.(a).(b) <- min w d.(a).(b)) edges;
  for k = 0 to n - 1 do
    for i = 0 to n - 1 do
      for j = 0 to n - 1 do
        if d.(i).(k) + d.(k).(j) < d.(i).(j) then d.(i).(j) <- d.(i).(k) + d.(k).(j)
      done
    done
  done;
  (d, inf)

let bipartite n succ =
  let colour = Array.make n 0 in
  let rec paint v c =
    if colour.(v) <> 0 then colour.(v) = c
    else begin
      colour.(v) <- c;
      List.for_all (fun w -> paint w (-c)) (succ v)
    end in
  let rec all v = v = n || ((colour.(v) <> 0 || paint v 1) && all (v + 1)) in
  all 0

let () =
  let adj = [| [ 1 ]; [ 2; 4; 5 ]; [ 3; 6 ]; [ 2; 7 ]; [ 0; 5 ]; [ 6 ]; [ 5 ]; [ 3; 6 ] |] in
  let succ v = adj.(v) in
  List.iter (fun c ->
      Printf.printf "{%s} " (String.concat "," (List.map string_of_int (List.sort compare c))))
    (tarjan 8 succ);
  print_newline ();
  Array.iteri (fun v l -> Printf.printf "%d:%d " v l) (bfs 8 succ 0);
  print_newline ();
  let d, inf = floyd 5 [ (0, 1, 3); (0, 2, 8); (0, 4, -4); (1, 3, 1); (1, 4, 7); (2, 1, 4); (3, 0, 2); (3, 2, -5) ] in
  Array.iter (fun row ->
      Array.iter (fun x -> if x >= inf / 2 then print_string "   ." else Printf.printf "%4d" x) row;
      print_newline ()) d;
  let ring n v = [ (v + 1) mod n; (v + n - 1) mod n ] in
  Printf.printf "%b %b\n" (bipartite 6 (ring 6)) (bipartite 7 (ring 7))
