(* Names in Latin letters and raw names *)
type forme = Été of int | Œuvre
let été = 3
let \#let = 4
let show ~préfixe n = Printf.printf "%s%d\n" préfixe n
let () = show ~préfixe:"n° " (été + \#let); (match Été 2 with Été n -> show ~préfixe:"é" n | Œuvre -> ())

(* Operators with several indices *)
let ( .%{;..} ) a i = a.(Array.fold_left ( + ) 0 i)
let ( .%{;..}<- ) a i v = a.(Array.fold_left ( + ) 0 i) <- v
let ( .%{} ) a i = a.(i)
let ( .%[;..] ) s i = Array.map (String.get s) i
let a = [| 1; 2; 3; 4 |]
let () = a.%{1; 1} <- 30; Printf.printf "%d %d %d\n" a.%{1; 1} a.%{0} a.%{1; 0; 2};
  Array.iter print_char "hello".%[4; 1]; print_newline ()

(* Inline records with polymorphic fields *)
type t = A of { id : 'a. 'a -> 'a; n : int }
let f (A { id; n }) = (id n, id "s")
let g (A r) = (r.id r.n, r.id "t")
let () = let a = A { id = (fun x -> x); n = 5 } in
  List.iter (fun (n, s) -> Printf.printf "%d%s " n s) [ f a; g a ]; print_newline ()

(* The signature of a structure that includes another has its types *)
module M = struct type t = A | B of int let x = B 3 end
module type S = module type of struct include M let y = A end
module N : S = struct include M let y = B 4 end
let same (x : N.t) : M.t = x
let () = match same N.y with M.B n -> Printf.printf "%d\n" n | M.A -> ()

(* A constraint behind `with type` *)
module type C = sig type 'a t constraint 'a = [> `A ] val x : [ `A | `B ] t end
module type D = C with type 'a t = 'a list constraint 'a = [> `A ]
module E : D = struct type 'a t = 'a list constraint 'a = [> `A ] let x = [ `A; `B ] end
let () = Printf.printf "%d\n" (List.length E.x)

(* Functions of classes and operators say where they are *)
class c x = object method name = __FUNCTION__ method inner = let f () = __FUNCTION__ in f () method x = x + 0 end
class d x y = let z = __FUNCTION__ in object
  inherit c x
  val v = __FUNCTION__
  method z = z method v = v
  method other = ignore y; __FUNCTION__
end
module O = struct let ( +++ ) a b = ignore (a, b); __FUNCTION__ let ( let* ) _ _ = __FUNCTION__ end
let () = let o = new d 1 2 in
  List.iter print_endline [ o#name; o#inner; o#z; o#v; o#other; O.(1 +++ 2); O.( let* ) 1 2 ]
