(* Domains: threads that run at the same time.

   The number of a thread, which the runtime keeps, is that of its domain and its own: `Thread` starts threads in the same
   way. What a thread runs waits for it in `bodies`. *)

[@@@hidden "domain_spawn domain_self domain_cores cores thread_bits bodies bodies_mutex start_thread take_body"]
[@@@hidden "last_thread next_thread first_threads first_thread"]
[@@@hidden "outcome last_domain running running_mutex begin_domain end_domain most_domains domain_of_thread"]
[@@@hidden "first_spawned first_actions parent_values run_exit_actions forget_domain start thread_number forgetters"]
[@@@hidden "DLS.entry DLS.find DLS.add DLS.forget DLS.push exit_key main_runs_actions"]
[@@@abstract "t DLS.key"]

external domain_spawn : int -> int = "%domain.spawn"
external domain_self : unit -> int = "%domain.self"
external cpu_relax : unit -> unit = "%domain.relax"
external cores : unit -> int = "%domain.cores"

type id = int

let recommended_domain_count () = cores ()

(* The number of a thread: its domain's, and in so many low bits its own. *)
let thread_bits = 32
let domain_of_thread number = number lsr thread_bits
let thread_number number = number land ((1 lsl thread_bits) - 1)
let self () = domain_of_thread (domain_self ())
let is_main_domain () = self () = 0

(* What threads run that have been started, by their numbers. *)
let bodies : (int * (unit -> unit)) list ref = ref []
let bodies_mutex = Mutex.create ()

let take_body number =
  Mutex.lock bodies_mutex;
  let body = List.assoc number !bodies in
  bodies := List.remove_assoc number !bodies;
  Mutex.unlock bodies_mutex;
  body

let start () = (take_body (domain_self ())) () [@@known domain_start]

(* 0, or an error number. *)
let start_thread number body =
  Mutex.lock bodies_mutex;
  bodies := (number, body) :: !bodies;
  Mutex.unlock bodies_mutex;
  let error = domain_spawn number in
  if error <> 0 then ignore (take_body number);
  error

(* OCaml counts the threads of `Thread` and the first ones of domains together: the last number, and those of the first
   threads of the domains that run. *)
let last_thread = Atomic.make 0
let next_thread () = Atomic.fetch_and_add last_thread 1 + 1
let first_threads : (int * int) list ref = ref []

(* Running domains, with a small number each; and what forgets the local values of one. *)
let most_domains = 128
let last_domain = Atomic.make 0
let running : (int * int) list ref = ref [ (0, 0) ]
let running_mutex = Mutex.create ()
let forgetters : (int -> unit) list Atomic.t = Atomic.make []

let begin_domain () =
  Mutex.lock running_mutex;
  if List.length !running >= most_domains then begin
    Mutex.unlock running_mutex;
    failwith "failed to allocate domain"
  end;
  let id = Atomic.fetch_and_add last_domain 1 + 1 in
  let rec unused index =
    if List.exists (fun (_, it) -> it = index) !running then unused (index + 1) else index
  in
  running := (id, unused 0) :: !running;
  first_threads := (id, next_thread ()) :: !first_threads;
  Mutex.unlock running_mutex;
  id

let end_domain id =
  Mutex.lock running_mutex;
  running := List.remove_assoc id !running;
  first_threads := List.remove_assoc id !first_threads;
  Mutex.unlock running_mutex

let first_thread () =
  Mutex.lock running_mutex;
  let thread = List.assoc_opt (self ()) !first_threads in
  Mutex.unlock running_mutex;
  Option.value thread ~default:0

let self_index () =
  Mutex.lock running_mutex;
  let index = List.assoc (self ()) !running in
  Mutex.unlock running_mutex;
  index

(* Values that a domain takes over from the one that starts it: each computes what the new one is to set. *)
let parent_values : (unit -> unit -> unit) list Atomic.t = Atomic.make []

module DLS = struct
  type 'a entry = { owner : int; mutable current : 'a }
  type 'a key = { entries : 'a entry list Atomic.t; init : unit -> 'a }

  let rec find owner = function
    | [] -> None
    | entry :: rest -> if entry.owner = owner then Some entry else find owner rest

  let rec add key entry =
    let entries = Atomic.get key.entries in
    if not (Atomic.compare_and_set key.entries entries (entry :: entries)) then add key entry

  let rec forget key owner =
    let entries = Atomic.get key.entries in
    let kept = List.filter (fun entry -> entry.owner <> owner) entries in
    if not (Atomic.compare_and_set key.entries entries kept) then forget key owner

  let get key =
    let owner = self () in
    match find owner (Atomic.get key.entries) with
    | Some entry -> entry.current
    | None -> (
        let value = key.init () in
        (* Another thread of the domain, or [init] itself, may have been faster. *)
        match find owner (Atomic.get key.entries) with
        | Some entry -> entry.current
        | None ->
            add key { owner; current = value };
            value)

  let set key value =
    let owner = self () in
    match find owner (Atomic.get key.entries) with
    | Some entry -> entry.current <- value
    | None -> add key { owner; current = value }

  let rec push list item =
    let items = Atomic.get list in
    if not (Atomic.compare_and_set list items (item :: items)) then push list item

  let new_key ?split_from_parent init =
    let key = { entries = Atomic.make []; init } in
    push forgetters (forget key);
    (match split_from_parent with
    | None -> ()
    | Some split ->
        push parent_values (fun () ->
            let value = split (get key) in
            fun () -> set key value));
    key
