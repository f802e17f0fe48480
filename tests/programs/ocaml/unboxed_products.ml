(* Records and constructors of one or two fields, in every place that holds a value. *)

type dual = { re : float; eps : float }
type meters = M of float
type span = Span of int * string
type ('a, 'b) both = { fst : 'a; snd : 'b }
type 'a wrapped = { inner : 'a }
type counter = { next : unit -> int; reset : int -> unit }
type handler = { handle : int -> int }

let add a b = { re = a.re +. b.re; eps = a.eps +. b.eps }
let mul a b = { re = a.re *. b.re; eps = (a.re *. b.eps) +. (a.eps *. b.re) }
let rec power x n = if n = 0 then { re = 1.0; eps = 0.0 } else mul x (power x (n - 1))
let rec even n d = if n = 0 then d else odd (n - 1) { d with re = d.re +. 1.0 }
and odd n d = if n = 0 then d else even (n - 1) { d with eps = d.eps *. 2.0 }
let root d = if d.re < 0.0 then None else Some { re = sqrt d.re; eps = d.eps /. (2.0 *. sqrt d.re) }
let show d = Printf.sprintf "%g+%ge" d.re d.eps

let () =
  print_endline (show (power { re = 1.5; eps = 1.0 } 3));
  print_endline (show (even 7 { re = 0.0; eps = 1.0 }));
  List.iter (fun d -> print_endline (match root d with Some d -> show d | None -> "none"))
    [ { re = 4.0; eps = 1.0 }; { re = -4.0; eps = 1.0 } ]

(* In arrays, references, mutable fields, lists, hash tables and maps. *)
type place = { mutable at : dual; mutable names : span list; id : int }

module Spans = Map.Make (struct type t = span let compare = compare end)

let () =
  let a = Array.init 4 (fun i -> { re = float_of_int i; eps = 1.0 }) in
  a.(2) <- add a.(1) a.(3);
  Array.sort (fun x y -> compare y.re x.re) a;
  Array.iter (fun d -> print_string (show d ^ " ")) a;
  print_newline ();
  let r = ref { re = 1.0; eps = 1.0 } in
  for i = 1 to 5 do r := mul !r { re = float_of_int i; eps = 0.5 } done;
  print_endline (show !r);
  let p = { at = !r; names = []; id = 3 } in
  p.at <- add p.at p.at;
  p.names <- Span (1, "one") :: Span (2, "two") :: p.names;
  let (Span (n, s)) = List.nth p.names 1 in
  Printf.printf "%s %d %s %d\n" (show p.at) n s p.id;
  let h = Hashtbl.create 8 in
  Hashtbl.replace h { fst = 1; snd = "a" } (M 1.5);
  Hashtbl.replace h { fst = 1; snd = "b" } (M 2.5);
  Hashtbl.replace h { fst = 1; snd = "a" } (M 3.5);
  let (M m) = Hashtbl.find h { fst = 1; snd = "a" } in
  Printf.printf "%g %d\n" m (Hashtbl.length h);
  let m = Spans.add (Span (2, "x")) { inner = [ 1; 2 ] } (Spans.singleton (Span (1, "y")) { inner = [] }) in
  Spans.iter (fun (Span (n, s)) w -> Printf.printf "%d%s:%d " n s (List.length w.inner)) m;
  print_newline ()

(* In each other: one of them has an object. *)
type segment = { from : dual; until : dual }
type tagged = { tag : string; segment : segment }

let length s = sqrt (((s.from.re -. s.until.re) ** 2.0) +. ((s.from.eps -. s.until.eps) ** 2.0))
let flip t = { t with segment = { from = t.segment.until; until = t.segment.from } }

let () =
  let s = { from = { re = 0.0; eps = 3.0 }; until = { re = 4.0; eps = 0.0 } } in
  let t = flip { tag = "t"; segment = s } in
  Printf.printf "%g %s %g\n" (length s) t.tag t.segment.from.re;
  let deep = { inner = { inner = { inner = { fst = { inner = 1 }; snd = { fst = 2; snd = 3 } } } } } in
  Printf.printf "%d %d\n" deep.inner.inner.inner.fst.inner deep.inner.inner.inner.snd.snd

(* Recursive types have objects; those beside them need not. *)
type tree = { value : int; children : tree list }
type node = { label : string; edge : edge }
and edge = Last | To of node
type stream = { head : int; tail : unit -> stream }
type fixed = F of (fixed -> int)

