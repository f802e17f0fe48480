(* Deep recursion in fibres, and handlers deep in recursion. *)
open Effect
open Effect.Deep

type _ Effect.t += Next : int t | Depth : int -> unit t

let rec sum n = if n = 0 then 0 else perform Next + sum (n - 1)
let rec count n = if n = 0 then 0 else 1 + count (n - 1)
let rec nest n = if n = 0 then perform Next else match nest (n - 1) with v -> v + 1 | effect Depth _, k -> continue k ()

let rec build n = if n = 0 then [] else let rest = build (n - 1) in perform (Depth n); n :: rest

let () =
  let i = ref 0 in
  (match sum 20_000 with
   | v -> Printf.printf "%d\n" v
   | effect Next, k -> incr i; continue k !i);
  (match count 1_000_000 with
   | v -> Printf.printf "%d\n" v
   | effect Next, k -> continue k 0);
  (match nest 300 with
   | v -> Printf.printf "%d\n" v
   | effect Next, k -> continue k 1000);
  let calls = ref 0 in
  (match build 50_000 with
   | l -> Printf.printf "%d %d\n" (List.length l) !calls
   | effect Depth _, k -> incr calls; continue k ());
  (* left deep inside *)
  (match (let rec go n = if n = 0 then perform Next else 1 + go (n - 1) in go 100_000) with
   | v -> Printf.printf "%d\n" v
   | exception Exit -> print_endline "exit"
   | effect Next, k -> discontinue k Exit);
  (match (let rec go n = if n = 0 then perform Next else 1 + go (n - 1) in go 100_000) with
   | v -> Printf.printf "%d\n" v
   | effect Next, _ -> print_endline "dropped");
  (* not in tail position: the handlers' frames pile up *)
  let n = match sum 30_000 with
    | v -> v
    | effect Next, k -> 1 + continue k 1 in
  Printf.printf "%d\n" n
