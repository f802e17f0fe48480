(* [module type of] a module of the library says what its types are. *)
module E : sig
  include module type of Either
  type ('a, 'b) t = ('a, 'b) Either.t = Left of 'a | Right of 'b
  val swap : ('a, 'b) t -> ('b, 'a) t
end = struct
  include Either
  type ('a, 'b) t = ('a, 'b) Either.t = Left of 'a | Right of 'b
  let swap = function Left a -> Right a | Right b -> Left b
end
let () = match E.swap (Either.Left 3) with Either.Right n -> print_int n | Either.Left _ -> ()
module S : sig include module type of Seq with type 'a node = 'a Seq.node and type 'a t := 'a Seq.t end = Seq
let () = print_int (S.length (S.take 3 (S.ints 0)))
module L : module type of List with type 'a t = 'a list = List
let () = print_int (L.length [ 1; 2 ])
module A : module type of ArrayLabels = ArrayLabels
let () = print_int (A.fold_left ~f:( + ) ~init:0 [| 1; 2 |])

module M : sig type _ t = A : [> `x ] t | B : int -> [> `y ] t val f : [ `x | `y ] t -> int end = struct
  type _ t = A : [> `x ] t | B : int -> [> `y ] t
  let f : [ `x | `y ] t -> int = function A -> 1 | B n -> n
end
let () = print_int (M.f (M.B 3)); print_int (M.f M.A)
