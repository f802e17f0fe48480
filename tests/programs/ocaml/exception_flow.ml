(* Exceptions as control flow: break and continue, early return, retries, cleanup order, exceptions in callbacks. *)

exception Break
exception Continue
exception Return of int
exception Retry of int

let find_pair l target =
  try
    List.iteri (fun i a -> List.iteri (fun j b -> if i < j && a + b = target then raise (Return ((i * 10) + j))) l) l;
    None
  with Return n -> Some n

let with_retries limit f =
  let rec go n =
    try Ok (f n) with
    | Retry k when n < limit -> Printf.printf "retry %d (%d)\n" n k; go (n + 1)
    | Retry _ -> Error "too many retries"
    | Failure m -> Error m in
  go 1

let resource name log f =
  log := ("open " ^ name) :: !log;
  match f () with
  | v -> log := ("close " ^ name) :: !log; v
  | exception e -> log := ("abort " ^ name) :: !log; raise e

let safe_div a b = if b = 0 then raise Division_by_zero else a / b

let () =
  let sum = ref 0 in
  (try
     for i = 1 to 100 do
       try
         if i mod 2 = 0 then raise Continue;
         if i > 20 then raise Break;
         sum := !sum + i
       with Continue -> ()
     done
   with Break -> Printf.printf "broke out\n");
  Printf.printf "%d\n" !sum;
  (match find_pair [ 3; 9; 4; 7 ] 11 with Some n -> Printf.printf "%02d\n" n | None -> print_endline "none");
  (match find_pair [ 1; 2 ] 100 with Some _ -> () | None -> print_endline "none");
  let show = function Ok n -> Printf.printf "ok %d\n" n | Error m -> Printf.printf "error %s\n" m in
  show (with_retries 5 (fun n -> if n < 3 then raise (Retry (n * n)) else n * 100));
  show (with_retries 2 (fun n -> raise (Retry n)));
  show (with_retries 5 (fun n -> if n = 2 then failwith "gave up" else raise (Retry 0)));
  let log = ref [] in
  (try resource "a" log (fun () -> resource "b" log (fun () -> ignore (resource "c" log (fun () -> 1)); safe_div 1 0)) |> ignore
   with Division_by_zero -> log := "handled" :: !log);
  print_endline (String.concat ", " (List.rev !log));
  let results = List.map (fun d -> try string_of_int (safe_div 100 d) with Division_by_zero -> "inf") [ 1; 0; 7 ] in
  print_endline (String.concat " " results);
  let depth = ref 0 in
  let rec unwind n = if n = 0 then raise Exit else (try unwind (n - 1) with Exit -> incr depth; raise Exit) in
  (try unwind 500 with Exit -> Printf.printf "%d\n" !depth);
  let nested = try (try failwith "x" with Failure _ -> raise Not_found) with Not_found -> "outer" in
  print_endline nested;
  let value = try 1 + (try int_of_string "z" with Failure _ -> 41) with Failure _ -> 0 in
  Printf.printf "%d\n" value;
  let sorted = try Some (List.sort (fun a b -> if a = 3 then raise Break else compare a b) [ 1; 2; 3 ]) with Break -> None in
  Printf.printf "%b\n" (sorted = None)
