(* Functions that are named like some of the library, and a variable that is named like what the compiler makes up. *)
let param = 3

let rec iter f = function
  | [] -> ()
  | x :: l ->
    f (x + param);
    iter f l

let map f l = List.map (fun x -> f x) l

let () =
  iter print_int (map (fun x -> x * 2) [ 1; 2 ]);
  print_newline ()
