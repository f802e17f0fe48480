(* Shared references; programs have one thread. *)

[@@@abstract "t"]

type 'a t = { mutable value : 'a }

let make value = { value }
let get r = r.value
let set r value = r.value <- value

let exchange r value =
  let old = r.value in
  r.value <- value;
  old

let compare_and_set r seen value =
  if r.value == seen then begin
    r.value <- value;
    true
  end
  else false

let fetch_and_add r n =
  let old = r.value in
  r.value <- old + n;
  old

let incr r = r.value <- r.value + 1
let decr r = r.value <- r.value - 1
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
