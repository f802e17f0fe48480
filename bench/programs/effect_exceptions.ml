(* needs OCaml 5 *)
(* Exceptions that leave computations under handlers, in both directions. *)
open Effect
open Effect.Deep
exception Stop of int
type _ Effect.t += Ask : int -> int Effect.t
let work i =
  try
    let x = perform (Ask i) in
    if x land 3 = 0 then raise (Stop x) else x
  with Not_found -> -1
let handle i =
  match work i with
  | x -> x
  | exception Stop x -> x * 2
  | effect (Ask n), k ->
    if n mod 5 = 0 then discontinue k Not_found else continue k (n + 1)
let () =
  let t = ref 0 in
  for i = 1 to 3_000_000 do t := !t + handle i done;
  Printf.printf "%d\n" !t
