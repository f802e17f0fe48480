(* A connection as a state machine: states and events are polymorphic variants, and some functions know only a part. *)
type open_state = [ `Open of int | `Waiting of int * int ]
type state = [ `Closed | `Listening | open_state | `Failed of string ]
type event = [ `Connect | `Accept of int | `Data of int | `Timeout | `Close ]

let rec step_open (s : open_state) (e : event) : state =
  match (s, e) with
  | `Open n, `Data d -> if d land 15 = 0 then `Waiting (n, d) else `Open ((n + d) land 0xffff)
  | `Open n, `Timeout -> `Waiting (n, 0)
  | `Waiting (n, d), `Data more -> `Open (n + d + more)
  | `Waiting (_, d), `Timeout -> if d > 200 then `Failed "late" else `Closed
  | #open_state, `Close -> `Closed
  | (`Open _ as s), (`Connect | `Accept _) -> (s :> state)
  | `Waiting (n, _), (`Connect | `Accept _) -> step_open (`Open n) `Timeout

let step (s : state) (e : event) : state =
  match s with
  | `Closed -> ( match e with `Connect -> `Open 0 | `Accept _ -> `Listening | _ -> `Closed)
  | `Listening -> ( match e with `Accept n -> `Open n | `Close -> `Closed | _ -> `Listening)
  | #open_state as s -> step_open s e
  | `Failed _ -> ( match e with `Close -> `Closed | _ -> s)

let event x : event =
  match x land 15 with
  | 0 -> `Connect
  | 1 -> `Accept (x lsr 4)
  | 2 -> `Timeout
  | 3 -> if x land 64 = 0 then `Close else `Timeout
  | _ -> `Data (x lsr 4 land 255)

let weight : state -> int = function
  | `Closed -> 1
  | `Listening -> 2
  | `Open n -> n
  | `Waiting (n, d) -> n - d
  | `Failed why -> String.length why

let () =
  let total = ref 0 and x = ref 1 and s = ref (`Closed : state) in
  for _ = 1 to 20_000_000 do
    x := ((!x * 1103515245) + 12345) land 0x3fffffff;
    s := step !s (event (!x lsr 8));
    total := (!total + weight !s) land 0xffffff
  done;
  Printf.printf "%d\n" !total
