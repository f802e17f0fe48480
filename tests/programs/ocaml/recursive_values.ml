(* Values that hold themselves, in every way that OCaml allows. *)
type n =
  | N of int * n
  | L of n list
  | A of n array
  | T of (int * n)
  | E
  | Lz of n Lazy.t
  | F of (unit -> n)
  | R of n ref
  | O of n option

type d = { v : int; inst : d option ref }
type m = { mutable x : int; mutable next : m option }

let rec sum k n =
  let go i m = if k = 0 then i else i + sum (k - 1) m in
  match n with
  | N (i, m) | T (i, m) -> go i m
  | L (m :: _) -> go 10 m
  | A a -> go 20 a.(Array.length a - 1)
  | Lz (lazy m) -> go 30 m
  | F f -> go 40 (f ())
  | R r -> go 50 !r
  | O (Some m) -> go 60 m
  | L [] | O None | E -> 0

let show name n = Printf.printf "%s %d\n" name (sum 7 n)
let say s x = print_string (s ^ " "); x
let force n = Lazy.force n

(* At the top. *)
let rec a = N (1, b) and b = L [ E; a ] and c = L [ b; c ]
let rec tup = (1, t) and t = T tup
let rec arr = [| E; s |] and s = A arr
let rec r = ref q and q = R r
let rec o = let some = Some o in say "o" (); O some
let rec y = let z = N (2, y) in let y' = z in y'
let rec dd = { v = 1; inst = ref (Some dd) }
let base = { x = 3; next = None }
let rec copy = { base with next = Some copy }
let rec get = let v = lazy (force k + 1) in fun () -> force v and k = lazy (say "k" 41)
let rec first = (say "first" (); lazy (force second)) and second = (say "second" (); lazy 5)
and third = say "third" (String.length "third")
let rec table = [ ("even", even); ("odd", odd) ]
and even n = n = 0 || (List.assoc "odd" table) (n - 1)
and odd n = n <> 0 && (List.assoc "even" table) (n - 1)
let rec step = let k = say "step" 1 in fun n -> N (k, if n = 0 then E else other (n - 1))
and other n = step n

let () =
  print_newline ();
  List.iter2 show [ "a"; "b"; "c"; "t"; "s"; "q"; "o"; "y" ] [ a; b; c; t; s; q; o; y ];
  (match !(dd.inst) with Some it -> Printf.printf "dd %d %b\n" it.v (it == dd) | None -> ());
  (match copy.next with Some it -> Printf.printf "copy %d %b %b\n" it.x (it == copy) (base.next = None) | None -> ());
  Printf.printf "%d %d %d %d\n" (get ()) (get ()) (force first) third;
  Printf.printf "%b %b\n" (even 10) (odd 10);
  show "step" (step 3)

(* In a function: each call makes its own. *)
let local i =
  let rec x = N (i, if i > 1 then x else E) in
  let rec l = let open List in let it = L [ l; x ] in ignore (length []); it in
  let rec z = Lz (lazy (F (fun () -> z))) in
  let rec p = O (match p with it -> Some it) in
  List.iter2 show [ "x"; "l"; "z"; "p" ] [ x; l; z; p ]

let () = local 1; local 2
