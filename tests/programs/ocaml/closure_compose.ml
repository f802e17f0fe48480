(* Composition chains, pipelines, folds over lists of functions, point-free style. *)

let ( >> ) f g x = g (f x)
let ( << ) f g x = f (g x)
let ( |>> ) xs f = List.map f xs

let id x = x
let compose_all fs = List.fold_right ( << ) fs id
let pipeline fs = List.fold_left ( >> ) id fs

let words = String.split_on_char ' ' >> List.filter (( <> ) "")
let unwords = String.concat " "
let capitalize_all = words >> List.map String.capitalize_ascii >> unwords
let count_words = words >> List.length
let sum = List.fold_left ( + ) 0
let sum_squares = List.map (fun x -> x * x) >> sum

let rec iterate n f = if n = 0 then id else f >> iterate (n - 1) f

let on f g a b = g (f a) (f b)

let () =
  print_endline (capitalize_all "the  quick brown   fox");
  Printf.printf "%d words\n" (count_words " one two  three ");
  Printf.printf "%d\n" (sum_squares [ 1; 2; 3; 4 ]);
  Printf.printf "%d %d\n"
    (compose_all [ (fun x -> x + 1); (fun x -> x * 2); (fun x -> x - 3) ] 10)
    (pipeline [ (fun x -> x + 1); (fun x -> x * 2); (fun x -> x - 3) ] 10);
  Printf.printf "%d\n" (iterate 20 (fun x -> 2 * x) 1);
  let by_length = List.sort (on String.length compare) in
  print_endline (unwords (by_length [ "ccc"; "a"; "bb"; "dddd"; "" ]));
  [ 1; 2; 3 ] |>> (fun x -> x * 10) |>> string_of_int |> String.concat "," |> print_endline;
  let deep = List.fold_left (fun f i -> f >> fun x -> (x * 31 + i) mod 1000003) id (List.init 1000 id) in
  Printf.printf "%d\n" (deep 1);
  let add_suffix s = fun t -> t ^ s in
  let shout = String.uppercase_ascii >> add_suffix "!" >> add_suffix "!" in
  print_endline @@ shout @@ "hey"
