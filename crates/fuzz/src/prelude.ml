exception Fuel

let fuel = ref 2000

let tick () = decr fuel; if !fuel < 0 then raise Fuel

let burn () = fuel := !fuel - 100; if !fuel < 0 then raise Fuel

let logged = ref 0

let log n = incr logged; if !logged < 120 then (print_int n; print_char ' ')

let say s = incr logged; if !logged < 120 then (print_string s; print_char ' ')

let cut s = if String.length s > 60 then String.sub s 0 60 else s

let probe f = try f () with e -> "raised " ^ Printexc.to_string e

let report f = fuel := 2000; let s = probe f in print_newline (); print_string s; print_newline (); fuel := 2000

let caught e = print_string ("[" ^ Printexc.to_string e ^ "]"); fuel := 2000

let show_int = string_of_int

let show_bool b = if b then "true" else "false"

let show_string s = "'" ^ cut s ^ "'"

let show_float f = string_of_float f

let show_unit () = "()"

let show_exn e = "exn " ^ Printexc.to_string e

let rec first n l = match l with x :: rest when n > 0 -> x :: first (n - 1) rest | _ -> []

let show_list f l = "[" ^ String.concat "; " (List.map f (first 6 l)) ^ "]" ^ string_of_int (List.length l)

let show_option f o = match o with None -> "None" | Some x -> "Some " ^ f x

let show_ref f r = "ref " ^ f !r

let show_array f a = "[|" ^ show_list f (Array.to_list a) ^ "|]"

let show_lazy f l = "lazy " ^ f (Lazy.force l)

type 'a box = { mutable v : 'a; tag : int }

let show_box f d b = if d = 0 then "." else "{" ^ f b.v ^ "; " ^ show_int b.tag ^ "}"

type 'a tree = Leaf | Node of 'a tree * 'a * 'a tree

let rec show_tree f d t = match t with
  | Leaf -> "-"
  | Node (l, x, r) -> if d = 0 then "." else "(" ^ show_tree f (d - 1) l ^ f x ^ show_tree f (d - 1) r ^ ")"

let rec limit_tree d t = match t with
  | Leaf -> Leaf
  | Node (l, x, r) -> if d = 0 then Leaf else Node (limit_tree (d - 1) l, x, limit_tree (d - 1) r)

type ('a, 'b) sum = L of 'a | R of 'b

let show_sum f g d s = match s with L x -> "L " ^ f x | R y -> "R " ^ g y

let cat a b = let s = a ^ b in if String.length s > 48 then String.sub s 0 48 else s

let clamp x = if x < 1e6 && x > -1e6 then x else 1.5

let app a b = first 20 (a @ b)

let at a i d = let n = Array.length a in if n = 0 then d else a.((i land max_int) mod n)

let put a i x = let n = Array.length a in if n > 0 then a.((i land max_int) mod n) <- x

let nth l i d = match List.nth_opt l (i land 15) with Some x -> x | None -> d

let init n f = List.init (n land 7) f

let cmp a b = compare a b

let sort l = List.sort compare l

let id x = x

let konst x _ = x

let flip f x y = f y x

let compose f g x = f (g x)

let twice f x = tick (); f (f x)

let rec repeat n f x = tick (); if n <= 0 then x else repeat (n - 1) f (f x)

let apply f x = f x

let curry f a b = f (a, b)

let uncurry f (a, b) = f a b

let swap (a, b) = (b, a)

let both f (a, b) = (f a, f b)

let pair a b = (a, b)

let dup x = (x, x)

let bracket f g x = try f x with Not_found -> g x

let tap f x = f x; x

let memo f =
  let cache = ref [] in
  fun x -> match List.assoc_opt x !cache with
    | Some y -> y
    | None -> let y = f x in cache := (x, y) :: !cache; y

let counter () = let c = ref 0 in fun k -> c := !c + k; !c

let rec fold_tree f t acc = tick (); match t with
  | Leaf -> acc
  | Node (l, x, r) -> fold_tree f r (f x (fold_tree f l acc))

let rec map_tree f t = tick (); match t with
  | Leaf -> Leaf
  | Node (l, x, r) -> let r' = map_tree f r in Node (map_tree f l, f x, r')

let rec insert x t = tick (); match t with
  | Leaf -> Node (Leaf, x, Leaf)
  | Node (l, y, r) -> if x < y then Node (insert x l, y, r) else if x > y then Node (l, y, insert x r) else t

let either f g s = match s with L x -> f x | R y -> g y

let set_box b x = b.v <- x; b.tag

let rec sum_by f l = tick (); match l with [] -> 0 | x :: rest -> f x + sum_by f rest

let or_else ?(default = 0) o = match o with Some x -> x | None -> default

let fold ~f ~init l = List.fold_left f init l

module Counter (X : sig val start : int val step : int -> int end) = struct
  let r = ref X.start
  let next x = r := X.step (!r + x); !r
  let peek () = !r
end

module Cell (X : sig type t val initial : t val render : t -> string end) = struct
  let cell = ref X.initial
  let swap x = let old = !cell in cell := x; old
  let text k = cat (X.render !cell) (string_of_int k)
end

module Scale (X : sig val by : int end) = struct
  module Inner = struct let apply x = x * X.by end
  let apply = Inner.apply
  let table = List.map apply [ 1; 2; X.by ]
  let all f = List.fold_left (fun acc x -> acc + f x) 0 table
end

module Features = struct
  type _ term =
    | Value : 'a -> 'a term
    | If : bool term * 'a term * 'a term -> 'a term
    | Pair : 'a term * 'b term -> ('a * 'b) term
    | Fst : ('a * 'b) term -> 'a term
    | Apply : ('b -> 'a) term * 'b term -> 'a term
  let rec eval : type a. a term -> a = function
    | Value x -> x
    | If (c, a, b) -> if eval c then eval a else eval b
    | Pair (a, b) -> let b = eval b in (eval a, b)
    | Fst p -> fst (eval p)
    | Apply (f, x) -> let x = eval x in (eval f) x
  type hidden = Hidden : 'a * ('a -> string) -> hidden
  let reveal (Hidden (x, show)) = show x
  class ['a] cell (x : 'a) = object val v = x method get = v method put y = {< v = y >} end
  class ['a] twice x = object
    inherit ['a] cell x as super
    method! get = ignore super#get; v
    method both = (super#get, v)
  end
  let get o = o#get
  let unrow default = function `A x -> x | `B (x, _) -> x | _ -> default
  let closed = function `A x -> x | `B (x, n) -> ignore (n + 1); x | `C f -> f ()
  module type BOX = sig type t val it : t val map : (t -> t) -> t end
  let box (type a) (x : a) = (module struct type t = a let it = x let map f = f x end : BOX with type t = a)
  let unbox (type a) (module B : BOX with type t = a) = B.map (fun x -> ignore x; B.it)
  module type SHOWN = sig type t val it : t val show : t -> string end
  let shown (type a) (x : a) (f : a -> string) =
    let module M = struct type t = a let it = x let show = f end in
    let (module P : SHOWN) = (module M) in
    P.show P.it
end
