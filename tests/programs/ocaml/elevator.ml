(* Elevator simulation: state machine over variants, event list, SCAN scheduling. *)

module IntSet = Set.Make (Int)

type direction = Going_up | Going_down

type state =
  | Idle
  | Moving of direction
  | Doors_open of { left : int; resume : direction option }

type t = { floor : int; state : state; stops : IntSet.t; travelled : int }

type event = Call of int | Nothing

let above t = IntSet.exists (fun f -> f > t.floor) t.stops
let below t = IntSet.exists (fun f -> f < t.floor) t.stops

let choose t preferred =
  match preferred with
  | Some Going_up when above t -> Moving Going_up
  | Some Going_down when below t -> Moving Going_down
  | _ ->
    if above t then Moving Going_up
    else if below t then Moving Going_down
    else Idle

let arrive t resume =
  if IntSet.mem t.floor t.stops then
    { t with stops = IntSet.remove t.floor t.stops; state = Doors_open { left = 2; resume } }
  else t

let tick t event =
  let t = match event with
    | Call f -> { t with stops = IntSet.add f t.stops }
    | Nothing -> t in
  match t.state with
  | Idle ->
    let t = arrive t None in
    if t.state = Idle then { t with state = choose t None } else t
  | Moving d ->
    let floor = t.floor + (match d with Going_up -> 1 | Going_down -> -1) in
    let t = { t with floor; travelled = t.travelled + 1 } in
    let t = arrive t (Some d) in
    (match t.state with
     | Moving _ -> { t with state = choose t (Some d) }
     | _ -> t)
  | Doors_open { left = 1; resume } -> { t with state = choose t resume }
  | Doors_open ({ left; _ } as r) -> { t with state = Doors_open { r with left = left - 1 } }

let show t =
  let s = match t.state with
    | Idle -> "idle"
    | Moving Going_up -> "up"
    | Moving Going_down -> "down"
    | Doors_open { left; _ } -> Printf.sprintf "open(%d)" left in
  Printf.sprintf "floor %d %-8s stops {%s}" t.floor s
    (String.concat "," (List.map string_of_int (IntSet.elements t.stops)))

let calls = [ (1, 5); (2, 2); (4, 8); (9, 1); (15, 3); (15, 0) ]

let () =
  let rec loop time t =
    if time > 45 then t
    else begin
      let event =
        match List.assoc_opt time calls with Some f -> Call f | None -> Nothing in
      let t' = tick t event in
      if t'.state <> t.state then Printf.printf "%2d: %s\n" time (show t');
      loop (time + 1) t'
    end in
  let final = loop 0 { floor = 0; state = Idle; stops = IntSet.empty; travelled = 0 } in
  Printf.printf "travelled %d floors, ended at %d\n" final.travelled final.floor
