(* needs OCaml 5 *)
(* One handler for ten million effects. *)
open Effect
open Effect.Deep
type _ Effect.t += Get : int Effect.t | Put : int -> unit Effect.t
let count n =
  for _ = 1 to n do perform (Put (perform Get + 1)) done
let run n =
  let state = ref 0 in
  match_with count n
    { retc = (fun () -> !state); exnc = raise;
      effc = (fun (type a) (e : a Effect.t) -> match e with
        | Get -> Some (fun (k : (a, _) continuation) -> continue k !state)
        | Put x -> Some (fun (k : (a, _) continuation) -> state := x; continue k ())
        | _ -> None) }
let () = Printf.printf "%d\n" (run 5_000_000)
