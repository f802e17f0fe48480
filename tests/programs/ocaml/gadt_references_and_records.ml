module P0 = struct
  type r = { mutable f : int; g : int } type nested = { h : r; mutable arr : int array }
  exception Boom of int
  type _ t = X : (int ref) t | I : int t
  let use : type a. a t -> a -> int = fun t x -> match t with X -> (!x) | I -> x
  let () = print_int (use I 3)
end

let () = print_newline ()

module P1 = struct
  type r = { mutable f : int; g : int } type nested = { h : r; mutable arr : int array }
  exception Boom of int
  type _ t = X : (r) t | I : int t
  let use : type a. a t -> a -> int = fun t x -> match t with X -> ((let y = { x with f = 3 } in y.f)) | I -> x
  let () = print_int (use I 3)
end

let () = print_newline ()

module P2 = struct
  type _ k = Int : int k | Ref : 'a k -> 'a ref k
  let rec show : type a. a k -> a -> string = fun k x -> match k with Int -> string_of_int x | Ref a -> "ref " ^ show a !x
  let () = print_string (show (Ref Int) (ref 1))
end

let () = print_newline ()

module P3 = struct
  type r = { mutable f : int; g : int }
  type _ t = R : r t | I : int t
  let use : type a. a t -> a -> a = fun t x -> match t with R -> { x with g = 3 } | I -> x + 1
  let () = let r = { f = 1; g = 2 } in print_int (use R r).g; print_int (use I 3)
end

let () = print_newline ()
