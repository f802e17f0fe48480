(* Words of a generated text, counted in a hash table. *)

let syllables = [| "ka"; "to"; "mi"; "ru"; "se"; "no"; "ha"; "li"; "po"; "ve" |]

let generate words =
  let buffer = Buffer.create (words * 6) in
  let seed = ref 42 in
  let next bound =
    seed := ((!seed * 1103515245) + 12345) land 0x3fffffff;
    (!seed lsr 12) mod bound
  in
  for i = 1 to words do
    (* Short words are more common. *)
    let count = 1 + min (next 5) (next 5) in
    for _ = 1 to count do
      Buffer.add_string buffer syllables.(next 10)
    done;
    Buffer.add_char buffer (if i mod 12 = 0 then '\n' else ' ')
  done;
  Buffer.contents buffer

let count_words text =
  let table = Hashtbl.create 1000 in
  let add word =
    match Hashtbl.find_opt table word with
    | Some count -> incr count
    | None -> Hashtbl.add table word (ref 1)
  in
  let start = ref 0 in
  for i = 0 to String.length text - 1 do
    match text.[i] with
    | ' ' | '\n' ->
        if i > !start then add (String.sub text !start (i - !start));
        start := i + 1
    | _ -> ()
  done;
  table

let () =
  let text = generate 400_000 in
  let last = ref (Hashtbl.create 1) in
  for _ = 1 to 30 do
    last := count_words text
  done;
  let all = Hashtbl.fold (fun word count acc -> (word, !count) :: acc) !last [] in
  let by_count (w1, c1) (w2, c2) = if c1 <> c2 then compare c2 c1 else compare w1 w2 in
  let sorted = List.sort by_count all in
  Printf.printf "%d words, %d different\n" (List.fold_left (fun n (_, c) -> n + c) 0 all)
    (List.length all);
  List.iteri (fun i (word, count) -> if i < 5 then Printf.printf "%s %d\n" word count) sorted
