(* Generators, threads, exceptions through handlers, and continuations that are dropped. rounds: 300 *)

open Effect
open Effect.Deep

type _ Effect.t += Yield : string -> unit t | Ask : int -> int t | Lost : unit t

let generate n =
  let rec step =
    ref (fun () ->
        match for i = 1 to n do perform (Yield (String.make (i mod 7) 'x')) done with
        | () ->
            step := (fun () -> None);
            None
        | effect Yield s, k ->
            step := (fun () -> continue k ());
            Some s)
  in
  fun () -> !step ()

let length n =
  let g = generate n in
  let rec go total = match g () with None -> total | Some s -> go (total + String.length s) in
  go 0

let ask n =
  match perform (Ask n) + perform (Ask (n + 1)) with
  | v -> v
  | exception Not_found -> 1
  | effect Ask m, k -> if m mod 3 = 0 then discontinue k Not_found else continue k (m * 2)

let lose n =
  match
    let kept = List.init (n mod 10) (fun i -> string_of_int (n + i)) in
    perform Lost;
    List.length kept
  with
  | v -> v
  | effect Lost, _ -> n mod 2

let threads n =
  let ready = Queue.create () and total = ref 0 in
  for i = 1 to n do
    match for j = 1 to 3 do total := !total + perform (Ask (i * j)) done with
    | () -> ()
    | effect Ask m, k -> Queue.push (fun () -> continue k m) ready
  done;
  while not (Queue.is_empty ready) do (Queue.pop ready) () done;
  !total

let () =
  let rounds = int_of_string Sys.argv.(1) in
  let total = ref 0 in
  for round = 1 to rounds do
    total := !total + length 20 + ask round + lose round + threads 10
  done;
  Printf.printf "%d\n" !total
