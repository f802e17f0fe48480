(* The library's sorts make OCaml's comparisons in OCaml's order: a program can count them, or
   compare at random. *)
let count = ref 0
let trace = Buffer.create 100

let counted a b =
  incr count;
  if Buffer.length trace < 400 then Buffer.add_string trace (Printf.sprintf "%d:%d " a b);
  compare (a / 2) (b / 2)

let report name =
  Printf.printf "%s: %d comparisons %s\n" name !count (Digest.to_hex (Digest.string (Buffer.contents trace)));
  count := 0;
  Buffer.clear trace

let numbers n = List.init n (fun i -> i * 7919 mod 1009)

let () =
  List.iter
    (fun n ->
      let sorted = List.sort counted (numbers n) in
      report (Printf.sprintf "List.sort %d" n);
      assert (List.sort compare (List.map (fun x -> x / 2) (numbers n)) = List.map (fun x -> x / 2) sorted);
      let a = Array.of_list (numbers n) in
      Array.stable_sort counted a;
      report (Printf.sprintf "Array.stable_sort %d" n);
      assert (Array.to_list a = sorted);
      let b = Array.of_list (numbers n) in
      Array.sort counted b;
      report (Printf.sprintf "Array.sort %d" n))
    [ 0; 1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11; 12; 13; 31; 100; 1000 ]

let rec permutations = function
  | [] -> [ [] ]
  | items -> List.concat_map (fun x -> List.map (List.cons x) (permutations (List.filter (( <> ) x) items))) items

let () =
  List.iter (fun p -> assert (List.sort compare p = [ 1; 2; 3; 4; 5; 6 ])) (permutations [ 1; 2; 3; 4; 5; 6 ]);
  let show list = List.iter (Printf.printf "%g ") list; print_newline () in
  let by_less (a : float) b = if a < b then -1 else if a > b then 1 else 0 in
  show (List.sort by_less [ 3.; 1.; nan; 2.; 0.; nan; 5.; 4.; -1. ]);
  show (List.stable_sort (fun _ _ -> 1) [ 1.; 2.; 3.; 4.; 5.; 6.; 7. ]);
  show (List.stable_sort (fun _ _ -> -1) [ 1.; 2.; 3.; 4.; 5.; 6.; 7. ]);
  let strings = List.init 50 (fun i -> String.make (1 + (i * 7 mod 5)) (Char.chr (97 + (i mod 26)))) in
  print_endline (String.concat " " (List.sort compare strings))
