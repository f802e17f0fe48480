(* Exceptions raised in closures and caught elsewhere; state written before stays written. *)

exception Stop of int * (int -> int)
exception Plain

let find_first p l = let exception Found of int in try List.iter (fun x -> if p x then raise (Found x)) l; None with Found x -> Some x

let v = "state"

let with_cleanup f = let log = ref [] in
  let v = try f (fun s -> log := s :: !log) with Failure s -> "failed " ^ s in
  (v, List.rev !log)

let rec descend n k = if n = 0 then k 0 else try descend (n - 1) (fun x -> k (x + n)) with Stop (v, f) when v < n * 10 -> f v

let in_loop () =
  let hits = ref [] in
  for i = 0 to 6 do
    try
      let f = fun x -> if x mod 3 = 0 then raise Plain else if x mod 2 = 0 then raise (Stop (x, fun y -> y + i)) else x in
      hits := f i :: !hits
    with
    | Plain -> hits := -1 :: !hits
    | Stop (x, f) -> hits := f (x * 100) :: !hits
  done;
  List.rev !hits

let stored = ref []
let () = List.iter (fun n -> stored := (fun () -> if n > 2 then raise (Stop (n, fun x -> x * n)) else n) :: !stored) [ 1; 2; 3; 4 ]
let run f = try string_of_int (f ()) with Stop (n, g) -> Printf.sprintf "stop %d" (g n) | Plain -> "plain"

let reraise f = try f () with Plain -> raise (Stop (1, fun x -> x - 1)) | Stop (n, g) -> raise (Stop (n + 1, fun x -> g (g x)))
let protect f = Fun.protect ~finally:(fun () -> print_string "finally ") f

let tail_after_try n =
  let rec go n acc = let v = try if n mod 5 = 0 then raise Plain else n with Plain -> 1 in if n = 0 then acc else go (n - 1) (acc + v) in
  go n 0

let () =
  let show = function None -> "none" | Some x -> string_of_int x in
  Printf.printf "%s %s\n" (show (find_first (fun x -> x > 2) [ 1; 2; 3; 4 ])) (show (find_first (fun x -> x > 9) [ 1 ]));
  let v, log = with_cleanup (fun say -> say "one"; say "two"; if String.length v = 5 then failwith "here" else "no") in
  Printf.printf "%s [%s]\n" v (String.concat ";" log);
  Printf.printf "%d %d\n" (descend 4 (fun x -> x)) (descend 4 (fun x -> raise (Stop (x * 3, fun y -> y + 1))));
  print_endline (String.concat " " (List.map string_of_int (in_loop ())));
  print_endline (String.concat ", " (List.map run !stored));
  print_endline (run (fun () -> reraise (fun () -> reraise (fun () -> raise Plain))));
  print_endline (run (fun () -> protect (fun () -> raise Plain)));
  Printf.printf "%d\n" (tail_after_try 100_000)
