(* Closures nested five deep capturing at every level, recursive closures, captures of parameters and patterns. *)

let level a =
  let a' = a * 2 in
  fun b ->
    let ab = a' + b in
    fun c ->
      let rec go n = if n = 0 then ab else c + go (n - 1) in
      fun d ->
        let r = ref (go d) in
        fun e ->
          r := !r + e;
          (a, a', ab, !r)

let with_pattern (x, { contents = y }) [ p; q ] = fun z -> x + y + p + q + z

let tree_adder () =
  let total = ref 0 in
  let rec visit depth =
    total := !total + depth;
    if depth < 4 then List.iter (fun k -> if k > 0 then visit (depth + 1)) [ 1; 2 ] in
  visit 0;
  !total

let make_object name =
  let state = ref [] in
  let rec self msg =
    match msg with
    | "clear" -> state := []; 0
    | "count" -> List.length !state
    | "double" -> let n = self "count" in for _ = 1 to n do state := name :: !state done; self "count"
    | other -> state := other :: !state; self "count" in
  self

let () =
  let k = level 1 2 3 4 in
  let show (a, b, c, d) = Printf.printf "%d %d %d %d\n" a b c d in
  show (k 5);
  show (k 5);
  show (level 1 2 3 4 5);
  let other = level 10 in
  show (other 0 0 0 0);
  Printf.printf "%d\n" (with_pattern (1, ref 2) [ 3; 4 ] 5);
  Printf.printf "%d\n" (tree_adder ());
  let o = make_object "o" in
  List.iter (fun m -> Printf.printf "%s=%d " m (o m)) [ "a"; "b"; "double"; "count"; "clear"; "count" ];
  print_newline ();
  let fs = List.concat_map (fun i -> List.map (fun j -> fun k -> (i * 100) + (j * 10) + k) [ 1; 2 ]) [ 3; 4 ] in
  List.iteri (fun k f -> Printf.printf "%d " (f k)) fs;
  print_newline ();
  let y f = let rec g x = f (fun z -> g z) x in g in
  Printf.printf "%d\n" (y (fun self n -> if n < 2 then n else self (n - 1) + self (n - 2)) 15)
