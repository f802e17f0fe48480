(* Structures of many types are made and dropped again and again: deep ones, wide ones, types that hold each other,
   parts that others share, constants among the parts. *)

type tree = Leaf | Node of tree * string * tree
type rose = { name : string; kids : rose list }
type expr =
  | Num of float
  | Add of expr * expr
  | If of expr * expr * expr
  | Block of stmt list
  | Call of string * expr array
and stmt = Let of string * expr | While of expr * stmt list | Seq of stmt * stmt
type cell = { mutable link : cell option; data : int * string }
type pair = { one : string option; two : (string * float) option; three : string list }
type thunk = Done of int | Later of (unit -> thunk)

let text i = string_of_int i ^ "!"

(* Left and right chains of any length need no stack. *)
let rec left n t = if n = 0 then t else left (n - 1) (Node (t, text n, Leaf))
let rec right n t = if n = 0 then t else right (n - 1) (Node (Leaf, text n, t))
let rec full d = if d = 0 then Leaf else Node (full (d - 1), text d, full (d - 1))
let rec size = function Leaf -> 0 | Node (_, s, Node (_, _, _)) -> String.length s | Node (l, _, _) -> 1 + size l

let rec deep n r = if n = 0 then r else deep (n - 1) { name = text n; kids = [ r ] }
let wide n = { name = "wide"; kids = List.init n (fun i -> { name = text i; kids = [] }) }

let rec expr n e =
  if n = 0 then e
  else
    expr (n - 1)
      (match n mod 5 with
       | 0 -> Add (e, Num (float_of_int n))
       | 1 -> If (Num 1., e, Add (Num 2., Num 3.))
       | 2 -> Block [ Let (text n, e); While (Num 0., [ Let ("x", Num 1.) ]) ]
       | 3 -> Call ("f", [| Num 1.; e; Num 2. |])
       | _ -> Block [ Seq (Let ("a", Num 4.), Seq (Let ("b", e), Let ("c", Num 5.))) ])

let rec chain n c = if n = 0 then c else chain (n - 1) { link = Some c; data = (n, text n) }
let rec thunk n t = if n = 0 then t else thunk (n - 1) (Later (fun () -> t))
let rec force k = function Done n -> n + k | Later f -> if k > 100 then 100 else force (k + 1) (f ())

let kept = ref [ full 3 ]
let last = ref (Num 0.)
let constant = Node (Leaf, "constant", Node (Leaf, "other", Leaf))

let round i =
  let shared = right 50 constant in
  let total = ref (size shared) in
  let both = Node (shared, text i, Node (left 200 shared, "both", full 6)) in
  total := !total + size both;
  kept := both :: (match !kept with a :: b :: _ -> [ a; b ] | l -> l);
  total := !total + List.length (wide 300).kids + List.length (deep 300 (wide 3)).kids;
  last := Add (!last, expr 40 (Num (float_of_int i)));
  if i mod 4 = 0 then last := Num 0.;
  let c = chain 50 { link = None; data = (0, "end") } in
  (match c.link with Some d -> d.link <- None | None -> ());
  let p = { one = Some (text i); two = Some (text i, 1.5); three = [ text i; "x" ] } in
  let p = if i mod 2 = 0 then { p with one = None } else { p with two = None } in
  (match p.one with Some s -> total := !total + String.length s | None -> ());
  total := !total + force 0 (thunk 60 (Done i)) + List.length p.three;
  !total

let () =
  let sum = ref 0 in
  for i = 1 to 60 do sum := (!sum + round i) land 0xffffff done;
  Printf.printf "%d\n" !sum;
  (* Structures that are much deeper than the stack. *)
  for i = 1 to 2 do
    let t = if i = 1 then left 100_000 Leaf else right 100_000 Leaf in
    let r = deep 100_000 (wide 2) in
    let e = expr 100_000 (Num 1.) in
    let c = chain 100_000 { link = None; data = (0, "end") } in
    let f = thunk 100_000 (Done 3) in
    Printf.printf "%s %d %b %d %d\n"
      (match t with Node (_, s, _) -> s | Leaf -> "")
      (List.length r.kids)
      (match e with If _ -> true | _ -> false)
      (fst c.data) (force 0 f)
  done
