type t = Circle of float | Rectangle of { width : float; height : float } | Empty
type colour = { red : int; mutable alpha : float }
type 'a pair = 'a * 'a
type 'a box = 'a
type hidden_alias = t list
exception Negative of float
let circle r = if r < 0. then raise (Negative r) else Circle r
let square ?(name = "") ~side () = ignore name; Rectangle { width = side; height = side }
let area = function Circle r -> 3. *. r *. r | Rectangle { width; height } -> width *. height | Empty -> 0.
let ( ++ ) a b = area a +. area b
let internal = 1
let last = Empty
module Group = struct
  module type S = sig
    type elt
    val name : elt -> string
  end
  module Make (X : S) = struct
    type t = X.elt list
    let name = X.name
    let names = List.map X.name
  end
end
