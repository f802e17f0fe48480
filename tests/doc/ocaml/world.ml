(** A world of {!Shapes}, without an interface. *)

open Shapes

(** A tree. *)
type 'a tree = Leaf | Node of 'a tree * 'a * 'a tree

(* Not for readers. *)
let rec map f = function Leaf -> Leaf | Node (l, x, r) -> Node (map f l, f x, map f r)

(** Both have one comment. *)
let small, large = (circle 1., circle 2.)

(** Refers to {!nothing} and to {!Shapes.t}, {!List.map}, {!map} and {!Counter.next}. *)
let total tree =
  let rec go = function Leaf -> 0. | Node (l, x, r) -> go l +. area x +. go r in
  go tree

class virtual ['a] base = object
  method virtual get : 'a
end

(** Counts. *)
class counter start = object (self)
  inherit [int] base
  val mutable n = start
  (** The number. *)
  method get = n
  method add k = n <- n + k; self#log ("added" ^ string_of_int k)
  method private log (_ : string) = ()
end

class type named = object
  (** A name. *)
  method name : string
end

module type Ordered = sig
  type t
  val compare : t -> t -> int (** As usual. *)
end

(** Trees of ordered things. *)
module Sorted (X : Ordered) = struct
  type set = X.t tree
  let empty : set = Leaf
  let rec insert x = function
    | Leaf -> Node (Leaf, x, Leaf)
    | Node (l, y, r) -> if X.compare x y < 0 then Node (insert x l, y, r) else Node (l, y, insert x r)
end

module Ints = Sorted (Int)

module Counter : sig
  type t
  val start : t
  val next : t -> t * int (** The next number. *)
end = struct
  type t = int
  let start = 0
  let next n = (n + 1, n)
end

module Alias = Counter

module Extended = struct
  include Counter

  (** Twice. *)
  let twice t = next (fst (next t))
end

type event = ..
type event += Click of int | Key of string
let shadowed = 1
let shadowed = "again"
let ( |>> ) x f = f x
