(* The places in Match_failure: line and column *)
let show f =
  try ignore (f ()) with
  | Match_failure (_, l, c) -> Printf.printf "%d %d\n" l c
  | e -> print_endline (Printexc.to_string e)
type t = A | B | C of int
let f0 = function A -> 1
let f1 = fun A -> 1
let f2 A = 1
let f3 A B = 1
let f4 x A = 1
let f5 A x y = 1
let f6 (x, A) = 1
let f7 ~l:A = 1
let f8 ~l:(A) () = 1
let f9 ?(o = A) A = match o with A -> 1
let f10 ?o:(A = B) () = 1
let f11 = fun x -> function A -> 1
let f12 x = function A -> 1 | C 1 -> 2
let f13 = fun x A -> 1
let f14 : t -> int = fun A -> 1
let f15 (A : t) : int = 1
let f16 (type a) (x : a) A = 1
let f17 = (fun A -> 1)
let f18 =
  fun
    A -> 1
let f19
   A = 1
let rec f20 A = f21 B
and f21 A = 3
let f22 (A as x) = x
let f23 (A | C 1) = 1
let f24 [x; y] = x
let f25 [| x |] = x
let f26 "a" = 1
let f27 'c' = 1
let f28 1.0 = 1
let f29 (Some x) (Some y) = x + y
let f30 = function | A -> 0 | C 2 -> 1
let f31 = function
  | A -> 0
  | C 2 -> 1
let f32 x = match x with A -> 1
let f33 x = match x with
  | A -> 1
