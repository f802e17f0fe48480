(* Marks on objects: a table by what an object is, not by what it holds. Objects do not move while they are in it.
   What can be seen must not depend on the order in it. No value of a program holds an entry, so that stores to the table
   close no cycles: it has entries, and no arrays of values. *)

open Eshkol_value

type entry = Hole | Entry of { key : dyn; mutable value : dyn }
type marks = { mutable entries : entry array; mutable count : int }

let marks () = { entries = make 0 Hole; count = 0 }

(* A number that no other object has as long as this one lives. *)
external address : dyn -> int = "%word.to_int"

(* The place of an object, or of the hole where it belongs. *)
let[@inline never] [@rare] find marks v =
  let last = length_of marks.entries - 1 in
  let n = address v in
  let rec go i =
    let i = i land last in
    match get marks.entries i with Entry e when e.key != v -> go (i + 1) | _ -> i
  in
  go (n lxor (n lsr 7) lxor (n lsr 17))

(* The mark of an object; [Nil] if it has none. *)
let[@inline never] [@rare] mark marks v =
  if marks.count = 0 then Nil else match get marks.entries (find marks v) with Entry e -> e.value | Hole -> Nil

let[@inline never] [@rare] widen marks =
  let entries = marks.entries in
  let size = if length_of entries = 0 then 64 else length_of entries * 2 in
  marks.entries <- make size Hole;
  for i = 0 to length_of entries - 1 do
    match get entries i with Entry e as entry -> set marks.entries (find marks e.key) entry | Hole -> ()
  done

let[@inline never] [@rare] set_mark marks v value =
  if marks.count * 2 >= length_of marks.entries then widen marks;
  let at = find marks v in
  match get marks.entries at with
  | Entry e -> e.value <- value
  | Hole ->
      marks.count <- marks.count + 1;
      set marks.entries at (Entry { key = v; value })
