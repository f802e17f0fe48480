(* FizzBuzz by pattern, by table of closures, and by string concatenation. *)

let by_pattern n =
  match n mod 3, n mod 5 with
  | 0, 0 -> "FizzBuzz"
  | 0, _ -> "Fizz"
  | _, 0 -> "Buzz"
  | _ -> string_of_int n

let by_rules rules n =
  match List.filter_map (fun f -> f n) rules with
  | [] -> string_of_int n
  | l -> String.concat "" l

let rule k s n = if n mod k = 0 then Some s else None

let () =
  for i = 1 to 20 do print_string (by_pattern i ^ if i = 20 then "\n" else " ") done;
  let classic = by_rules [ rule 3 "Fizz"; rule 5 "Buzz" ] in
  let ok = List.for_all (fun n -> classic n = by_pattern n) (List.init 100 succ) in
  Printf.printf "%b\n" ok;
  let extended = by_rules [ rule 2 "Even"; rule 7 "Seven"; rule 10 "Ten" ] in
  List.iter (fun n -> Printf.printf "%d:%s " n (extended n)) [ 1; 2; 7; 14; 70; 71 ];
  print_newline ()
