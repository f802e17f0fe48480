(* N queens three ways: lists, bit masks, and backtracking with an array. *)

let safe q qs =
  let rec go d = function
    | [] -> true
    | c :: rest -> c <> q && abs (c - q) <> d && go (d + 1) rest in
  go 1 qs

let rec range a b = if a > b then [] else a :: range (a + 1) b

let by_lists n =
  let rec place k =
    if k = 0 then [ [] ]
    else
      List.concat_map (fun qs ->
          List.filter_map (fun q -> if safe q qs then Some (q :: qs) else None) (range 1 n))
        (place (k - 1)) in
  place n

let by_bits n =
  let full = (1 lsl n) - 1 in
  let rec go cols d1 d2 =
    if cols = full then 1
    else begin
      let total = ref 0 in
      let avail = ref (full land lnot (cols lor d1 lor d2)) in
      while !avail <> 0 do
        let bit = !avail land (- !avail) in
        avail := !avail lxor bit;
        total := !total + go (cols lor bit) ((d1 lor bit) lsl 1) ((d2 lor bit) lsr 1)
      done;
      !total
    end in
  go 0 0 0

let first n =
  let board = Array.make n (-1) in
  let ok r c =
    let rec check i = i = r || (board.(i) <> c && abs (board.(i) - c) <> r - i && check (i + 1)) in
    check 0 in
  let rec try_row r =
    r = n
    || (let rec try_col c =
          c < n
          && ((ok r c && (board.(r) <- c; try_row (r + 1))) || try_col (c + 1)) in
        try_col 0) in
  if try_row 0 then Some board else None

let () =
  for n = 1 to 7 do
    Printf.printf "%d queens: %d solutions (bits: %d)\n" n (List.length (by_lists n)) (by_bits n)
  done;
  print_endline (String.concat " " (List.map string_of_int (List.hd (by_lists 6))));
  (match first 8 with
   | Some b ->
     Array.iter (fun c -> print_endline (String.init 8 (fun i -> if i = c then 'Q' else '.'))) b
   | None -> print_endline "none");
  match first 3 with
  | Some _ -> print_endline "?"
  | None -> print_endline "no solution for 3"
