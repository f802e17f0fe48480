(* Private rows. *)
module M : sig
  type t = private [> `A | `B of int ]
  val a : t val b : int -> t val c : t
end = struct
  type t = [ `A | `B of int | `C ] let a = `A let b n = `B n let c = `C
end
let show (x : M.t) = match x with `A -> "a" | `B n -> string_of_int n | _ -> "other"
let () = List.iter (fun x -> print_endline (show x)) [ M.a; M.b 3; M.c ]
module type T = sig type t = private < m : int; .. > val make : int -> t end
module O : T = struct type t = < m : int; n : string > let make i = object method m = i method n = "n" end end
let () = Printf.printf "%d\n" (O.make 4)#m
module F (X : sig type t = private [> `Int of int ] val eval : t -> int val make : int -> t end) = struct
  let twice (x : X.t) = match x with `Int n -> 2 * n | _ -> X.eval x
  let known : X.t = X.make 5
end
module R = F (struct type t = [ `Int of int | `Neg of int ] let eval = function `Int n -> n | `Neg n -> -n let make n = `Neg n end)
module N = F (struct type t = [ `Int of int ] let eval (`Int n) = n let make n = `Int n end)
let () = Printf.printf "%d %d %d\n" (R.twice (`Neg 3)) (R.twice R.known) (N.twice N.known)
let widen (x : M.t) = (x :> [> `A | `B of int ])
