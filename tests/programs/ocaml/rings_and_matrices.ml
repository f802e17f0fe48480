(* functor-heavy: ring, polynomial, matrix, rational *)
module type RING = sig
  type t val zero : t val one : t val add : t -> t -> t val mul : t -> t -> t val neg : t -> t
  val equal : t -> t -> bool val to_string : t -> string end
module type FIELD = sig include RING val inv : t -> t end
module Z = struct type t = int let zero = 0 let one = 1 let add = ( + ) let mul = ( * ) let neg = ( ~- ) let equal = Int.equal let to_string = string_of_int end
module Zn (N : sig val n : int end) : sig include FIELD with type t = private int val of_int : int -> t end = struct
  type t = int
  let norm x = ((x mod N.n) + N.n) mod N.n
  let of_int = norm
  let zero = 0 let one = norm 1 let add a b = norm (a + b) let mul a b = norm (a * b) let neg a = norm (-a)
  let equal = ( = ) let to_string x = Printf.sprintf "%d(%d)" x N.n
  let inv a = let rec go k = if k >= N.n then raise Division_by_zero else if norm (k * a) = 1 then k else go (k + 1) in go 1 end
module Q : sig include FIELD val make : int -> int -> t end = struct
  type t = { n : int; d : int }
  let rec gcd a b = if b = 0 then abs a else gcd b (a mod b)
  let make n d = if d = 0 then raise Division_by_zero else let g = gcd n d in let s = if d < 0 then -1 else 1 in { n = s * n / g; d = s * d / g }
  let zero = make 0 1 let one = make 1 1
  let add a b = make (a.n * b.d + b.n * a.d) (a.d * b.d) let mul a b = make (a.n * b.n) (a.d * b.d) let neg a = { a with n = -a.n }
  let equal = ( = ) let inv a = make a.d a.n
  let to_string { n; d } = if d = 1 then string_of_int n else Printf.sprintf "%d/%d" n d end
module Poly (R : RING) : sig
  include RING val x : t val const : R.t -> t val eval : t -> R.t -> R.t val degree : t -> int
  module Infix : sig val ( + ) : t -> t -> t val ( * ) : t -> t -> t val ( ~- ) : t -> t end end = struct
  type t = R.t list
  let rec trim = function [] -> [] | x :: r -> (match trim r with [] when R.equal x R.zero -> [] | r -> x :: r)
  let zero = [] let one = [R.one] let x = [R.zero; R.one] let const c = trim [c]
  let rec add a b = match a, b with [], l | l, [] -> l | x :: a, y :: b -> trim (R.add x y :: add a b)
  let neg = List.map R.neg
  let rec mul a b = match a with [] -> [] | x :: a -> add (trim (List.map (R.mul x) b)) (match mul a b with [] -> [] | l -> R.zero :: l)
  let equal a b = List.length a = List.length b && List.for_all2 R.equal a b
  let degree l = List.length l - 1
  let eval p v = List.fold_right (fun c acc -> R.add c (R.mul v acc)) p R.zero
  let to_string p = if p = [] then "0" else String.concat " + " (List.mapi (fun i c -> match i with 0 -> R.to_string c | 1 -> R.to_string c ^ "x" | i -> Printf.sprintf "%sx^%d" (R.to_string c) i) p)
  module Infix = struct let ( + ) = add let ( * ) = mul let ( ~- ) = neg end end
module Matrix (R : RING) (D : sig val dim : int end) = struct
  type t = R.t array array
  let make f : t = Array.init D.dim (fun i -> Array.init D.dim (f i))
  let zero = make (fun _ _ -> R.zero) let one = make (fun i j -> if i = j then R.one else R.zero)
  let add a b = make (fun i j -> R.add a.(i).(j) b.(i).(j))
  let neg a = make (fun i j -> R.neg a.(i).(j))
  let mul a b = make (fun i j -> let s = ref R.zero in for k = 0 to D.dim - 1 do s := R.add !s (R.mul a.(i).(k) b.(k).(j)) done; !s)
  let equal a b = Array.for_all2 (Array.for_all2 R.equal) a b
  let to_string m = "[" ^ String.concat "; " (Array.to_list (Array.map (fun r -> String.concat " " (Array.to_list (Array.map R.to_string r))) m)) ^ "]" end
module Pow (M : RING) = struct let rec pow b n = if n = 0 then M.one else if n land 1 = 1 then M.mul b (pow b (n - 1)) else let h = pow b (n / 2) in M.mul h h end
module D2 = struct let dim = 2 end
module PQ = Poly (Q) module PPQ = Poly (PQ) module M2Z = Matrix (Z) (D2) module M2P = Matrix (PQ) (D2)
module F7 = Zn (struct let n = 7 end) module PF7 = Poly (F7)
let check : (module RING) list = [(module Z); (module Q); (module PQ); (module M2Z); (module F7); (module PF7)]
let () =
  let module P = Pow (M2Z) in
  print_endline (M2Z.to_string (P.pow [|[|1;1|];[|1;0|]|] 30));
  let open PQ.Infix in
  let p = PQ.x * PQ.x + PQ.const (Q.make 1 2) * PQ.x + - PQ.one in
  print_endline (PQ.to_string p); print_endline (PQ.to_string (p * p));
  print_endline (Q.to_string (PQ.eval (p * p) (Q.make 3 4)));
  print_endline (PPQ.to_string (PPQ.mul (PPQ.add PPQ.x (PPQ.const p)) PPQ.x));
  print_endline (F7.to_string (F7.inv (F7.of_int 3)));
  Printf.printf "%d\n" (F7.mul (F7.of_int 5) (F7.of_int 6) :> int);
  let module MP = Pow (struct include M2P end) in
  print_endline (M2P.to_string (MP.pow (M2P.make (fun i j -> if i = j then PQ.x else PQ.one)) 3));
  List.iteri (fun i (module R : RING) ->
    let two = R.add R.one R.one in
    Printf.printf "%d: %s %b\n" i (R.to_string (R.mul two two)) (R.equal (R.add two (R.neg two)) R.zero)) check;
  (try ignore (F7.inv F7.zero) with Division_by_zero -> print_endline "div")
