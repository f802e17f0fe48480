(* Random: only properties that hold for any generator (bounds, reproducibility from a seed, permutation). *)

let shuffle a =
  for i = Array.length a - 1 downto 1 do
    let j = Random.int (i + 1) in
    let t = a.(i) in
    a.(i) <- a.(j);
    a.(j) <- t
  done

let () =
  Random.init 42;
  let l1 = List.init 10 (fun _ -> Random.int 1000) in
  Random.init 42;
  let l2 = List.init 10 (fun _ -> Random.int 1000) in
  Printf.printf "%b\n" (l1 = l2);
  let ok = ref true in
  for n = 1 to 500 do
    let r = Random.int n in
    if r < 0 || r >= n then ok := false;
    let f = Random.float 2.5 in
    if f < 0. || f > 2.5 then ok := false
  done;
  Printf.printf "%b\n" !ok;
  let a = Array.init 50 Fun.id in
  shuffle a;
  let sorted = Array.copy a in
  Array.sort compare sorted;
  Printf.printf "%b\n" (sorted = Array.init 50 Fun.id);
  let heads = ref 0 in
  for _ = 1 to 1000 do if Random.bool () then incr heads done;
  Printf.printf "%b\n" (!heads > 300 && !heads < 700);
  Printf.printf "%b\n" (Random.bits () >= 0);
  try ignore (Random.int 0) with Invalid_argument m -> print_endline m
