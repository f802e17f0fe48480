(* The rest of the module language: functors, paths with applications, module types, openings, local exceptions. *)
module Part1 = struct
  module type O = sig type t val compare : t -> t -> int end
  module S = Set.Make (String)
  let f (x : Set.Make(String).t) = S.cardinal x
  module F (X : sig type t end) = struct type u = U of X.t type v = X.t list end
  module A = struct type t = int end
  module FA = F (A)
  let g () (x : F(A).u) = match x with FA.U n -> n
  let h (x : F(A).v) = List.length x
  let () = print_int (f (S.of_list ["a";"b"]) + g () (FA.U 4) + h [1])
end
let () = print_newline ()
module Part2 = struct
  module G () = struct type t = T of int let make x = T x let get (T x) = x let r = ref 0 end
  module A = G ()
  module B = G ()
  let () = A.r := 3; print_int !B.r; print_int (A.get (A.make 4))
  module H (X : sig val n : int end) () = struct let r = ref X.n end
  module H1 = H (struct let n = 5 end) ()
  let () = print_int !H1.r
end
let () = print_newline ()
module Part3 = struct
  module type A = sig module type T module M : T end
  module M1 : A with module type T = sig val x : int end = struct module type T = sig val x : int end module M = struct let x = 3 end end
  let () = print_int M1.M.x
  module F (X : A) = struct module N = X.M end
  module Z = F (M1)
  let () = print_int Z.N.x
end
let () = print_newline ()
module Part4 = struct
  module type T = sig type t val x : t end
  module type S = sig module M : T val f : M.t -> int end
  module I = struct type t = int let x = 3 end
  module A : S with module M = I = struct module M = I let f x = x + 1 end
  let () = print_int (A.f 4)
  module B : S with module M := I = struct let f x = x + 2 end
  let () = print_int (B.f 4)
  module type D = sig module Outer : sig module M : T end val g : Outer.M.t -> int end
  module C : D with module Outer.M = I = struct module Outer = struct module M = I end let g x = x end
  let () = print_int (C.g 7)
  module E : D with type Outer.M.t = int = struct module Outer = struct module M = I end let g x = x end
  let () = print_int (E.g 7)
end
let () = print_newline ()
module Part5 = struct
  module M = struct type t = int let x = 3 module N = struct let y = 4 end end
  module type S = module type of M
  module type S2 = module type of struct include M end
  module F (X : module type of M) = struct let z = X.x + X.N.y end
  module G = F (M)
  module H : sig include module type of M val more : int end = struct include M let more = 9 end
  module type S3 = module type of List
  module L : module type of struct include List end = List
  let () = print_int (G.z + H.more + L.length [1;2])
  module P : S = struct type t = int let x = 9 module N = struct let y = 3 end end
  let () = print_int P.x
end
let () = print_newline ()
module Part6 = struct
  module F (X : sig val n : int end) = struct let twice = X.n * 2 type t = T end
  include F (struct let n = 21 end)
  let _ = T
  module M = struct include F (struct let n = 4 end) include (struct let z = 1 end : sig val z : int end) end
  let () = print_int (twice + M.twice + M.z)
end
let () = print_newline ()
module Part7 = struct
  open struct let hidden = 3 type h = H of int end
  let () = print_int hidden
  let f x = let open struct let y = x + 1 module N = struct let z = y * 2 end end in y + N.z
  let () = print_int (f 3)
  module M = struct open struct let a = 5 end let b = a + 1 end
  let () = print_int M.b
  let g x = let module F (X : sig val n : int end) = struct let r = X.n + x end in let module A = F (struct let n = 10 end) in A.r
  let () = print_int (g 5)
  let () = print_int List.(length [1;2] + M.(b))
end
let () = print_newline ()
module Part8 = struct
  let f x = let exception Found of int in try List.iter (fun y -> if y > x then raise (Found y)) [1;5;9]; 0 with Found y -> y
  let () = print_int (f 3); print_int (f 100)
  let g () = let exception E in (fun () -> raise E), (function E -> 1 | _ -> 2)
  let r1, h1 = g () let r2, h2 = g ()
  let () = print_int (try r1 () with e -> h1 e); print_int (try r1 () with e -> h2 e)
end
let () = print_newline ()
module Part9 = struct
  module type A = sig type t val x : t end
  module type B = sig include A val y : t end
  module type C = sig include B with type t = int end
  module type D = sig type u include A with type t := u val z : u -> int end
  module M : D with type u = int = struct type u = int let x = 1 let z = succ end
  let () = print_int (M.z M.x)
  module X : C = struct type t = int let x = 1 let y = 2 end
  let () = print_int (X.x + X.y)
  module type E = sig module type S module F (X : S) : S end
  module Id : E with module type S = A = struct module type S = A module F (X : A) = X end
  module R = Id.F (struct type t = string let x = "q" end)
end
let () = print_newline ()
module Part10 = struct
  module type F = functor (X : sig val n : int end) -> sig val m : int end
  module Apply (G : F) (X : sig val n : int end) = G (X)
  module Double (X : sig val n : int end) = struct let m = X.n * 2 end
  module R = Apply (Double) (struct let n = 4 end)
  let () = print_int R.m
  module type M2 = sig val m : int end
  module Comp (F : functor (X : M2) -> M2) (G : functor (X : M2) -> M2) (X : M2) = F (G (X))
  module Inc (X : M2) = struct let m = X.m + 1 end
  module Dbl (X : M2) = struct let m = X.m * 2 end
  module Z = Comp (Inc) (Dbl) (struct let m = 10 end)
  let () = print_int Z.m
end
let () = print_newline ()
module Part11 = struct
  module A = struct type t = int let x = 1 let show (x : t) = string_of_int x end
  module B = struct include A let x = 2 end
  module C = struct include A type t = string let x = "c" end
  let () = print_string (B.show B.x); print_string C.x
end
let () = print_newline ()
module Part12 = struct
  module M = struct let x = 1 module N = struct type t = int let y = 2 end end
  module type S = sig module A = M module B = M.N val z : B.t end
  module Z : S = struct module A = M module B = M.N let z = 5 end
  let () = print_int (Z.A.x + Z.B.y + Z.z)
end
let () = print_newline ()
module Part13 = struct
  module F (X : sig type t val x : t end) = struct include X let y = X.x end
  module A = struct type t = int let x = 3 end
  module B = F (A)
  let () = print_int (B.y + 1)
  module type S = sig type t val x : t end
  module Id (X : S) : S with type t = X.t = X
  module C = Id (A)
  let () = print_int (C.x + A.x)
end
let () = print_newline ()
module Part14 = struct
  type +'a v = ..
  type 'a v += A of int | B
  type -'a w = ..
  let f : int v -> int = function A n -> n | B -> 0 | _ -> -1
  let () = print_int (f (A 4)); print_int (f B)
end
let () = print_newline ()
module Part15 = struct
  module M : sig type t = private int val make : int -> t type r = private { a : int } val r : r type v = private X | Y of int val y : v end = struct type t = int let make x = x type r = { a : int } let r = {a=3} type v = X | Y of int let y = Y 4 end
  let () = print_int ((M.make 4 :> int) + M.r.M.a + (match M.y with M.X -> 0 | M.Y n -> n))
end
let () = print_newline ()
