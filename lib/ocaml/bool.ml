(* Truth values *)

[@@@hidden "hash_param"]

type t = bool = false | true

external hash_param : int -> int -> int -> bool -> int = "%hash.param"
external hash : bool -> int = "%hash"
external not : bool -> bool = "%bool.not"
external ( && ) : bool -> bool -> bool = "%sequand"
external ( || ) : bool -> bool -> bool = "%sequor"

let equal (a : t) (b : t) = a = b
let compare (a : t) (b : t) = compare a b
let to_int b = if b then 1 else 0
let to_float b = if b then 1.0 else 0.0
let to_string = string_of_bool
let seeded_hash seed b = hash_param 10 100 seed b
let[@inline] logand a b = a && b
let[@inline] logor a b = a || b
let[@inline] logxor (a : bool) b = a <> b
