(* Closures over mutable state: counters, accumulators, generators, shared cells. *)

let make_counter ?(step = 1) start =
  let n = ref start in
  fun () ->
    let v = !n in
    n := v + step;
    v

let make_account balance =
  let balance = ref balance in
  let deposit n = balance := !balance + n; !balance in
  let withdraw n =
    if n > !balance then Error (Printf.sprintf "short by %d" (n - !balance))
    else begin balance := !balance - n; Ok !balance end in
  (deposit, withdraw, fun () -> !balance)

let averager () =
  let sum = ref 0. and count = ref 0 in
  fun x ->
    sum := !sum +. x;
    incr count;
    !sum /. float_of_int !count

let fib_gen () =
  let a = ref 0 and b = ref 1 in
  fun () ->
    let r = !a in
    a := !b;
    b := r + !b;
    r

let () =
  let c = make_counter 10 and d = make_counter ~step:(-3) 100 in
  let c1 = c () in
  let c2 = c () in
  let d1 = d () in
  let d2 = d () in
  Printf.printf "%d %d %d %d %d\n" c1 c2 (c ()) d1 d2;
  let deposit, withdraw, balance = make_account 50 in
  Printf.printf "%d\n" (deposit 25);
  (match withdraw 100 with
   | Ok b -> Printf.printf "left %d\n" b
   | Error e -> print_endline e);
  (match withdraw 70 with
   | Ok b -> Printf.printf "left %d\n" b
   | Error e -> print_endline e);
  Printf.printf "balance %d\n" (balance ());
  let avg = averager () in
  List.iter (fun x -> Printf.printf "%.3f " (avg x)) [ 1.; 2.; 4.; 8.; 16. ];
  print_newline ();
  let f = fib_gen () and g = fib_gen () in
  for _ = 1 to 10 do ignore (f ()) done;
  Printf.printf "%d %d\n" (f ()) (g ());
  (* two closures share a cell *)
  let inc, get = let r = ref 0 in ((fun () -> incr r), fun () -> !r) in
  inc (); inc (); inc ();
  Printf.printf "shared %d\n" (get ())