let rec sum t = t.value + List.fold_left (fun s t -> s + sum t) 0 t.children
let rec labels n = n.label ^ match n.edge with Last -> "" | To n -> labels n
let rec from n = { head = n; tail = (fun () -> from (n + 1)) }
let rec take n s = if n = 0 then [] else s.head :: take (n - 1) (s.tail ())

let () =
  let leaf value = { value; children = [] } in
  Printf.printf "%d\n" (sum { value = 1; children = [ leaf 2; { value = 3; children = [ leaf 4 ] } ] });
  print_endline (labels { label = "a"; edge = To { label = "b"; edge = Last } });
  List.iter (Printf.printf "%d ") (take 4 (from 5));
  let apply (F f) x = f x in
  Printf.printf "%d\n" (apply (F (fun (F _) -> 7)) (F (fun _ -> 8)));
  let rec ring = { label = "r"; edge = To ring } in
  (match ring.edge with To n -> Printf.printf "%s %b\n" n.label (n == ring) | Last -> ())

(* Functions in them, and them in functions. *)
let counter start =
  let n = ref start in
  { next = (fun () -> incr n; !n); reset = (fun k -> n := k) }

let rec compose l = match l with [] -> { handle = (fun x -> x) } | f :: r -> let g = compose r in { handle = (fun x -> f.handle (g.handle x)) }

let () =
  let c = counter 10 in
  let a = c.next () in
  let b = c.next () in
  c.reset 1;
  Printf.printf "%d %d %d\n" a b (c.next ());
  let f = compose (List.init 5 (fun k -> { handle = (fun x -> (x * 2) + k) })) in
  Printf.printf "%d\n" (f.handle 1);
  let d = { re = 2.0; eps = 0.25 } in
  let scale = List.map (fun k -> fun x -> mul { re = k; eps = 0.0 } (mul d x)) [ 1.0; 2.0; 3.0 ] in
  print_endline (String.concat " " (List.map (fun f -> show (f d)) scale));
  let { fst = g; snd = { inner = h } } = { fst = (fun x -> x + 1); snd = { inner = String.length } } in
  Printf.printf "%d\n" (g (h "four"))

(* Compared, hashed, raised, forced, matched. *)
exception Wrong of dual * span
exception Only of meters

type shape = Circle of dual * meters | Square of { side : meters; at : dual }
type packed = Packed : 'a wrapped * ('a -> string) -> packed

let () =
  Printf.printf "%b %b %d\n" ({ re = 1.0; eps = nan } = { re = 1.0; eps = nan }) (Span (1, "a") < Span (1, "b"))
    (compare { fst = 1; snd = [ 2 ] } { fst = 1; snd = [] });
  Printf.printf "%b\n" (Hashtbl.hash { fst = 1; snd = "x" } = Hashtbl.hash { fst = 1; snd = "x" });
  (try raise (Wrong ({ re = 1.0; eps = 2.0 }, Span (3, "s"))) with Wrong (d, Span (n, s)) -> Printf.printf "%s %d %s\n" (show d) n s);
  (try raise (Only (M 4.5)) with Only (M m) -> Printf.printf "%g\n" m);
  let l = lazy (print_string "once "; { re = 1.0; eps = 9.0 }) in
  Printf.printf "%g %g\n" (Lazy.force l).re (Lazy.force l).eps;
  let area = function Circle (_, M r) -> 3.0 *. r *. r | Square { side = M s; at } -> (s *. s) +. at.re in
  Printf.printf "%g %g\n" (area (Circle ({ re = 0.0; eps = 0.0 }, M 2.0))) (area (Square { side = M 3.0; at = { re = 1.0; eps = 0.0 } }));
  List.iter (fun (Packed (w, s)) -> print_endline (s w.inner))
    [ Packed ({ inner = 3 }, string_of_int); Packed ({ inner = "s" }, fun s -> s); Packed ({ inner = M 2.0 }, fun (M x) -> string_of_float x) ];
  let s = Seq.unfold (fun d -> if d.re > 4.0 then None else Some (d, add d d)) { re = 1.0; eps = 0.5 } in
  Seq.iter (fun d -> print_string (show d ^ " ")) s;
  print_newline ();
  let z = Complex.mul { Complex.re = 1.0; im = 2.0 } { Complex.re = 3.0; im = -1.0 } in
  Printf.printf "%g %g %g\n" z.re z.im (Complex.norm z)

(* What `==` compares is an object. *)
type name = { first : string; last : string }

let () =
  let a = { first = Sys.opaque_identity "a"; last = "b" } in
  let b = { first = Sys.opaque_identity "a"; last = "b" } in
  Printf.printf "%b %b %b\n" (a == a) (a == b) (a = b)
