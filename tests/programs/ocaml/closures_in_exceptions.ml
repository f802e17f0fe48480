(* exceptions that carry closures *)
exception Thunk of (unit -> int)
exception Two of (int -> int) * string * (string -> string)
exception Again of (int -> exn)
let f n = if n mod 2 = 0 then raise (Thunk (fun () -> n * 10)) else if n mod 3 = 0 then raise (Two ((fun x -> x + n), string_of_int n, fun s -> s ^ string_of_int n)) else n
let g n = try f n with Thunk k when n > 4 -> k () + 1 | Two (k, s, h) -> print_endline (h s); k 1
let rec unwind e d = match e with Again k when d > 0 -> unwind (k d) (d - 1) | Again _ -> 0 | Thunk k -> k () | Two (k, _, _) -> k 0 | _ -> -5
let () =
  for i = 0 to 9 do
    match g i with v -> Printf.printf "%d " v | exception Thunk k -> Printf.printf "thunk %d " (k ())
  done; print_newline ();
  let rec e n = Again (fun d -> if n > 3 then Thunk (fun () -> n + d) else e (n + 1)) in
  Printf.printf "%d %d\n" (unwind (e 0) 10) (unwind (e 0) 2);
  let saved = ref [] in
  for i = 1 to 6 do try ignore (f i) with ex -> saved := ex :: !saved done;
  List.iter (fun ex -> Printf.printf "%d " (unwind ex 3)) !saved; print_newline ();
  let r = try (try raise (Thunk (fun () -> raise (Two ((fun x -> x), "z", fun s -> s)))) with Thunk k -> k ()) with Two (_, s, h) -> String.length (h s) in
  Printf.printf "%d\n" r;
  let fin = Fun.protect ~finally:(fun () -> print_string "fin ") in
  (try fin (fun () -> raise (Thunk (fun () -> 3))) with Thunk k -> Printf.printf "%d\n" (k ()))
