(* Non-tail recursion of depth 100,000: sums, list building, trees, exceptions from the bottom. *)

let rec sum n = if n = 0 then 0 else n + sum (n - 1)
let rec build n = if n = 0 then [] else n :: build (n - 1)
let rec length = function [] -> 0 | _ :: t -> 1 + length t
let rec append a b = match a with [] -> b | x :: r -> x :: append r b
let rec fsum n = if n = 0 then 0. else 1. /. float n +. fsum (n - 1)

type chain = End | Link of int * chain
let rec chain n = if n = 0 then End else Link (n, chain (n - 1))
let rec total = function End -> 0 | Link (n, c) -> n + total c

exception Bottom of int
let rec dig n = if n = 0 then raise (Bottom 7) else 1 + dig (n - 1)
let rec try_each n = if n = 0 then 0 else (try 1 + try_each (n - 1) with Not_found -> -1)

let () =
  Printf.printf "%d\n" (sum 100_000);
  let l = build 100_000 in
  Printf.printf "%d %d\n" (length l) (length (append l l));
  Printf.printf "%.6f\n" (fsum 100_000);
  Printf.printf "%d\n" (total (chain 100_000));
  (try Printf.printf "%d\n" (dig 100_000) with Bottom n -> Printf.printf "bottom %d\n" n);
  Printf.printf "%d\n" (try_each 50_000);
  Printf.printf "%d\n" (List.fold_right ( + ) l 0);
  Printf.printf "%d\n" (List.length (List.map succ l))
