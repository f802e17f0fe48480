(* functors in packed signatures *)
module type ORD = sig type t val compare : t -> t -> int val show : t -> string end
module type SETS = sig
  type e
  val of_int : int -> e
  module Make : functor (X : ORD) -> sig
    type t
    val empty : t
    val add : X.t -> t -> t
    val to_list : t -> X.t list
  end
  module Two (X : ORD) (Y : sig val n : int end) : sig
    val show : X.t -> e -> string
  end
  module Gen () : sig val next : unit -> int end
end
module L = struct
  type e = string
  let of_int = string_of_int
  module Make (X : ORD) = struct
    type t = X.t list
    let empty = []
    let add x l = List.sort_uniq X.compare (x :: l)
    let to_list l = l
  end
  module Two (X : ORD) (Y : sig val n : int end) = struct
    let show x e = Printf.sprintf "%s/%d/%s" (X.show x) Y.n e
  end
  module Gen () = struct let n = ref 0 let next () = incr n; !n end
end
module T = struct
  type e = int * int
  let of_int n = (n, n + 1)
  module Make (X : ORD) = struct
    module S = Set.Make (X)
    type t = S.t
    let empty = S.empty
    let add = S.add
    let to_list = S.elements
  end
  module Two (X : ORD) (Y : sig val n : int end) = struct
    let show x (a, b) = Printf.sprintf "%s<%d>%d,%d" (X.show x) Y.n a b
  end
  module Gen () = struct let n = ref 100 let next () = decr n; !n end
end
module IntO = struct type t = int let compare a b = compare b a let show = string_of_int end
module StrO = struct type t = string let compare = compare let show s = s end
let use (module P : SETS) =
  let module A = P.Make (IntO) in
  let module B = P.Make (StrO) in
  let s = A.(add 3 (add 1 (add 3 empty))) in
  print_endline (String.concat "," (List.map string_of_int (A.to_list s)));
  print_endline (String.concat "," (B.to_list (B.add "b" (B.add "a" B.empty))));
  let module W = P.Two (StrO) (struct let n = 7 end) in
  print_endline (W.show "x" (P.of_int 4));
  let module G = P.Gen () in
  let module H = P.Gen () in
  Printf.printf "%d %d %d\n" (G.next ()) (G.next ()) (H.next ())
let () = List.iter use [ (module L : SETS); (module T : SETS) ]
