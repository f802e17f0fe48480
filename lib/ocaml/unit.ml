(* The type with one value *)

type t = unit = ()

let equal (_ : t) (_ : t) = true
let compare (_ : t) (_ : t) = 0
let to_string (_ : t) = "()"
