(* Which of equal elements stays, and for which elements the comparison is called in which order *)
let trace = Buffer.create 100

let cmp (a, i) (b, j) =
  Buffer.add_string trace (Printf.sprintf " %d%d" i j);
  compare a b

let traced () =
  let text = Buffer.contents trace in
  Buffer.clear trace;
  text

let show l = String.concat " " (List.map (fun (k, i) -> Printf.sprintf "%d@%d" k i) l)
let rec lists n = if n = 0 then [ [] ] else List.concat_map (fun l -> [ 0 :: l; 1 :: l; 2 :: l ]) (lists (n - 1))
let places l = List.mapi (fun i k -> (k, i)) l

let () =
  List.iter
    (fun n ->
      List.iter
        (fun l ->
          let l = List.sort_uniq cmp (places l) in
          print_endline (show l ^ " :" ^ traced ()))
        (lists n))
    [ 1; 2; 3; 4 ]

let state = ref 7

let next n =
  state := ((!state * 1103515245) + 12345) land 0x3fffffff;
  (!state lsr 8) mod n

let () =
  for n = 5 to 40 do
    let l = places (List.init n (fun _ -> next (1 + (n / 2)))) in
    let told name l = Printf.printf "%s %s %s\n" name (show l) (Digest.to_hex (Digest.string (traced ()))) in
    told "sort_uniq" (List.sort_uniq cmp l);
    told "sort" (List.sort cmp l);
    let array sort =
      let a = Array.of_list l in
      sort cmp a;
      Array.to_list a
    in
    told "array" (array Array.sort);
    told "stable" (array Array.stable_sort)
  done

module S = Set.Make (struct
  type t = int * int

  let compare = cmp
end)

let () =
  for a = 0 to 7 do
    for b = 0 to 31 do
      let set bits from =
        let element i = if bits land (1 lsl i) <> 0 then Some (i, from + i) else None in
        S.of_list (List.filter_map element [ 3; 0; 4; 1; 2 ])
      in
      let first = set a 0 and second = set b 10 in
      ignore (traced ());
      let told name answer = Printf.printf "%d %d %s %b%s\n" a b name answer (traced ()) in
      told "subset" (S.subset first second);
      told "disjoint" (S.disjoint first second);
      told "equal" (S.equal first second);
      told "less" (S.compare first second < 0)
    done
  done;
  let s = S.of_list [ (1, 0); (2, 1); (3, 2) ] in
  ignore (traced ());
  Printf.printf "%b%s\n" (S.disjoint s s) (traced ());
  print_endline (show (S.elements (S.add (2, 9) s)));
  print_endline (show (S.elements (S.union s (S.of_list [ (2, 7); (4, 8) ]))));
  print_endline (show (S.elements (S.inter (S.of_list [ (2, 7); (4, 8) ]) s)))
