(* Types as values *)

[@@@hidden "last believed"]

type (_, _) eq = Equal : ('a, 'a) eq

let last = ref 0

(* An identifier is made for one type, so two that are the same are of one type. *)
external believed : ('a, 'a) eq -> ('a, 'b) eq = "%retype"

module Id = struct
  type 'a t = { id : int }

  let make () =
    incr last;
    { id = !last }

  let uid id = id.id

  let provably_equal (type a b) (first : a t) (second : b t) : (a, b) eq option =
    if first.id = second.id then Some (believed (Equal : (a, a) eq)) else None
end
