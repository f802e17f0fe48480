type t = int

let zero = 0
let of_cents n = if n < 0 then invalid_arg "Money.of_cents" else n
let add = ( + )
let times = ( * )
let compare = Int.compare
let to_string n = Printf.sprintf "%d.%02d" (n / 100) (n mod 100)
