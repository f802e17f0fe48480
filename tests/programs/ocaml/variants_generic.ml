let wrap x = `W x
let unwrap (`W x) = x
let both a b = (wrap a, wrap b)
type 'a seq = [ `Nil | `Cons of 'a * 'a seq ]
let rec map f : 'a seq -> 'b seq = function `Nil -> `Nil | `Cons (x, r) -> `Cons (f x, map f r)
let rec of_list : 'a list -> 'a seq = function [] -> `Nil | x :: r -> `Cons (x, of_list r)
let rec to_list : 'a seq -> 'a list = function `Nil -> [] | `Cons (x, r) -> x :: to_list r
let rec fold f acc = function `Nil -> acc | `Cons (x, r) -> fold f (f acc x) r
let equal a b = a = b
let max_of l = List.fold_left max (List.hd l) l
module type SHAPE = sig type t val area : t -> float val name : t -> string end
module Describe (S : SHAPE) = struct
  let show x = Printf.sprintf "%s of area %.1f" (S.name x) (S.area x)
  let largest l = List.fold_left (fun m x -> if S.area x > S.area m then x else m) (List.hd l) l
end
module Shapes = struct
  type t = [ `Square of float | `Circle of float | `Both of t * t ]
  let rec area : t -> float = function `Square s -> s *. s | `Circle r -> 3. *. r *. r | `Both (a, b) -> area a +. area b
  let name = function `Square _ -> "square" | `Circle _ -> "circle" | `Both _ -> "both"
end
module D = Describe (Shapes)
module Memo (K : sig type t end) = struct
  let table : (K.t, int) Hashtbl.t = Hashtbl.create 8
  let get f k = try Hashtbl.find table k with Not_found -> let v = f k in Hashtbl.add table k v; v
end
module M = Memo (struct type t = [ `Fib of int | `Fact of int ] end)
let rec calc = function
  | `Fib n -> if n < 2 then n else M.get calc (`Fib (n - 1)) + M.get calc (`Fib (n - 2))
  | `Fact n -> if n = 0 then 1 else n * M.get calc (`Fact (n - 1))
let poly_local x y =
  let tag v = `T (v, v) in
  match tag x, tag y with `T (a, _), `T (_, b) -> (a, b)
exception Problem of [ `Bad of int | `Worse of string ]
let risky n = if n < 0 then raise (Problem (`Bad n)) else if n > 9 then raise (Problem (`Worse (string_of_int n))) else n
let handlers = [| (fun x -> `Int x); (fun x -> `Int (x + 1)); (fun x -> if x > 1 then `Str (string_of_int x) else `None) |]
let state = ref (`Off : [ `Off | `On of int ])
let tick () = state := (match !state with `Off -> `On 1 | `On n when n >= 3 -> `Off | `On n -> `On (n + 1))
type cfg = { mode : [ `A | `B of string ]; mutable last : [ `None | `Some of cfg ] }
let opt ?(k = `K 1) () = match k with `K n -> n | `L s -> String.length s
let rec even = function `Z -> true | `S n -> odd n and odd = function `Z -> false | `S n -> even n
let rec nat n = if n = 0 then `Z else `S (nat (n - 1))
let id_variant (x : [> ]) = x
let swap_pair = function `P (a, b) -> `P (b, a)
let first_ok l = List.fold_left (fun acc x -> match acc, x with (`Ok _ as r), _ -> r | `Err _, r -> r) (`Err "none") l
let () =
  let a, b = both 1 "x" in
  Printf.printf "%d %s\n" (unwrap a) (unwrap b);
  let s = of_list [ 1; 2; 3 ] in
  print_endline (String.concat "," (to_list (map string_of_int s)));
  Printf.printf "%d %.1f\n" (fold ( + ) 0 s) (fold ( +. ) 0. (map float_of_int s));
  Printf.printf "%b %b %b\n" (equal s (of_list [ 1; 2; 3 ])) (equal (`A 1) (`A 2)) (equal [ `X ] [ `X ]);
  (match max_of [ `A 3; `A 7; `B ] with `A n -> Printf.printf "A %d\n" n | `B -> print_endline "B");
  print_endline (D.show (`Both (`Square 2., `Circle 1.)));
  print_endline (D.show (D.largest [ `Square 1.; `Circle 2.; `Square 3. ]));
  Printf.printf "%d %d\n" (calc (`Fib 50)) (calc (`Fact 10));
  let p, q = poly_local 1 "z" in Printf.printf "%d %s\n" p q;
  List.iter (fun n -> match risky n with
    | n -> Printf.printf "fine %d\n" n
    | exception Problem (`Bad n) -> Printf.printf "bad %d\n" n
    | exception Problem (`Worse s) -> Printf.printf "worse %s\n" s) [ 1; -1; 10 ];
  Array.iter (fun f -> match f 3 with `Int n -> Printf.printf "int %d\n" n | `Str s -> Printf.printf "str %s\n" s | `None -> print_endline "none") handlers;
  for _ = 1 to 5 do tick (); print_string (match !state with `Off -> "off " | `On n -> Printf.sprintf "on%d " n) done;
  print_newline ();
  let c = { mode = `B "q"; last = `None } in
  c.last <- `Some { mode = `A; last = `None };
  (match c.last with `Some { mode = `A; _ } -> print_endline "A" | `Some _ | `None -> print_endline "?");
  Printf.printf "%d %d %d\n" (opt ()) (opt ~k:(`K 5) ()) (opt ~k:(`L "four") ());
  Printf.printf "%b %b\n" (even (nat 10)) (odd (nat 1000));
  (match id_variant `Q with `Q -> print_endline "Q" | `R -> print_endline "R");
  (match swap_pair (`P (1, "b")) with `P (s, n) -> Printf.printf "%s%d\n" s n);
  (match first_ok [ `Err "a"; `Ok 3; `Err "b" ] with `Ok n -> Printf.printf "ok %d\n" n | `Err s -> print_endline s);
  let l = List.map (fun x -> if x mod 2 = 0 then `Even x else `Odd (string_of_int x)) [ 1; 2; 3; 4 ] in
  let evens, odds = List.partition (function `Even _ -> true | `Odd _ -> false) l in
  Printf.printf "%d %d\n" (List.length evens) (List.length odds);
  let sum = List.fold_left (fun acc -> function `Even n -> acc + n | `Odd s -> acc + int_of_string s) 0 l in
  Printf.printf "%d\n" sum;
  let q = Queue.create () in
  Queue.add (`Push 1) q; Queue.add `Pop q; Queue.add (`Push 2) q;
  let st = Stack.create () in
  Queue.iter (function `Push n -> Stack.push n st | `Pop -> ignore (Stack.pop st)) q;
  Printf.printf "%d\n" (Stack.top st);
  let f = (function `A -> 1 | `B -> 2 : [ `A | `B ] -> int) in
  let g = (f :> [ `A ] -> int) in
  Printf.printf "%d %d\n" (g `A) (f `B);
  let x = `Deep (`Nested [ `List (Some (`Opt (1, [| `Arr 2.5 |]))) ]) in
  (match x with
   | `Deep (`Nested [ `List (Some (`Opt (n, [| `Arr f |]))) ]) -> Printf.printf "%d %.1f\n" n f
   | `Deep (`Nested _) -> print_endline "other");
  Printf.printf "%b %d\n" (x = `Deep (`Nested [ `List (Some (`Opt (1, [| `Arr 2.5 |]))) ])) (Hashtbl.hash x)
