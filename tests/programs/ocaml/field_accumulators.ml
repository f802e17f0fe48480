(* Nested loops whose accumulators, indices and captured bounds must not be mixed up. *)

let sum_to n =
  let rec go i acc = if i > n then acc else go (i + 1) (acc + i) in
  go 0 0

let sum_between low high =
  let rec go acc i = if i > high then acc else go (acc + i) (i + 1) in
  go 0 low

let bound_is_last n k =
  let rec go i acc n' = if i >= n then (acc, n') else go (i + 1) (acc + n') (n' + k) in
  go 0 0 n

let same_names n =
  let rec go n acc = if n = 0 then acc else go (n - 1) (acc + n) in
  let m = go n 0 in
  let rec go n' acc = if n' > n then acc + m else go (n' + 1) (acc * 2) in
  go 0 1

let inner_shadows n acc =
  let rec go i acc =
    if i >= n then acc
    else
      let rec inner j acc = if j > i then acc else inner (j + 1) (acc + (i * j)) in
      go (i + 1) (inner 0 acc)
  in
  go 0 acc + acc

let swapped a b =
  let rec go a' b' steps = if steps = 0 then (a, b, a', b') else go b' (a' + b) (steps - 1) in
  go a b 5

let count_captured limit =
  let seen = ref 0 in
  let rec go i limit' =
    incr seen;
    if i >= limit then limit' + !seen else go (i + 1) (limit' - 1)
  in
  let first = go 0 limit in
  let second = go (limit / 2) first in
  (first, second, !seen)

let powers base n =
  let rec go i acc l = if i > n then List.rev l else go (i + 1) (acc * base) (acc :: l) in
  go 0 1 []

let () =
  List.iter (fun n -> Printf.printf "%d " (sum_to n)) [ 0; 1; 10; 1000 ];
  print_newline ();
  Printf.printf "%d %d\n" (sum_between 3 7) (sum_between 7 3);
  let a, n = bound_is_last 6 3 in
  Printf.printf "%d %d\n" a n;
  Printf.printf "%d %d\n" (same_names 3) (same_names 10);
  Printf.printf "%d\n" (inner_shadows 6 100);
  let a, b, c, d = swapped 2 3 in
  Printf.printf "%d %d %d %d\n" a b c d;
  let a, b, c = count_captured 8 in
  Printf.printf "%d %d %d\n" a b c;
  print_endline (String.concat "," (List.map string_of_int (powers 3 10)))
