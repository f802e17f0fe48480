(* Allocation churn with live data kept across it: lists, strings, closures, arrays, hash tables; Gc calls. *)

type tree = Leaf | Node of tree * int * tree
let rec make d = if d = 0 then Leaf else Node (make (d - 1), d, make (d - 1))
let rec check = function Leaf -> 1 | Node (l, v, r) -> check l + v + check r

let () =
  let keep = make 10 in
  let total = ref 0 in
  for _ = 1 to 60 do total := !total + check (make 6) done;
  Printf.printf "%d %d\n" !total (check keep);
  let strings = Array.init 100 (fun i -> String.make (i mod 7) 'a' ^ string_of_int i) in
  for round = 1 to 20 do
    for i = 0 to 99 do
      if (i + round) mod 3 = 0 then strings.(i) <- String.concat "-" [ String.sub strings.(i) 0 (min 3 (String.length strings.(i))); string_of_int round ]
    done
  done;
  Printf.printf "%s %s %d\n" strings.(0) strings.(99) (Array.fold_left (fun n s -> n + String.length s) 0 strings);
  let fs = ref [] in
  for i = 1 to 2000 do
    let data = [ i; i + 1; i + 2 ] in
    fs := (fun () -> List.fold_left ( + ) 0 data) :: (if i mod 100 = 0 then [] else !fs)
  done;
  Gc.full_major ();
  Printf.printf "%d %d\n" (List.length !fs) (List.fold_left (fun s f -> s + f ()) 0 !fs);
  let h = Hashtbl.create 10 in
  for i = 1 to 3000 do
    Hashtbl.replace h (i mod 50) (float i, string_of_int i);
    if i mod 7 = 0 then Hashtbl.remove h (i mod 13)
  done;
  Gc.compact ();
  let f, s = Hashtbl.find h 49 in
  Printf.printf "%d %g %s\n" (Hashtbl.length h) f s;
  let rec churn n acc = if n = 0 then acc else churn (n - 1) (match acc with a :: b :: _ when n mod 10 = 0 -> [ a + b ] | l -> n :: l) in
  Printf.printf "%d\n" (List.length (churn 5005 []));
  Gc.minor ();
  Printf.printf "%d\n" (check keep)
