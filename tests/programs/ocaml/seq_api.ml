(* Seq: infinite unfolds, lazy evaluation order, filters, folds, conversions. *)

let rec naturals n () = Seq.Cons (n, naturals (n + 1))

let rec take n s () =
  if n = 0 then Seq.Nil
  else match s () with
    | Seq.Nil -> Seq.Nil
    | Seq.Cons (x, rest) -> Seq.Cons (x, take (n - 1) rest)

let rec take_while p s () =
  match s () with
  | Seq.Cons (x, rest) when p x -> Seq.Cons (x, take_while p rest)
  | _ -> Seq.Nil

let collatz = Seq.unfold (fun n -> if n = 0 then None else Some (n, if n = 1 then 0 else if n mod 2 = 0 then n / 2 else 3 * n + 1))

let show s = String.concat " " (List.map string_of_int (List.of_seq s))

let rec permutations = function
  | [] -> Seq.return []
  | l ->
    List.to_seq l
    |> Seq.flat_map (fun x ->
        let rest = List.filter (( <> ) x) l in
        Seq.map (fun p -> x :: p) (permutations rest))

let () =
  print_endline (show (take 5 (naturals 10)));
  print_endline (show (take 5 (Seq.filter (fun x -> x mod 7 = 0) (naturals 1))));
  print_endline (show (take_while (fun x -> x < 50) (Seq.map (fun x -> x * x) (naturals 1))));
  print_endline (show (collatz 27 |> take 12));
  Printf.printf "%d\n" (Seq.fold_left (fun n _ -> n + 1) 0 (collatz 27));
  Printf.printf "%d\n" (Seq.fold_left ( + ) 0 (take 100 (naturals 1)));
  print_endline (show (Seq.filter_map (fun x -> if x > 2 then Some (x * 10) else None) (List.to_seq [ 1; 2; 3; 4 ])));
  print_endline (show (Seq.append (List.to_seq [ 1; 2 ]) (Seq.cons 3 Seq.empty)));
  Seq.iter (fun p -> print_string (String.concat "" p ^ " ")) (permutations [ "a"; "b"; "c" ]);
  print_newline ();
  let effects = Seq.map (fun x -> Printf.printf "<%d>" x; x) (List.to_seq [ 1; 2; 3 ]) in
  print_string "lazy: ";
  (match effects () with
   | Seq.Cons (x, _) -> Printf.printf " first %d\n" x
   | Seq.Nil -> print_endline "empty");
  print_endline (show effects);
  print_endline (String.of_seq (Seq.map Char.uppercase_ascii (String.to_seq "upper")));
  Array.iter print_int (Array.of_seq (take 3 (naturals 7)));
  print_newline ();
  let h = Hashtbl.of_seq (List.to_seq [ ("a", 1); ("b", 2) ]) in
  Printf.printf "%d\n" (Hashtbl.find h "b");
  String.to_seqi "xyz" |> Seq.iter (fun (i, c) -> Printf.printf "%d%c " i c);
  print_newline ();
  let b = Buffer.create 8 in
  Buffer.add_seq b (Seq.flat_map String.to_seq (List.to_seq [ "ab"; ""; "cd" ]));
  print_endline (Buffer.contents b)
