(* A handler gives meaning to reads and writes: here those of a computation that fails are undone. *)
open Effect
open Effect.Deep

type _ Effect.t +=
  | Read : string -> int t
  | Write : string * int -> unit t
  | Abort : string -> 'a t

let read name = perform (Read name)
let write name value = perform (Write (name, value))
let abort reason = perform (Abort reason)

module Store = Map.Make (String)

(* The store is a parameter of what the handler returns: no variable is assigned. *)
let transaction work store =
  let run =
    match work () with
    | result -> fun store -> (store, Ok result)
    | effect Read name, k ->
        fun (store : int Store.t) ->
          continue k (Option.value (Store.find_opt name store) ~default:0) store
    | effect Write (name, value), k -> fun store -> continue k () (Store.add name value store)
    | effect Abort reason, _ -> fun _ -> (Store.empty, Error reason)
  in
  match run store with
  | after, Ok result -> (after, Ok result)
  | _, Error reason -> (store, Error reason)

let transfer from into amount () =
  write from (read from - amount);
  write into (read into + amount);
  if read from < 0 then abort (Printf.sprintf "%s would have %d" from (read from));
  amount

let show store =
  Store.iter (fun name value -> Printf.printf "%s: %d  " name value) store;
  print_newline ()

let () =
  let store = Store.(empty |> add "anna" 100 |> add "bert" 20) in
  let steps =
    [ transfer "anna" "bert" 30; transfer "bert" "anna" 70; transfer "bert" "carl" 50 ]
  in
  let last =
    List.fold_left
      (fun store step ->
        let store, result = transaction step store in
        (match result with
        | Ok amount -> Printf.printf "moved %d\n" amount
        | Error reason -> Printf.printf "refused: %s\n" reason);
        show store;
        store)
      store steps
  in
  Printf.printf "%d accounts\n" (Store.cardinal last)
