(* covers: K3, K16
   Closures made in loops, held in lists and trees, called and forgotten; some escape, some are called in tail position,
   some partially applied, some raise. *)

exception Stop of int

let rec adders n acc = if n = 0 then acc else let s = string_of_int n in adders (n - 1) ((fun x -> x + String.length s + n) :: acc)
let rec apply fs x = match fs with [] -> x | f :: rest -> apply rest (f x)
let rec last fs x = match fs with [] -> x | [ f ] -> f x | _ :: rest -> last rest x
let nth fs n = List.nth fs n

type tree = Tip of (int -> int) | Fork of tree * tree

let rec grow n k = if n = 0 then Tip (fun x -> (x * k) mod 1009) else Fork (grow (n - 1) (k + 1), grow (n - 1) (k + 3))
let rec run t x = match t with Tip f -> f x | Fork (l, r) -> run l x + run r (x + 1)

let rec stoppers n acc = if n = 0 then acc else stoppers (n - 1) ((fun x -> if x > n * 10 then raise (Stop n) else x + n) :: acc)
let rec curried n acc = if n = 0 then acc else curried (n - 1) ((fun a b -> (a * n) + b) :: acc)
let rec half fs = match fs with [] -> [] | f :: rest -> f 2 :: half rest

let rec pairs n acc = if n = 0 then acc else let k = ref n in pairs (n - 1) (((fun () -> incr k; !k), fun x -> x + !k) :: acc)
let rec use ps = match ps with [] -> 0 | (tick, get) :: rest -> let a = tick () in a + get 1 + use rest

let kept = ref []

let () =
  let total = ref 0 in
  for i = 1 to 60 do
    total := !total + apply (adders i []) i;
    total := !total + last (adders (i mod 7) []) i;
    total := !total + run (grow (i mod 6) i) i;
    (try total := !total + apply (stoppers (i mod 9) []) i with Stop n -> total := !total - n);
    total := !total + apply (half (curried (i mod 5) [])) 3;
    total := !total + use (pairs (i mod 8) []);
    if i mod 20 = 0 then kept := nth (adders 5 []) 3 :: !kept
  done;
  Printf.printf "%d\n" !total;
  List.iter (fun f -> Printf.printf "%d " (f 1)) !kept;
  print_newline ();
  let fs = List.init 5 (fun i x -> x + i) in
  Printf.printf "%d\n" (List.fold_left (fun acc f -> acc + f 10) 0 fs);
  let arr = Array.of_list (adders 4 []) in
  Printf.printf "%d\n" (Array.fold_left (fun acc f -> f acc) 0 arr)
