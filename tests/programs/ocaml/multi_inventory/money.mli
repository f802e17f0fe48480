type t

val zero : t
val of_cents : int -> t
val add : t -> t -> t
val times : int -> t -> t
val compare : t -> t -> int
val to_string : t -> string
