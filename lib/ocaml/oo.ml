(* Operations on objects. *)

[@@@hidden "copy_with"]

external id : < .. > -> int = "%object.id"
external copy_with : (< .. > as 'a) -> int -> 'a = "%object.copy"

let copy o = copy_with o (Stdlib.new_object_id ())
