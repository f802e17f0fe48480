(* Communication over channels: two threads meet, one sends and one receives.

   Who synchronises tries its events in turn: where somebody already waits on the other side, the two meet. Else it leaves
   an entry for each of its events, and waits until somebody meets it at one of them. All this is done under one mutex. *)

[@@@hidden "mutex offer entry basic first_open meet content flatten run_actions turn try_all"]
[@@@abstract "channel event"]

let mutex = Mutex.create ()

(* One that synchronises: which of its events was chosen, -1 as long as none is. *)
type offer = { mutable chosen : int; changed : Condition.t }

(* One that waits at a channel, with the number of the event; what is sent, or where it goes. *)
type 'a entry = { offer : offer; number : int; mutable content : 'a option }
type 'a channel = { mutable senders : 'a entry list; mutable receivers : 'a entry list }

let new_channel () = { senders = []; receivers = [] }

(* Meets somebody at once, if it can; else leaves an entry. Both give what computes the result. *)
type 'a basic = {
  attempt : unit -> (unit -> 'a) option;
  leave : offer -> int -> unit -> 'a;
}

type 'a event =
  | Basic of 'a basic
  | Choose of 'a event list
  | Guard of (unit -> 'a event)
  | Abort of 'a event * (unit -> unit)

(* The first entry of somebody who has not met anybody yet, and all behind it. *)
let rec first_open = function
  | [] -> None
  | entry :: rest -> if entry.offer.chosen < 0 then Some (entry, rest) else first_open rest

let meet entry =
  entry.offer.chosen <- entry.number;
  Condition.signal entry.offer.changed

let always value =
  let attempt () = Some (fun () -> value) in
  Basic { attempt; leave = (fun _ _ () -> value) }

let send channel value =
  let attempt () =
    match first_open channel.receivers with
    | None ->
        channel.receivers <- [];
        None
    | Some (entry, rest) ->
        channel.receivers <- rest;
        entry.content <- Some value;
        meet entry;
        Some (fun () -> ())
  in
  let leave offer number =
    channel.senders <- channel.senders @ [ { offer; number; content = Some value } ];
    fun () -> ()
  in
  Basic { attempt; leave }

let content entry =
  match entry.content with Some value -> value | None -> failwith "Event: nothing was sent"

let receive channel =
  let attempt () =
    match first_open channel.senders with
    | None ->
        channel.senders <- [];
        None
    | Some (entry, rest) ->
        channel.senders <- rest;
        meet entry;
        Some (fun () -> content entry)
  in
  let leave offer number =
    let entry = { offer; number; content = None } in
    channel.receivers <- channel.receivers @ [ entry ];
    fun () -> content entry
  in
  Basic { attempt; leave }

let choose events = Choose events
let guard make = Guard make
let wrap_abort event action = Abort (event, action)

let rec wrap event f =
  match event with
  | Basic { attempt; leave } ->
      let attempt () =
        match attempt () with None -> None | Some result -> Some (fun () -> f (result ()))
      in
      let leave offer number =
        let result = leave offer number in
        fun () -> f (result ())
      in
      Basic { attempt; leave }
  | Choose events -> Choose (List.map (fun event -> wrap event f) events)
  | Guard make -> Guard (fun () -> wrap (make ()) f)
  | Abort (event, action) -> Abort (wrap event f, action)

(* All basic events with the numbers of the actions around them; the actions, last first. *)
let flatten event =
  let actions = ref [] and count = ref 0 in
  let rec walk event around found =
    match event with
    | Basic basic -> (basic, around) :: found
    | Choose events -> List.fold_right (fun event found -> walk event around found) events found
    | Guard make -> walk (make ()) around found
    | Abort (event, action) ->
        incr count;
        actions := (!count, action) :: !actions;
        walk event (!count :: around) found
  in
  let all = Array.of_list (walk event [] []) in
  (all, !actions)

(* Actions run for events that were not chosen. *)
let run_actions actions around =
  List.iter (fun (number, action) -> if not (List.mem number around) then action ()) actions

(* Where the search for somebody who waits begins: another place each time. *)
let turn = Atomic.make 0

let try_all all =
  let count = Array.length all in
  let start = Atomic.fetch_and_add turn 1 in
  let rec search k =
    if k = count then None
    else
      let at = (start + k) mod count in
      match (fst all.(at)).attempt () with
      | Some result -> Some (at, result)
      | None -> search (k + 1)
  in
  search 0

let sync event =
  let all, actions = flatten event in
  Mutex.lock mutex;
  let at, result =
    match try_all all with
    | Some found ->
        Mutex.unlock mutex;
        found
    | None ->
        let offer = { chosen = -1; changed = Condition.create () } in
        let results = Array.mapi (fun i (basic, _) -> basic.leave offer i) all in
        while offer.chosen < 0 do
          Condition.wait offer.changed mutex
        done;
        Mutex.unlock mutex;
        (offer.chosen, results.(offer.chosen))
  in
  run_actions actions (snd all.(at));
  result ()

let select events = sync (Choose events)

let poll event =
  let all, actions = flatten event in
  Mutex.lock mutex;
  let found = try_all all in
  Mutex.unlock mutex;
  match found with
  | Some (at, result) ->
      run_actions actions (snd all.(at));
      Some (result ())
  | None ->
      run_actions actions [];
      None
