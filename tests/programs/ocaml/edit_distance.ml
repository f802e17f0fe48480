(* Levenshtein distance by a rolling row, alignment by a full table, and spelling suggestions. *)

let distance a b =
  let n = String.length b in
  let prev = ref (Array.init (n + 1) Fun.id) in
  String.iteri (fun i ca ->
      let cur = Array.make (n + 1) (i + 1) in
      for j = 1 to n do
        let cost = if ca = b.[j - 1] then 0 else 1 in
        cur.(j) <- min (min (cur.(j - 1) + 1) (!prev.(j) + 1)) (!prev.(j - 1) + cost)
      done;
      prev := cur) a;
  !prev.(n)

let align a b =
  let m = String.length a and n = String.length b in
  let d = Array.make_matrix (m + 1) (n + 1) 0 in
  for i = 0 to m do
    for j = 0 to n do
      d.(i).(j) <-
        (if i = 0 then j
         else if j = 0 then i
         else
           min (d.(i - 1).(j - 1) + if a.[i - 1] = b.[j - 1] then 0 else 1)
             (1 + min d.(i - 1).(j) d.(i).(j - 1)))
    done
  done;
  let rec back i j top bot =
    if i = 0 && j = 0 then (top, bot)
    else if i > 0 && j > 0 && d.(i).(j) = d.(i - 1).(j - 1) + (if a.[i - 1] = b.[j - 1] then 0 else 1) then
      back (i - 1) (j - 1) (String.make 1 a.[i - 1] ^ top) (String.make 1 b.[j - 1] ^ bot)
    else if i > 0 && d.(i).(j) = d.(i - 1).(j) + 1 then
      back (i - 1) j (String.make 1 a.[i - 1] ^ top) ("-" ^ bot)
    else back i (j - 1) ("-" ^ top) (String.make 1 b.[j - 1] ^ bot) in
  back m n "" ""

let dictionary = [ "function"; "functor"; "fraction"; "module"; "modulo"; "match"; "mutable"; "let" ]

let suggest w =
  List.map (fun d -> (distance w d, d)) dictionary
  |> List.sort compare
  |> List.filter (fun (k, _) -> k <= 3)

let () =
  List.iter (fun (a, b) ->
      let x, y = align a b in
      Printf.printf "%d\n  %s\n  %s\n" (distance a b) x y)
    [ ("kitten", "sitting"); ("flaw", "lawn"); ("", "abc"); ("same", "same"); ("intention", "execution") ];
  List.iter (fun w ->
      Printf.printf "%s: %s\n" w
        (String.concat ", " (List.map (fun (k, d) -> Printf.sprintf "%s (%d)" d k) (suggest w))))
    [ "functoin"; "modle"; "mtch"; "xyzzy" ]
