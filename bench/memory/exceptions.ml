(* Exceptions with arguments, raised below other calls and caught. rounds: 20000, full: 10000000 *)
exception Found of int * string
exception Deep of int list

let rec search depth n = if depth = 0 then raise (Found (n, "at " ^ string_of_int n)) else 1 + search (depth - 1) n

let attempt i =
  let held = List.init 5 (fun k -> k + i) in
  try
    if i mod 2 = 0 then search 10 i + List.length held else raise (Deep held)
  with
  | Found (n, text) -> n + String.length text
  | Deep l -> List.fold_left ( + ) 0 l

let () =
  let n = int_of_string Sys.argv.(1) in
  let sum = ref 0 in
  for i = 1 to n do
    sum := (!sum + attempt i + (try int_of_string "x" with Failure _ -> 1)) mod 1000003
  done;
  Printf.printf "%d\n" !sum
