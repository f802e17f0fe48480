(* Packed modules in patterns, parameters with labels, other packages; recursive modules with functors and parameters. *)
module Part1 = struct
  module type S = sig val x : int end
  let f = function (Some (module M : S), _) | (_, Some (module M : S)) -> M.x | _ -> 0
  let () = print_int (f (Some (module struct let x = 1 end), None)); print_int (f (None, Some (module struct let x = 2 end)))
end
let () = print_newline ()
module Part2 = struct
  module type S = sig type t val x : t val f : t -> int end
  module A = struct type t = int let x = 3 let f = succ end
  let g a b = let (module M : S) = a and (module N : S) = b in M.f M.x + N.f N.x
  let () = print_int (g (module A) (module A))
end
let () = print_newline ()
module Part3 = struct
  module type S = sig val x : int end
  let f ~m:(module M : S) ?(n = (module struct let x = 5 end : S)) () = let module N = (val n) in M.x + N.x
  let () = print_int (f ~m:(module struct let x = 1 end) ()); print_int (f ~m:(module struct let x = 1 end) ~n:(module struct let x = 2 end) ())
end
let () = print_newline ()
module Part4 = struct
  module type S = sig val x : int end
  module type T = sig val inner : (module S) val make : int -> (module S) end
  module M = struct let inner = (module struct let x = 1 end : S) let make n = (module struct let x = n end : S) end
  let f (module T : T) = let (module A) = T.inner in let (module B) = T.make 7 in A.x + B.x
  let () = print_int (f (module M))
end
let () = print_newline ()
module Part5 = struct
  module type S = sig type t val create : unit -> t val push : t -> int -> unit val sum : t -> int end
  module St = struct type t = int Stack.t let create () = Stack.create () let push s x = Stack.push x s let sum s = Stack.fold (+) 0 s end
  module Q = struct type t = int Queue.t let create () = Queue.create () let push q x = Queue.push x q let sum q = Queue.fold (+) 0 q end
  let run (module C : S) = let c = C.create () in for i = 1 to 10 do C.push c i done; C.sum c
  let () = List.iter (fun m -> print_int (run m)) [(module St : S); (module Q)]
end
let () = print_newline ()
module Part6 = struct
  module type S = sig type t val x : t end
  module type T = sig type t val x : t end
  let f (m : (module S)) : (module T) = m
  module type U = sig val y : int type t val x : t end
  let () = print_int 1
end
let () = print_newline ()
module Part7 = struct
  module rec Tree : sig type 'a t = { v : 'a; kids : 'a Forest.t } val size : 'a t -> int val map : ('a -> 'b) -> 'a t -> 'b t end = struct
    type 'a t = { v : 'a; kids : 'a Forest.t }
    let size t = 1 + Forest.size t.kids
    let map f t = { v = f t.v; kids = Forest.map f t.kids }
  end
  and Forest : sig type 'a t = 'a Tree.t list val size : 'a t -> int val map : ('a -> 'b) -> 'a t -> 'b t end = struct
    type 'a t = 'a Tree.t list
    let size f = List.fold_left (fun n t -> n + Tree.size t) 0 f
    let map f l = List.map (Tree.map f) l
  end
  let t = { Tree.v = 1; kids = [ { Tree.v = 2; kids = [] }; { Tree.v = 3; kids = [] } ] }
  let () = print_int (Tree.size t); print_string (String.concat "" (List.map (fun t -> t.Tree.v) (Tree.map string_of_int t).Tree.kids))
end
let () = print_newline ()
module Part8 = struct
  module type T = sig val f : int -> int end
  module rec A : T = struct let f x = if x = 0 then 0 else B.f (x - 1) + 1 end
  and B : T = Mk (A)
  and Mk : functor (X : T) -> T = functor (X : T) -> struct let f = X.f end
  let () = print_int (A.f 4)
end
let () = print_newline ()
module Part9 = struct
  module type S = sig module rec A : sig type t val f : t -> B.t end and B : sig type t val g : t -> A.t end end
  module M : S = struct module rec A : sig type t val f : t -> B.t end = struct type t = int let f x = B.mk x end and B : sig type t val mk : int -> t val g : t -> A.t end = struct type t = X of int let mk x = X x let g _ = assert false end end
  let () = print_int 1
end
let () = print_newline ()
