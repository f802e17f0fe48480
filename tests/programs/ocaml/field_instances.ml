(* Two instances of the same recursive closure share no state. *)

let make_counter start step =
  let n = ref start in
  let rec next k = if k = 0 then !n else (n := !n + step; next (k - 1)) in
  next

let make_pair start =
  let log = ref [] in
  let rec ping n = log := ("ping", n + start) :: !log; if n > 0 then pong (n - 1)
  and pong n = log := ("pong", n - start) :: !log; if n > 0 then ping (n - 1) in
  let text () = String.concat " " (List.rev_map (fun (s, n) -> s ^ string_of_int n) !log) in
  (ping, pong, text)

let make_memo f =
  let table = Hashtbl.create 8 in
  let hits = ref 0 in
  let rec go n =
    match Hashtbl.find_opt table n with
    | Some v -> incr hits; v
    | None -> let v = f go n in Hashtbl.add table n v; v
  in
  (go, fun () -> (Hashtbl.length table, !hits))

let generator l =
  let rest = ref l in
  let rec next () = match !rest with [] -> None | x :: tail when x < 0 -> rest := tail; next () | x :: tail -> rest := tail; Some x in
  next

let () =
  let a = make_counter 0 1 and b = make_counter 100 10 in
  let r1 = a 3 in
  let r2 = b 2 in
  let r3 = a 1 in
  let r4 = b 0 in
  Printf.printf "%d %d %d %d\n" r1 r2 r3 r4;
  let ping1, pong1, text1 = make_pair 10 in
  let ping2, _, text2 = make_pair 500 in
  ping1 2;
  ping2 1;
  pong1 1;
  Printf.printf "%s\n%s\n" (text1 ()) (text2 ());
  let fib, stats = make_memo (fun self n -> if n < 2 then n else self (n - 1) + self (n - 2)) in
  let tri, stats' = make_memo (fun self n -> if n = 0 then 0 else n + self (n - 1)) in
  let f = fib 40 in
  let t = tri 10 in
  let s, h = stats () in
  let s', h' = stats' () in
  Printf.printf "%d %d (%d %d) (%d %d)\n" f t s h s' h';
  let g = generator [ 1; -1; 2; -5; -6; 3 ] and h = generator [ 7; 8 ] in
  let show = function None -> "-" | Some x -> string_of_int x in
  for _ = 1 to 4 do
    let x = g () in
    let y = h () in
    Printf.printf "%s%s " (show x) (show y)
  done;
  print_newline ()
