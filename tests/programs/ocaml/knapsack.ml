(* Dynamic programming: knapsack, coin change, longest increasing subsequence, matrix chain, partitions. *)

let knapsack items cap =
  let best = Array.make (cap + 1) (0, []) in
  List.iter (fun (name, w, v) ->
      for c = cap downto w do
        let b, l = best.(c - w) in
        if b + v > fst best.(c) then best.(c) <- (b + v, name :: l)
      done) items;
  best.(cap)

let coins cs n =
  let t = Array.make (n + 1) None in
  t.(0) <- Some [];
  for i = 1 to n do
    List.iter (fun c ->
        if c <= i then
          match t.(i - c), t.(i) with
          | Some l, None -> t.(i) <- Some (c :: l)
          | Some l, Some l' when List.length l + 1 < List.length l' -> t.(i) <- Some (c :: l)
          | _ -> ()) cs
  done;
  t.(n)

let lis l =
  let a = Array.of_list l in
  let n = Array.length a in
  let len = Array.make n 1 and prev = Array.make n (-1) in
  for i = 1 to n - 1 do
    for j = 0 to i - 1 do
      if a.(j) < a.(i) && len.(j) + 1 > len.(i) then begin len.(i) <- len.(j) + 1; prev.(i) <- j end
    done
  done;
  let best = ref 0 in
  Array.iteri (fun i x -> if x > len.(!best) then best := i) len;
  let rec back i acc = if i < 0 then acc else back prev.(i) (a.(i) :: acc) in
  if n = 0 then [] else back !best []

let chain dims =
  let n = Array.length dims - 1 in
  let memo = Array.make_matrix n n (-1) in
  let rec go i j =
    if i = j then 0
    else if memo.(i).(j) >= 0 then memo.(i).(j)
    else begin
      let best = ref max_int in
      for k = i to j - 1 do
        best := min !best (go i k + go (k + 1) j + dims.(i) * dims.(k + 1) * dims.(j + 1))
      done;
      memo.(i).(j) <- !best;
      !best
    end in
  go 0 (n - 1)

let rec partitions n k = if n = 0 then 1 else if n < 0 || k = 0 then 0 else partitions n (k - 1) + partitions (n - k) k

let () =
  let ints l = String.concat " " (List.map string_of_int l) in
  let v, names = knapsack [ ("map", 9, 150); ("compass", 13, 35); ("water", 15, 200); ("rope", 5, 60); ("tent", 20, 70); ("tin", 7, 120) ] 36 in
  Printf.printf "%d: %s\n" v (String.concat " " (List.rev names));
  List.iter (fun (cs, n) ->
      print_endline (match coins cs n with Some l -> ints l | None -> "no way"))
    [ ([ 1; 5; 10; 25 ], 63); ([ 1; 3; 4 ], 6); ([ 5; 10 ], 3); ([ 7; 3 ], 0) ];
  print_endline (ints (lis [ 10; 9; 2; 5; 3; 7; 101; 18; 4; 20 ]));
  print_endline (ints (lis []));
  Printf.printf "%d\n" (chain [| 30; 35; 15; 5; 10; 20; 25 |]);
  Printf.printf "%d %d\n" (partitions 10 10) (partitions 25 25)
