module type S = sig type t val compare : t -> t -> int end
module Inv (X : S) = struct type t = X.t let compare a b = X.compare b a end
module A = Set.Make (Inv (Int))
module B = Set.Make (Inv (Int))
let s : A.t = B.of_list [1; 3; 2]
let () = List.iter print_int (A.elements s); print_newline ()
type k = Set.Make (Inv (Int)).t
let f (x : k) : A.t = x
let () = print_int (A.cardinal (f s)); print_newline ()
module F (X : S) = struct
  module I = struct type t = X.t * X.t let compare (a, b) (c, d) = let r = X.compare a c in if r <> 0 then r else X.compare b d end
  module M = Map.Make (I)
  module N = Set.Make (struct type t = X.t list let compare = List.compare X.compare end)
end
module P = F (Int)
module Q = F (Int)
let m : P.M.key list = [1, 2]
let g (x : P.N.t) : Q.N.t = x
let h (x : F(Int).N.t) : Q.N.t = x
let i (x : string F(Int).M.t) : string F(Int).M.t = x
let () = Q.N.iter (fun l -> print_int (List.length l)) (h (g (P.N.singleton [1; 2])))
let () = print_newline ()
