(* Places that hold values weakly: a value whose references all come from such places is dead.

   A place owns its value as others do, and says that it does so weakly; the runtime keeps the number of weak
   references to each object. Who asks for a value finds out that it is dead, and drops it. Values that are no
   objects, and constants of the program, never die. *)

external place : int -> 'a array = "%array.unsafe_uninit"
external nothing : unit -> 'a = "%uninit"
external read : 'a array -> int -> 'a = "%array.unsafe_get"
external write : 'a array -> int -> 'a -> unit = "%array.unsafe_set"

(* Adds to the number of weak references to an element: is it dead? *)
external change : 'a array -> int -> int -> bool = "%weak.count"
external scan : unit -> unit = "%gc.scan"

(* Everything that holds values weakly can be asked to drop those that are dead. *)
type holder = { mutable is_over : bool; drop_dead : holder -> bool  (** has it dropped any? *) }

let holders : holder list Atomic.t = Atomic.make []

let rec change_holders f =
  let before = Atomic.get holders in
  if not (Atomic.compare_and_set holders before (f before)) then change_holders f

(* How many finalisers have been called. *)
let called = Atomic.make 0

(* What is dropped may have held others. Finalisers may attach themselves anew: they have three rounds, as in OCaml.
   [scan] comes before each round. *)
let drop_rounds scan =
  let rec round finalising =
    scan ();
    let before = Atomic.get called in
    let found = List.fold_left (fun found it -> it.drop_dead it || found) false (Atomic.get holders) in
    change_holders (fun all -> List.filter (fun it -> not it.is_over) all);
    let finalising = if Atomic.get called = before then finalising else finalising - 1 in
    if found && finalising > 0 then round finalising
  in
  round 3

let drop_all_dead () = drop_rounds (fun () -> ())

(* That takes time for every holder there is; so it waits until there are twice as many. *)
let due = Atomic.make 64

let register holder =
  change_holders (fun all -> holder :: all);
  if List.compare_length_with (Atomic.get holders) (Atomic.get due) > 0 then begin
    drop_all_dead ();
    Atomic.set due (max 64 (2 * List.length (Atomic.get holders)))
  end

(* In programs with domains a weak place is looked at and changed under its lock, so that nobody finds it empty who has
   just seen a value there. *)
external lock : 'a -> unit = "%atomic.lock"
external unlock : 'a -> unit = "%atomic.unlock"

(* A place for one value, which counts as weak from now on. *)
let weak_place value =
  let place = [| value |] in
  ignore (change place 0 1);
  place

let[@inline] is_dead place = change place 0 0

(* The value, for the last time. *)
let taken place =
  ignore (change place 0 (-1));
  let value = read place 0 in
  write place 0 (nothing ());
  value

(* Has the value died, and is the holder the first to see it? Then it is over, and has the value. *)
let last_value holder place =
  lock place;
  let value =
    if (not holder.is_over) && is_dead place then begin
      holder.is_over <- true;
      Some (taken place)
    end
    else None
  in
  unlock place;
  value

(* Weak arrays *)

type 'a t = {
  slots : 'a array;
  full : bytes;  (** 1 where there is a value *)
  lost : unit -> unit;  (** is called when values were found dead *)
}

let is_full weak i = Bytes.unsafe_get weak.full i = '\001'

(* Whoever calls has the lock. *)
let empty weak i =
  if is_full weak i then begin
    Bytes.unsafe_set weak.full i '\000';
    ignore (change weak.slots i (-1));
    write weak.slots i (nothing ())
  end

let length weak = Bytes.length weak.full

let clear weak i =
  lock weak;
  empty weak i;
  unlock weak

let drop_dead weak =
  let found = ref false in
  for i = 0 to length weak - 1 do
    lock weak;
    if is_full weak i && change weak.slots i 0 then begin
      empty weak i;
      found := true
    end;
    unlock weak
  done;
  if !found then weak.lost ();
  !found

(* An array that nobody has any more gives up all that it holds. *)
let register_array weak =
  let place = weak_place weak in
  let drop_dead holder =
    match last_value holder place with
    | Some weak ->
        for i = 0 to length weak - 1 do
          clear weak i
        done;
        true
    | None ->
        (* Another domain may have taken it meanwhile. *)
        lock place;
        let weak = if holder.is_over then None else Some (read place 0) in
        unlock place;
        (match weak with Some weak -> drop_dead weak | None -> false)
  in
  register { is_over = false; drop_dead }

let create_with lost size =
  let weak = { slots = place size; full = Bytes.make size '\000'; lost } in
  register_array weak;
  weak

let nothing_lost () = ()
let create size = create_with nothing_lost size

let set weak i value =
  lock weak;
  empty weak i;
  write weak.slots i value;
  Bytes.unsafe_set weak.full i '\001';
  ignore (change weak.slots i 1);
  unlock weak

let check weak i =
  lock weak;
  if is_full weak i && change weak.slots i 0 then empty weak i;
  let found = is_full weak i in
  unlock weak;
  found

let get weak i =
  lock weak;
  if is_full weak i && change weak.slots i 0 then empty weak i;
  let found = if is_full weak i then Some (read weak.slots i) else None in
  unlock weak;
  found

(* Puts a copy in place of an object, which holds what that holds. *)
external copy : 'a array -> int -> unit = "%weak.copy"

let get_copy weak i =
  match get weak i with
  | None -> None
  | Some value ->
      let place = [| value |] in
      copy place 0;
      Some (read place 0)

(* Functions that are called with a value, or after it, when it is dead *)

let finalise call value =
  let place = weak_place value in
  let drop_dead holder =
    match last_value holder place with
    | Some value ->
        Atomic.incr called;
        call value;
        true
    | None -> false
  in
  register { is_over = false; drop_dead }

let finalise_last call value =
  let place = weak_place value in
  let drop_dead holder =
    match last_value holder place with
    | Some _ ->
        Atomic.incr called;
        call ();
        true
    | None -> false
  in
  register { is_over = false; drop_dead }

(* Cycles are freed first, and what stores to shared objects have replaced: what only those refer to is dead then. *)
let collect () =
  drop_rounds scan;
  scan ()