end

let forget_domain id = List.iter (fun forget -> forget id) (Atomic.get forgetters)

(* Actions *)

let first_spawned = Atomic.make false
let first_actions : (unit -> unit) list ref = ref []

let before_first_spawn action =
  if Atomic.get first_spawned then invalid_arg "first domain already spawned"
  else first_actions := action :: !first_actions

let exit_key : (unit -> unit) DLS.key = DLS.new_key (fun () -> fun () -> ())

let run_exit_actions () =
  let actions = DLS.get exit_key in
  actions ()

let main_runs_actions = ref false

let at_exit action =
  if is_main_domain () && not !main_runs_actions then begin
    main_runs_actions := true;
    Stdlib.at_exit run_exit_actions
  end;
  let others = DLS.get exit_key in
  DLS.set exit_key (fun () ->
      action ();
      others ())

(* Domains themselves *)

type 'a outcome = Running | Returned of 'a | Raised of exn

type 'a t = {
  id : int;
  mutex : Mutex.t;
  ended : Condition.t;
  mutable outcome : 'a outcome;
}

let get_id domain = domain.id

let spawn f =
  if not (Atomic.exchange first_spawned true) then begin
    let actions = List.rev !first_actions in
    first_actions := [];
    List.iter (fun action -> action ()) actions
  end;
  let inherited = List.map (fun value -> value ()) (Atomic.get parent_values) in
  let id = begin_domain () in
  let domain =
    { id; mutex = Mutex.create (); ended = Condition.create (); outcome = Running }
  in
  let body () =
    let outcome =
      match
        List.iter (fun set -> set ()) inherited;
        f ()
      with
      | value -> (
          match run_exit_actions () with
          | () -> Returned value
          | exception error -> Raised error)
      | exception error ->
          (try run_exit_actions () with _ -> ());
          Raised error
    in
    forget_domain id;
    end_domain id;
    Mutex.lock domain.mutex;
    domain.outcome <- outcome;
    Condition.broadcast domain.ended;
    Mutex.unlock domain.mutex
  in
  if start_thread (id lsl thread_bits) body <> 0 then begin
    end_domain id;
    failwith "failed to allocate domain"
  end;
  domain

let join domain =
  Mutex.lock domain.mutex;
  while match domain.outcome with Running -> true | Returned _ | Raised _ -> false do
    Condition.wait domain.ended domain.mutex
  done;
  let outcome = domain.outcome in
  Mutex.unlock domain.mutex;
  match outcome with
  | Returned value -> value
  | Raised error -> raise error
  | Running -> assert false
