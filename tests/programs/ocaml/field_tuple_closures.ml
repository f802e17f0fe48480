(* Closures in tuples in a list, called after the list was mapped, reversed, sorted and split. *)

let make n =
  let scale = n * 10 in
  let name = "f" ^ string_of_int n in
  (name, (fun x -> x + scale), n)

let rec range a b = if a > b then [] else a :: range (a + 1) b

let show (name, f, n) = Printf.printf "%s:%d/%d " name (f n) (f 1)

let () =
  let all = List.map make (range 1 6) in
  List.iter show all;
  print_newline ();
  List.iter show (List.rev all);
  print_newline ();
  let doubled = List.map (fun (name, f, n) -> (name ^ "'", (fun x -> f (f x)), n * 2)) all in
  List.iter show (List.rev doubled);
  print_newline ();
  let nested = List.rev_map (fun (name, f, n) -> ((name, n), (f, [ (n, f); (n + 1, fun x -> f x - 1) ]))) doubled in
  List.iter
    (fun ((name, n), (f, pairs)) ->
      Printf.printf "%s %d %d" name n (f n);
      List.iter (fun (k, g) -> Printf.printf " (%d %d)" k (g k)) (List.rev pairs);
      print_newline ())
    nested;
  let sorted = List.sort (fun (_, f, _) (_, g, _) -> compare (g 0) (f 0)) all in
  print_endline (String.concat " " (List.map (fun (name, _, _) -> name) sorted));
  let even, odd = List.partition (fun (_, f, _) -> f 0 mod 20 = 0) sorted in
  List.iter show even;
  print_string "| ";
  List.iter show odd;
  print_newline ();
  let names, functions = List.split (List.map (fun (name, f, _) -> (name, f)) sorted) in
  let again = List.combine (List.rev names) functions in
  List.iter (fun (name, f) -> Printf.printf "%s=%d " name (f 5)) again;
  print_newline ();
  let array = Array.of_list again in
  Array.iteri (fun i (name, f) -> array.(i) <- (name, fun x -> f x * i)) (Array.copy array);
  Array.iter (fun (name, f) -> Printf.printf "%s=%d " name (f 5)) array;
  print_newline ()
