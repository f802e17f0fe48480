(* Comparison of values by their representation *)

let phys_equal a b = a == b
let equal a b = a = b
let compare a b = compare a b
let min a b = min a b
let max a b = max a b