let f34 x = (match x with A -> 1)
let f35 x = begin match x with A -> 1 end
let f36 x = let A = x in 1
let f37 x = let (A, y) = (x, 1) in y
let f38 x = let A = x and y = 1 in y
let f39 x = let y = 1 and A = x in y
let f40 x = let C n as z = x in n
let f41 x = 1 + match x with A -> 1
let f42 x = 1 + (match x with A -> 1)
let f43 x = ignore x; match x with A -> 1
let f44 x = if true then match x with A -> 1 else 3
let f45 x = try match x with A -> 1 with Not_found -> 2
let f46 x = for i = 0 to 0 do let A = x in () done; 1
let f47 x = let open List in let A = x in 1
let f48 x = let module M = struct let f = fun A -> 1 end in M.f x
let f49 x = (fun A -> 1) x
let f50 x = x |> fun A -> 1
let f51 x = x |> function A -> 1
let f52 x = List.map (fun A -> 1) [x]
let f53 x = List.map (function A -> 1) [x]
let f54 x = List.map (fun (A, y) -> y) [x, 1]
let f55 x = List.fold_left (fun a A -> a) 0 [x]
class c A = object method m = 1 end
let f56 x = (new c x)#m
class d = object method m A = 1 method n = fun A -> 1 method o = function A -> 1 method p x = let A = x in 1 method q (x : int) A = 1 end
let o = new d
class e x = let A = x in object method m = 1 end
class i x = object val v : int = (match x with A -> 1) initializer (let A = x in ()) method m = v end
class j = fun A -> object end
class k = fun (x : int) A -> object end
let ob = object method m A = 1 method private n = 2 end
let () =
  show (fun () -> f0 B);
  show (fun () -> f1 B);
  show (fun () -> f2 B);
  show (fun () -> f3 B B);
  show (fun () -> f3 A A);
  show (fun () -> f4 1 B);
  show (fun () -> f5 B 1 2);
  show (fun () -> f6 (1, B));
  show (fun () -> f7 ~l:B);
  show (fun () -> f8 ~l:B ());
  show (fun () -> f9 ~o:B A);
  show (fun () -> f9 B);
  show (fun () -> f10 ());
  show (fun () -> f10 ~o:B ());
  show (fun () -> f11 1 B);
  show (fun () -> f12 1 B);
  show (fun () -> f13 1 B);
  show (fun () -> f14 B);
  show (fun () -> f15 B);
  show (fun () -> f16 1 B);
  show (fun () -> f17 B);
  show (fun () -> f18 B);
  show (fun () -> f19 B);
  show (fun () -> f20 B);
  show (fun () -> f20 A);
  show (fun () -> f22 B);
  show (fun () -> f23 B);
  show (fun () -> f24 [1]);
  show (fun () -> f25 [|1;2|]);
  show (fun () -> f26 "b");
  show (fun () -> f27 'd');
  show (fun () -> f28 2.0);
  show (fun () -> f29 None None);
  show (fun () -> f29 (Some 1) None);
  show (fun () -> f30 B);
  show (fun () -> f31 B);
  show (fun () -> f32 B);
  show (fun () -> f33 B);
  show (fun () -> f34 B);
  show (fun () -> f35 B);
  show (fun () -> f36 B);
  show (fun () -> f37 B);
  show (fun () -> f38 B);
  show (fun () -> f39 B);
  show (fun () -> f40 B);
  show (fun () -> f41 B);
  show (fun () -> f42 B);
  show (fun () -> f43 B);
  show (fun () -> f44 B);
  show (fun () -> f45 B);
  show (fun () -> f46 B);
  show (fun () -> f47 B);
  show (fun () -> f48 B);
  show (fun () -> f49 B);
  show (fun () -> f50 B);
  show (fun () -> f51 B);
  show (fun () -> f52 B);
  show (fun () -> f53 B);
  show (fun () -> f54 B);
  show (fun () -> f55 B);
  show (fun () -> f56 B);
  show (fun () -> o#m B);
  show (fun () -> o#n B);
  show (fun () -> o#o B);
  show (fun () -> o#p B);
  show (fun () -> o#q 1 B);
  show (fun () -> new e B);
  show (fun () -> new i B);
  show (fun () -> new j B);
  show (fun () -> new k 1 B);
  show (fun () -> ob#m B)
let ( let* ) x f = f x
let ( and* ) x y = (x, y)
let () =
  show (fun () -> let* A = B in 1);
  show (fun () -> let* A = B and* y = 1 in 1);
  show (fun () -> let* y = 2 and* A = B in 1);
  show (fun () -> let x = lazy (let A = B in 1) in Lazy.force x);
  show (fun () -> let rec f = fun A -> 1 and g x = f x in g B);
  show (fun () -> let f = function (A, _) -> 1 | (_, B) -> 2 in f (B, A));
  show (fun () -> let f x y = match x, y with A, A -> 1 | B, B -> 2 in f A B);
  show (fun () -> let {contents = A} = ref B in 1);
  show (fun () -> (fun [@warning "-8"] A -> 1) B);
  show (fun () -> let[@warning "-8"] A = B in 1);
  show (fun () -> (function [@warning "-8"] A -> 1) B);
  show (fun () -> match[@warning "-8"] B with A -> 1);
  show (fun () -> (let A = B in 1 : int));
  show (fun () -> let (A : t) = B in 1);
  show (fun () -> let f = fun (type a) (A : t) -> 1 in f B);
  show (fun () -> let f = (fun A : int -> 1) in f B);
  show (fun () -> match B with A -> 1 | exception Not_found -> 2);
  show (fun () -> match B with exception Not_found -> 2 | A when true -> 2);
  show (fun () -> let exception E in let A = B in 1)
let () = show (fun () -> let module F (X : sig val x : t end) = struct let A = X.x end in let module G = F (struct let x = B end) in 1)
module M = struct let f = fun A -> function B -> 1 end
let () = show (fun () -> M.f B B);
  show (fun () -> M.f A A)
let f A = 1 [@@inline]
let () = show (fun () -> f B)
type r = { a : int; mutable b : t }
type _ g = I : int g | S : string g
let f0 x ~l:A = 1
let f1 x ?l:(A = B) () = 1
let f2 x ?(l = B) ~m:(A) () = 1
let f3 x ~(l : t) A = 1
class c1 ~x:A = object end
class c2 (y : int) ~x:A = object end
class c3 (y : int) = let A = B in object end
class c4 (y : int) = let A = A and A = B in object end
class c5 (y : int) = let A = A in let A = B in object end
class c6 (y : int) = let [| A |] = [||] in object end
class c7 ?x:(A = B) () = object end
class c9 (y : int) = let (1, A) = (2, B) in object end
class c10 (y : int) = let 1 = 2 in object end
class c11 (y : int) = let _ = 2 in let y = 3 in let (1 | 2) = 3 in object method m = y end
let () =
  show (fun () -> f0 1 ~l:B);
  show (fun () -> f1 1 ());
  show (fun () -> f2 1 ~m:B ());
  show (fun () -> f3 1 ~l:B B);
  show (fun () -> new c1 ~x:B);
  show (fun () -> new c2 1 ~x:B);
  show (fun () -> new c3 1);
  show (fun () -> new c4 1);
  show (fun () -> new c5 1);
  show (fun () -> new c6 1);
  show (fun () -> new c7 ());
  show (fun () -> new c9 1);
  show (fun () -> new c10 1);
  show (fun () -> new c11 1);
  show (fun () -> let 1 = 2 in 1);
  show (fun () -> let (1, x) = (2, 2) in 1);
  show (fun () -> let [| x |] = [||] in 1);
  show (fun () -> let "a" = "b" in 1);
  show (fun () -> let 'a' .. 'c' = 'd' in 1);
  show (fun () -> let (1 | 2) = 3 in 1);
  show (fun () -> let { a = 1 } = { a = 2; b = A } in 1);
  show (fun () -> let { b = A } = { a = 2; b = B } in 1);
  show (fun () -> let (1 as x) = 2 in x);
  show (fun () -> let (1 : int) = 2 in 1);
  show (fun () -> let lazy 1 = lazy 2 in 1);
  show (fun () -> let lazy A = lazy B in 1);
  show (fun () -> let [1] = [] in 1);
  show (fun () -> let [] = [1] in 1);
  show (fun () -> let x :: _ = [] in x);
  show (fun () -> let None = Some 1 in 1);
  show (fun () -> let true = false in 1);
  show (fun () -> let Not_found = Exit in 1);
  show (fun () -> let (A | B) = C 1 in 1);
  show (fun () -> let 1 = 1 and 2 = 3 in 1);
  show (fun () -> let A = A and B = A in 1);
  show (fun () -> let A = A and 2 = 3 in 1);
  show (fun () -> let x = 1 and A = B in 1);
  show (fun () -> let x = 1 in let A = B in 1);
  show (fun () -> let List.([1]) = [] in 1);
  show (fun () -> let x : t * int = (B, 1) in let A, _ = x in 1);
  show (fun () -> (let A : t = B in 1));
  show (fun () -> let f (x : t) = let [@inline] A = x in 1 in f B)
  [@@warning "-a"]
let () =
  let rec loop n = (let A = if n = 0 then B else A in ()); loop (n - 1) in show (fun () -> loop 3)
let f = fun ~x ~y:A -> x
let () = show (fun () -> f ~x:1 ~y:B)
let f = fun x ~y:A -> function A -> 1
let () = show (fun () -> f 1 ~y:B A);
  show (fun () -> f 1 ~y:A B)
let f = fun x -> begin function A -> 1 end
let () = show (fun () -> f 1 B)
let f = begin function A -> 1 end
let () = show (fun () -> f B)
let f = begin fun A -> 1 end
let () = show (fun () -> f B)
let f : t -> int = (function A -> 1)
let () = show (fun () -> f B)
let f = ((function A -> 1) : t -> int)
let () = show (fun () -> f B)
(* A binding with attributes is no match: the components of a tuple are evaluated from the last. *)
let note x = print_string x; x
let with_attribute () = let[@warning "-8"] (Some a, b) = (Some (note "a"), note "b") in a ^ b
let without () = let (Some a, b) = (Some (note "a"), note "b") in a ^ b
class around (n : int) = let (Some a, b) = (Some (note "a"), note "b") in object method m = a ^ b end
let behind c = let (Some a, b) = if note c = "c" then (Some (note "a"), note "b") else (None, "") in a ^ b
let () = List.iter print_endline [with_attribute ()]; print_endline (without ()); print_endline (new around 1)#m; print_endline (behind "c")
