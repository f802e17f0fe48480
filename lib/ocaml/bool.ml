(* Truth values *)

type t = bool

external not : bool -> bool = "%bool.not"
external ( && ) : bool -> bool -> bool = "%sequand"
external ( || ) : bool -> bool -> bool = "%sequor"

let equal (a : t) (b : t) = a = b
let compare (a : t) (b : t) = compare a b
let to_int b = if b then 1 else 0
let to_float b = if b then 1.0 else 0.0
let to_string = string_of_bool
