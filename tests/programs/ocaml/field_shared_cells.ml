(* One cell behind several closures, reached by different ways; copies are not the cell. *)

type account = { mutable balance : int; deposit : int -> unit; history : (unit -> string) list ref }

let make () =
  let total = ref 0 and log = ref [] in
  let rec account =
    { balance = 0; deposit = (fun n -> total := !total + n; log := (fun () -> string_of_int (n + !total)) :: !log); history = log }
  in
  let sync () = account.balance <- !total in
  let reset () = total := 0 in
  (account, sync, reset)

let swap_cells () =
  let a = ref 1 and b = ref 2 in
  let f = fun () -> (!a, !b) in
  let swap () = let t = !a in a := !b; b := t in
  let before = f () in
  swap ();
  let alias = a in
  alias := !alias + 10;
  (before, f ())

let through_argument () =
  let bump r k = r := !r + k; fun () -> !r in
  let x = ref 0 in
  let read1 = bump x 1 in
  let read2 = bump x 2 in
  let snapshot = !x in
  x := 50;
  (read1 (), read2 (), snapshot)

let knot () =
  let f = ref (fun _ -> 0) in
  let fact n = if n = 0 then 1 else n * !f (n - 1) in
  f := fact;
  let first = fact 5 in
  f := (fun n -> -n);
  (first, fact 5)

let cell_of_cells () =
  let inner = ref 1 in
  let outer = ref inner in
  let read () = !(!outer) in
  let before = read () in
  inner := 2;
  let middle = read () in
  outer := ref 3;
  inner := 4;
  (before, middle, read (), !inner)

let in_arrays () =
  let cells = Array.init 3 (fun i -> ref i) in
  let readers = Array.map (fun r () -> !r) cells in
  let writers = Array.mapi (fun i r x -> r := x + i) cells in
  Array.iteri (fun i w -> w (10 * i)) writers;
  cells.(1) <- ref 99;
  writers.(1) 7;
  Array.to_list (Array.map (fun f -> f ()) readers) @ [ !(cells.(1)) ]

let () =
  let account, sync, reset = make () in
  account.deposit 5;
  account.deposit 6;
  let early = account.balance in
  sync ();
  let late = account.balance in
  reset ();
  Printf.printf "%d %d %s\n" early late (String.concat " " (List.map (fun f -> f ()) !(account.history)));
  let (a, b), (c, d) = swap_cells () in
  Printf.printf "%d %d %d %d\n" a b c d;
  let a, b, c = through_argument () in
  Printf.printf "%d %d %d\n" a b c;
  let a, b = knot () in
  Printf.printf "%d %d\n" a b;
  let a, b, c, d = cell_of_cells () in
  Printf.printf "%d %d %d %d\n" a b c d;
  print_endline (String.concat " " (List.map string_of_int (in_arrays ())))
