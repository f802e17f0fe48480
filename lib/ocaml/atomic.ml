(* Shared references.

   In programs without domains and threads they are plain references; the compiler knows which (`%domain.any`). In others
   each change is made under a lock of the object, which is held for a moment: so it is one step for values of any size. A
   value of one word is read without it. *)

[@@@hidden "any lock unlock fence is_single get_shared set_shared exchange_shared compare_shared add_shared"]
[@@@abstract "t"]

type 'a t = { mutable value : 'a }

external any : unit -> bool = "%domain.any"
external lock : 'a t -> unit = "%atomic.lock"
external unlock : 'a t -> unit = "%atomic.unlock"
external fence : unit -> unit = "%atomic.fence"
external is_single : 'a t -> bool = "%atomic.single"

let[@inline] get_shared r =
  if is_single r then begin
    fence ();
    r.value
  end
  else begin
    lock r;
    let value = r.value in
    unlock r;
    value
  end

let set_shared r value =
  lock r;
  r.value <- value;
  unlock r

let exchange_shared r value =
  lock r;
  let old = r.value in
  r.value <- value;
  unlock r;
  old

let compare_shared r seen value =
  lock r;
  let is_same = r.value == seen in
  if is_same then r.value <- value;
  unlock r;
  is_same

let add_shared r n =
  lock r;
  let old = r.value in
  r.value <- old + n;
  unlock r;
  old

let make value = { value }
let get r = if any () then get_shared r else r.value
let set r value = if any () then set_shared r value else r.value <- value

let exchange r value =
  if any () then exchange_shared r value
  else begin
    let old = r.value in
    r.value <- value;
    old
  end

let compare_and_set r seen value =
  if any () then compare_shared r seen value
  else if r.value == seen then begin
    r.value <- value;
    true
  end
  else false

let fetch_and_add r n =
  if any () then add_shared r n
  else begin
    let old = r.value in
    r.value <- old + n;
    old
  end

let incr r = if any () then ignore (add_shared r 1) else r.value <- r.value + 1
let decr r = if any () then ignore (add_shared r (-1)) else r.value <- r.value - 1
let make_contended = make

(* Fields of records; the compiler makes these of [%atomic.loc r.f]. *)
module Loc = struct
  type nonrec 'a t = 'a t

  let get = get
  let set = set
  let exchange = exchange
  let compare_and_set = compare_and_set
  let fetch_and_add = fetch_and_add
  let incr = incr
  let decr = decr
end
