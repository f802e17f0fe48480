(* Word ladder by breadth-first search with string sets, and water jugs by state search. *)

module SS = Set.Make (String)

let words = SS.of_list [ "cold"; "cord"; "card"; "ward"; "warm"; "word"; "worm"; "wood"; "corn"; "core"; "care"; "dare"; "zzzz" ]

let neighbours w =
  SS.filter (fun v ->
      let d = ref 0 in
      String.iteri (fun i c -> if c <> w.[i] then incr d) v;
      !d = 1) words

let ladder src dst =
  let rec go frontier seen =
    match frontier with
    | [] -> None
    | (path :: rest : string list list) ->
      (match path with
       | w :: _ when w = dst -> Some (List.rev path)
       | w :: _ ->
         let fresh = SS.diff (neighbours w) seen in
         go (rest @ List.map (fun v -> v :: path) (SS.elements fresh)) (SS.union seen fresh)
       | [] -> None) in
  go [ [ src ] ] (SS.singleton src)

let jugs (ca, cb) goal =
  let moves (a, b) =
    let pour_ab = min a (cb - b) and pour_ba = min b (ca - a) in
    [ ("fill A", (ca, b)); ("fill B", (a, cb)); ("empty A", (0, b)); ("empty B", (a, 0));
      ("A to B", (a - pour_ab, b + pour_ab)); ("B to A", (a + pour_ba, b - pour_ba)) ] in
  let seen = Hashtbl.create 50 in
  let q = Queue.create () in
  Queue.add ((0, 0), []) q;
  Hashtbl.add seen (0, 0) ();
  let answer = ref None in
  while !answer = None && not (Queue.is_empty q) do
    let ((a, b) as s), path = Queue.pop q in
    if a = goal || b = goal then answer := Some (List.rev path)
    else
      List.iter (fun (m, s') ->
          if not (Hashtbl.mem seen s') then begin
            Hashtbl.add seen s' ();
            Queue.add (s', m :: path) q
          end) (moves s)
  done;
  !answer

let () =
  let show = function Some l -> String.concat " > " l | None -> "impossible" in
  print_endline (show (ladder "cold" "warm"));
  print_endline (show (ladder "dare" "worm"));
  print_endline (show (ladder "cold" "zzzz"));
  print_endline (show (jugs (3, 5) 4));
  print_endline (show (jugs (2, 4) 3))
