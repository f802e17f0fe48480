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

let holders : holder list ref = ref []

let rec drop_all_dead () =
  let found = List.fold_left (fun found it -> it.drop_dead it || found) false !holders in
  holders := List.filter (fun it -> not it.is_over) !holders;
  if found then drop_all_dead ()

(* That takes time for every holder there is; so it waits until there are twice as many. *)
let due = ref 64

let register holder =
  holders := holder :: !holders;
  if List.compare_length_with !holders !due > 0 then begin
    drop_all_dead ();
    due := max 64 (2 * List.length !holders)
  end

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

(* Weak arrays *)

type 'a t = {
  slots : 'a array;
  mutable full : bytes;  (** 1 where there is a value *)
}

let is_full weak i = Bytes.get weak.full i = '\001'

let clear weak i =
  if is_full weak i then begin
    Bytes.set weak.full i '\000';
    ignore (change weak.slots i (-1));
    write weak.slots i (nothing ())
  end

let length weak = Bytes.length weak.full

let drop_dead weak =
  let found = ref false in
  for i = 0 to length weak - 1 do
    if is_full weak i && change weak.slots i 0 then begin
      clear weak i;
      found := true
    end
  done;
  !found

(* An array that nobody has any more gives up all that it holds. *)
let register_array weak =
  let place = weak_place weak in
  let drop_dead holder =
    if is_dead place then begin
      holder.is_over <- true;
      let weak = taken place in
      for i = 0 to length weak - 1 do
        clear weak i
      done;
      true
    end
    else drop_dead (read place 0)
  in
  register { is_over = false; drop_dead }

let create size =
  let weak = { slots = place size; full = Bytes.make size '\000' } in
  register_array weak;
  weak

let set weak i value =
  clear weak i;
  write weak.slots i value;
  Bytes.set weak.full i '\001';
  ignore (change weak.slots i 1)

let check weak i =
  is_full weak i
  && begin
       if change weak.slots i 0 then clear weak i;
       is_full weak i
     end

let get weak i = if check weak i then Some (read weak.slots i) else None

(* Functions that are called with a value, or after it, when it is dead *)

let finalise call value =
  let place = weak_place value in
  let drop_dead holder =
    (not holder.is_over)
    && is_dead place
    && begin
         holder.is_over <- true;
         call (taken place);
         true
       end
  in
  register { is_over = false; drop_dead }

let finalise_last call value =
  let place = weak_place value in
  let drop_dead holder =
    (not holder.is_over)
    && is_dead place
    && begin
         holder.is_over <- true;
         ignore (taken place);
         call ();
         true
       end
  in
  register { is_over = false; drop_dead }

(* Cycles are freed first: what only they refer to is dead after that. *)
let collect () =
  scan ();
  drop_all_dead ();
  scan ()
