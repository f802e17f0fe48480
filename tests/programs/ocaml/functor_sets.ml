(* Functors: user signatures, functor of functor, sharing constraints, generative counters. *)

module type EQ = sig type t val eq : t -> t -> bool end
module type SHOW = sig type t val show : t -> string end
module type ELT = sig include EQ include SHOW with type t := t end

module type SET = sig
  type elt
  type t
  val empty : t
  val add : elt -> t -> t
  val mem : elt -> t -> bool
  val size : t -> int
  val show : t -> string
end

module ListSet (E : ELT) : SET with type elt = E.t = struct
  type elt = E.t
  type t = elt list
  let empty = []
  let mem x s = List.exists (E.eq x) s
  let add x s = if mem x s then s else x :: s
  let size = List.length
  let show s = "{" ^ String.concat ", " (List.rev_map E.show s) ^ "}"
end

module Int_elt = struct
  type t = int
  let eq (a : int) b = a = b
  let show = string_of_int
end

module Mod10 = struct
  include Int_elt
  let eq a b = a mod 10 = b mod 10
end

module Pair (A : ELT) (B : ELT) : ELT with type t = A.t * B.t = struct
  type t = A.t * B.t
  let eq (a, b) (c, d) = A.eq a c && B.eq b d
  let show (a, b) = "<" ^ A.show a ^ "," ^ B.show b ^ ">"
end

module Lift (Make : functor (E : ELT) -> SET with type elt = E.t) (E : ELT) = struct
  module S = Make (E)
  let of_list l = List.fold_left (fun s x -> S.add x s) S.empty l
  let print name l =
    let s = of_list l in
    Printf.printf "%s: %d %s\n" name (S.size s) (S.show s)
end

module Ints = Lift (ListSet) (Int_elt)
module Digits = Lift (ListSet) (Mod10)
module Pairs = Lift (ListSet) (Pair (Int_elt) (Mod10))

module Counter () = struct
  let n = ref 0
  let next () = incr n; !n
end
module C1 = Counter ()
module C2 = Counter ()

module type MONOID = sig type t val zero : t val plus : t -> t -> t end
module Fold (M : MONOID) = struct
  let sum = List.fold_left M.plus M.zero
end
module Sum = Fold (struct type t = int let zero = 0 let plus = ( + ) end)
module Prod = Fold (struct type t = int let zero = 1 let plus = ( * ) end)
module Cat = Fold (struct type t = string let zero = "" let plus = ( ^ ) end)
module Max = Fold (struct type t = float let zero = neg_infinity let plus = Float.max end)

let () =
  Ints.print "ints" [ 3; 1; 3; 2; 1 ];
  Digits.print "digits" [ 3; 13; 4; 24; 5 ];
  Pairs.print "pairs" [ (1, 2); (1, 12); (2, 2); (1, 3) ];
  Printf.printf "%b\n" Digits.(S.mem 93 (of_list [ 3 ]));
  let a = C1.next () in
  let b = C1.next () in
  let c = C2.next () in
  Printf.printf "%d %d %d\n" a b c;
  Printf.printf "%d %d %s %g %g\n" (Sum.sum [ 1; 2; 3 ]) (Prod.sum [ 2; 3; 7 ])
    (Cat.sum [ "a"; "b" ]) (Max.sum [ 1.5; 9.25; -3. ]) (Max.sum [])
