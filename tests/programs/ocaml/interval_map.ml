(* Interval merging, scheduling by earliest finish, sweep line, binary search over answers. *)

let merge l =
  let sorted = List.sort compare l in
  List.rev (List.fold_left (fun acc (a, b) ->
      match acc with
      | (c, d) :: rest when a <= d -> (c, max b d) :: rest
      | _ -> (a, b) :: acc) [] sorted)

let schedule jobs =
  let sorted = List.sort (fun (_, _, e1) (_, _, e2) -> compare e1 e2) jobs in
  let _, chosen = List.fold_left (fun (free, acc) ((_, s, e) as j) -> if s >= free then (e, j :: acc) else (free, acc)) (min_int, []) sorted in
  List.rev chosen

let max_overlap l =
  let events = List.concat_map (fun (a, b) -> [ (a, 1); (b, -1) ]) l |> List.sort compare in
  fst (List.fold_left (fun (best, cur) (_, d) -> let cur = cur + d in (max best cur, cur)) (0, 0) events)

let rec bsearch ok lo hi = if lo >= hi then lo else let mid = lo + (hi - lo) / 2 in if ok mid then bsearch ok lo mid else bsearch ok (mid + 1) hi

let isqrt n = bsearch (fun x -> (x + 1) * (x + 1) > n) 0 n

let split_weights weights k =
  let fits cap =
    let rec go groups cur = function
      | [] -> groups <= k
      | w :: _ when w > cap -> false
      | w :: rest -> if cur + w <= cap then go groups (cur + w) rest else go (groups + 1) w rest in
    go 1 0 weights in
  bsearch fits 0 (List.fold_left ( + ) 0 weights)

let () =
  let show l = String.concat " " (List.map (fun (a, b) -> Printf.sprintf "[%d,%d]" a b) l) in
  print_endline (show (merge [ (8, 10); (1, 3); (2, 6); (15, 18); (17, 20); (6, 7) ]));
  print_endline (show (merge []));
  List.iter (fun (n, s, e) -> Printf.printf "%s(%d-%d) " n s e) (schedule [ ("a", 1, 4); ("b", 3, 5); ("c", 0, 6); ("d", 5, 7); ("e", 8, 9); ("f", 6, 10) ]);
  print_newline ();
  Printf.printf "%d\n" (max_overlap [ (1, 5); (2, 6); (4, 7); (5, 9) ]);
  List.iter (fun n -> Printf.printf "%d " (isqrt n)) [ 0; 1; 15; 16; 17; 1_000_000; 999_999 ];
  print_newline ();
  Printf.printf "%d %d\n" (split_weights [ 7; 2; 5; 10; 8 ] 2) (split_weights [ 1; 2; 3; 4; 5 ] 5)
