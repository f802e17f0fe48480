(* Objects in values of unknown type: in rank-2 fields, existentials, packed modules, nested types. *)
module T1 = struct
  type r = { id : 'a. 'a -> 'a }
  let r = { id = fun x -> x }
  let () = print_endline (r.id (object method s = "3" end))#s
  let () = print_newline ()
end
module T2 = struct
  type any = Any : ('a -> string) * 'a -> any
  let () = match Any ((fun o -> o#s), object method s = "obj" end) with Any (f, x) -> print_endline (f x)
  let () = print_newline ()
end
module T3 = struct
  type ex2 = Ex2 : ('a -> string) * 'a list -> ex2
  let () = match Ex2 ((fun o -> o#s), [object method s = "5" end]) with Ex2 (f, l) -> List.iter (fun x -> print_endline (f x)) l
  let () = print_newline ()
end
module T4 = struct
  type 'a tree = Leaf of 'a | Node of ('a * 'a) tree
  let rec show : 'a. ('a -> string) -> 'a tree -> string = fun f -> function Leaf x -> f x | Node t -> show (fun (a, b) -> f a ^ f b) t
  let o s = object method s = s end
  let () = print_endline (show (fun o -> o#s) (Node (Leaf (o "a", o "b"))))
  let () = print_newline ()
end
module T5 = struct
  module type AP = sig val ap : ('a -> string) -> 'a -> string end
  module Ap : AP = struct let ap f x = f x end
  let ap = (module Ap : AP)
  let () =
    let (module A) = ap in
    print_endline (A.ap (fun o -> o#s) (object method s = "1" end))
  let () = print_newline ()
end
module T6 = struct
  type dyn = Dyn : 'a * ('a -> int) -> dyn
  class ['a] c (x : 'a) = object method get = x end
  let () = match Dyn (new c 7, fun o -> o#get) with Dyn (v, f) -> print_int (f v)
  let () = print_newline ()
end
module T7 = struct
  type ex = Ex : { f : 'a -> string; x : 'a } -> ex
  let () = match Ex { f = (fun o -> o#s); x = object method s = "4" end } with Ex { f; x } -> print_endline (f x)
  let () = print_newline ()
end
module T8 = struct
  type any = Any : 'a * ('a -> unit) -> any
  class ['a] b (x : 'a) = object method get = x end
  let () = List.iter (fun (Any (x, f)) -> f x) [Any (new b 3, fun o -> print_int o#get); Any (new b "s", fun o -> print_string o#get); Any (new b succ, fun o -> print_int (o#get 4))]
  let () = print_newline ()
end
module T9 = struct
  module type M = sig type 'a t val ret : 'a -> 'a t val run : 'a t -> 'a end
  let f (module X : M) = (X.run (X.ret (object method s = "fcm" end)))#s
  let () = print_endline (f (module struct type 'a t = 'a list let ret x = [x] let run = List.hd end))
  let () = print_newline ()
end


type _ t = I : int t | S : string t
let f (type a) (t : a t) n (k : a -> unit) = match t with I -> Printf.printf "[get %d]" n; k n | S -> k "x"
let () = f I 3 (Printf.printf "%d\n"); f S 4 print_endline
