(** Shapes of the plane.

    {1:making Making shapes}

    A {!t} is made by {!circle} or {!Shapes.square}; see also {!section:areas} and {!Group.S}.

    {[
      let s = Shapes.(circle 1.0)
        (* indented *)
    ]}

    - one [item] with brackets [a.(0)]
    - another, {b bold {i and italic}}, x{^2}

    {ol {- first} {- second {!area} } } *)

(** A shape. *)
type t =
  | Circle of float  (** of a radius *)
  | Rectangle of {
      width : float;  (** to the right *)
      height : float;
    }
  | Empty
      (** Nothing at all. *)

type colour = { red : int; mutable alpha : float (** how dense *) } (** What is seen. *)

type 'a pair = 'a * 'a
type +'a box
type hidden_alias = t list

exception Negative of float
(** Raised by {!circle}. *)

(** {2:areas Areas} *)

val circle : float -> t
(** [circle r] is a circle.
    @param r the radius,
      which is not negative
    @raise Negative if it is
    @raise Not_found never
    @since 1.0
    @see <https://example.org/circles> circles *)

val square : ?name:string -> side:float -> unit -> t
val area : t -> float

(** Adds areas. *)
val ( ++ ) : t -> t -> float

(**/**)

val internal : int

(**/**)

val last : t (** The last one, {{!circle} a circle} or {{:https://example.org} elsewhere}. *)

module Group : sig
  (** What groups need. *)
  module type S = sig
    type elt
    val name : elt -> string (** Its name. *)
  end

  (** Groups of [X]. *)
  module Make (X : S) : sig
    type nonrec t = X.elt list
    val names : t -> string list
    include S with type elt := X.elt
  end
end
