module type T = sig type t val v : t end
module type S = sig
  module Sub : sig
    type u
    module F (X : T) : sig type r = X.t * u val mk : X.t -> u -> r val fst : r -> X.t exception Bad of X.t end
    val u : u
  end
  module H (A : T) (B : T with type t = A.t list) : T with type t = A.t * B.t
  module Id : functor (X : T) -> T with type t = X.t
end
module I = struct
  module Sub = struct
    type u = string
    module F (X : T) = struct type r = X.t * u let mk a b = (a, b) let fst = fst exception Bad of X.t end
    let u = "u"
  end
  module H (A : T) (B : T with type t = A.t list) = struct type t = A.t * B.t let v = (A.v, B.v) end
  module Id (X : T) = X
end
let run (p : (module S)) =
  let module P = (val p) in
  let module X = struct type t = int let v = 5 end in
  let module R = P.Sub.F (X) in
  let r : int * P.Sub.u = R.mk 3 P.Sub.u in
  print_int (R.fst r);
  (try raise (R.Bad 9) with R.Bad n -> print_int n);
  let module L = struct type t = int list let v = [1; 2] end in
  let module H = P.H (X) (L) in
  let (a, b) = H.v in
  print_int (List.fold_left (+) a b);
  let module J = P.Id (X) in
  print_int (J.v + 1);
  print_newline ()
let () = run (module I)
module Plug (Q : sig val p : (module S) end) () = struct
  module P = (val Q.p)
  module J = P.Id (struct type t = string let v = "plug" end)
  let () = print_endline J.v
end
module _ = Plug (struct let p = (module I : S) end) ()
