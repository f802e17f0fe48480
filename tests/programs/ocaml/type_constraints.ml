(* [constraint] in types and classes. *)
type 'a t = { first : int; all : 'a; second : 'b } constraint 'a = int * 'b
let make (a, b) = { first = a; all = (a, b); second = b }
let f : (int * string) t -> string = fun t -> t.second ^ snd t.all ^ string_of_int t.first
let () = print_endline (f (make (1, "s")))
let () = Printf.printf "%g\n" (make (1, 2.5)).second

type 'a variants = 'a list constraint 'a = [> `A | `B of int ]
let count (x : [ `A | `B of int | `C ] variants) = List.length x
let () = Printf.printf "%d\n" (count [ `A; `B 1; `C ])

type 'a node = Leaf | Node of 'b * 'a node constraint 'a = 'b list
let rec sum : int list node -> int = function Leaf -> 0 | Node (n, rest) -> n + sum rest
let () = Printf.printf "%d\n" (sum (Node (1, Node (2, Leaf))))

type 'a shape = { area : 'a; tag : [ `X ] } constraint 'a = [> `Num of int ]
let show (s : [ `Num of int | `Text of string ] shape) = match s.area with `Num n -> string_of_int n | `Text t -> t
let () = print_endline (show { area = `Num 3; tag = `X }); print_endline (show { area = `Text "t"; tag = `X })

type 'a ground = 'a * int constraint 'a = string
let g (s, n) : string ground = (s, n)
let () = print_endline (fst (g ("ground", 1)))

type 'a two = B of 'b * 'a two | E constraint 'a = 'b option
let rec depth : int option two -> int = function B (n, two) -> n + depth two | E -> 0

class ['a] pair (x : 'a) = object constraint 'a = int * string method first = fst x method second = snd x end
let () = let o = new pair (3, "u") in Printf.printf "%d %s\n" o#first o#second
class ['a] viewer (x : 'a) = object constraint 'a = < name : string; .. > method show = x#name end
let () = print_endline (new viewer (object method name = "n" method other = 1 end))#show

module type S = sig type 'a t constraint 'a = < m : int; .. > val f : 'a t -> int val inj : (< m : int; .. > as 'a) -> 'a t end
module M : S = struct type 'a t = 'a constraint 'a = < m : int; .. > let f o = o#m let inj o = o end
let () = Printf.printf "%d\n" (M.f (M.inj (object method m = 5 method n = 6 end)))
