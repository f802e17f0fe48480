(* Structures that refer to themselves, made and forgotten again and again. *)

let show name n = Printf.printf "%s %d\n" name n

(* A ring of doubly linked nodes. *)
type node = { value : string; mutable prev : node; mutable next : node }

let ring n =
  let rec first = { value = "0"; prev = first; next = first } in
  for i = 1 to n - 1 do
    let last = first.prev in
    let it = { value = string_of_int i; prev = last; next = first } in
    last.next <- it;
    first.prev <- it
  done;
  first

let length ring =
  let rec go node n = if node == ring then n else go node.next (n + 1) in
  go ring.next 1

let back ring =
  let rec go node text = if node == ring then text else go node.prev (text ^ node.value) in
  go ring.prev ""

let () =
  let total = ref 0 in
  for i = 1 to 300 do
    total := !total + length (ring (1 + (i mod 7)))
  done;
  show "rings" !total;
  print_endline (back (ring 6))

(* A list with both ends known, and removal from the middle. *)
module Dlist = struct
  type 'a cell = { item : 'a; mutable left : 'a cell option; mutable right : 'a cell option }
  type 'a t = { mutable head : 'a cell option; mutable last : 'a cell option; mutable size : int }

  let create () = { head = None; last = None; size = 0 }

  let push t item =
    let cell = { item; left = t.last; right = None } in
    (match t.last with None -> t.head <- Some cell | Some it -> it.right <- Some cell);
    t.last <- Some cell;
    t.size <- t.size + 1;
    cell

  let remove t cell =
    (match cell.left with None -> t.head <- cell.right | Some it -> it.right <- cell.right);
    (match cell.right with None -> t.last <- cell.left | Some it -> it.left <- cell.left);
    t.size <- t.size - 1

  let to_list t =
    let rec go cell acc =
      match cell with None -> acc | Some it -> go it.left (it.item :: acc)
    in
    go t.last []
end

let () =
  for round = 1 to 100 do
    let list = Dlist.create () in
    let cells = List.map (fun i -> Dlist.push list (string_of_int i)) [ 1; 2; 3; 4; 5 ] in
    Dlist.remove list (List.nth cells 2);
    Dlist.remove list (List.hd cells);
    if round = 100 then print_endline (String.concat " " (Dlist.to_list list))
  done

(* Trees whose children know their parent. *)
type tree = { label : string; mutable parent : tree option; mutable children : tree list }

let rec grow depth label =
  let it = { label; parent = None; children = [] } in
  if depth > 0 then
    it.children <-
      List.map
        (fun i ->
          let child = grow (depth - 1) (label ^ string_of_int i) in
          child.parent <- Some it;
          child)
        [ 0; 1 ];
  it

let rec path it = match it.parent with None -> [ it.label ] | Some up -> it.label :: path up

let rec leftmost it = match it.children with [] -> it | first :: _ -> leftmost first

let () =
  for _ = 1 to 40 do
    ignore (grow 4 "r")
  done;
  print_endline (String.concat "<" (path (leftmost (grow 3 "r"))))

(* A graph by adjacency lists. *)
type vertex = { id : int; mutable edges : vertex list; mutable seen : bool }

let reach n step =
  let all = Array.init n (fun id -> { id; edges = []; seen = false }) in
  Array.iter
    (fun it -> it.edges <- [ all.((it.id + step) mod n); all.((it.id * 2) mod n) ])
    all;
  let rec visit it = if it.seen then 0 else (it.seen <- true; List.fold_left (fun n v -> n + visit v) 1 it.edges) in
  visit all.(1)

let () =
  let sum = ref 0 in
  for i = 1 to 60 do
    sum := !sum + reach 30 i
  done;
  show "graphs" !sum

(* Objects that tell each other. *)
type subject = { name : string; mutable observers : (string -> unit) list }

let log = Buffer.create 100

let observe () =
  let a = { name = "a"; observers = [] } and b = { name = "b"; observers = [] } in
  let notify it text = List.iter (fun f -> f text) it.observers in
  a.observers <- (fun text -> Buffer.add_string log (a.name ^ text ^ b.name)) :: a.observers;
  b.observers <- (fun text -> if String.length text < 4 then notify a (text ^ "+")) :: b.observers;
  a.observers <- (fun text -> notify b text) :: a.observers;
  notify a "x"

let () =
  for _ = 1 to 100 do
    Buffer.clear log;
    observe ()
  done;
  print_endline (Buffer.contents log)

(* Recursion through a cell. *)
let knot () =
  let fact = ref (fun n -> n) in
  (fact := fun n -> if n = 0 then 1 else n * !fact (n - 1));
  !fact 10

let memo f =
  let table = Hashtbl.create 16 in
  let self = ref (fun _ -> 0) in
  (self :=
     fun n ->
       match Hashtbl.find_opt table n with
       | Some it -> it
       | None ->
           let it = f !self n in
           Hashtbl.add table n it;
           it);
  !self

let () =
  for _ = 1 to 100 do
    ignore (knot ())
  done;
  show "knot" (knot ());
  let sum = ref 0 in
  for i = 1 to 50 do
    sum := !sum + memo (fun self n -> if n < 2 then n else self (n - 1) + self (n - 2)) i
  done;
  show "memo" !sum

(* Tables and arrays that hold themselves. *)
type any = Int of int | Array of any array | Table of (string, any) Hashtbl.t | Fun of (unit -> any)

let rec weigh depth = function
  | Int n -> n
  | Array a -> if depth = 0 then 1 else Array.fold_left (fun n it -> n + weigh (depth - 1) it) 0 a
  | Table t -> if depth = 0 then 1 else Hashtbl.fold (fun _ it n -> n + weigh (depth - 1) it) t 0
  | Fun f -> if depth = 0 then 1 else weigh (depth - 1) (f ())

let () =
  let sum = ref 0 in
  for i = 1 to 80 do
    let a = Array.make (1 + (i mod 90)) (Int i) in
    let t = Hashtbl.create 4 in
    a.(0) <- Array a;
    if i mod 90 > 1 then a.(1) <- Table t;
    Hashtbl.replace t "self" (Table t);
    Hashtbl.replace t "array" (Array a);
    Hashtbl.replace t "fun" (Fun (fun () -> Array a));
    Array.blit a 0 a (Array.length a / 2) 1;
    sum := !sum + weigh 3 (Table t)
  done;
  show "any" !sum

(* Cycles with more fields than a header can describe. *)
type wide = {
  mutable w0 : wide option; w1 : string; w2 : int; w3 : int; w4 : int; w5 : int; w6 : int; w7 : int;
  w8 : int; w9 : int; w10 : int; w11 : int; w12 : int; w13 : int; w14 : string; mutable w15 : wide list;
}

let wide i =
  let it =
    { w0 = None; w1 = string_of_int i; w2 = 2; w3 = 3; w4 = 4; w5 = 5; w6 = 6; w7 = 7; w8 = 8; w9 = 9;
      w10 = 10; w11 = 11; w12 = 12; w13 = 13; w14 = string_of_int (i * i); w15 = [] }
  in
  it.w0 <- Some it;
  it.w15 <- [ it; it ];
  it

let () =
  let kept = ref [] in
  for i = 1 to 200 do
    let it = wide i in
    if i mod 50 = 0 then kept := it :: !kept
  done;
  List.iter (fun it -> print_string (it.w1 ^ ":" ^ (List.hd it.w15).w14 ^ " ")) !kept;
  print_newline ()

(* What is still needed stays, whatever dies around it. *)
let () =
  let shared = ring 3 in
  let keep = ref [ shared ] in
  for i = 1 to 200 do
    let other = ring 4 in
    other.next <- shared;
    if i mod 40 = 0 then keep := other :: !keep
  done;
  List.iter (fun it -> print_string (it.next.value ^ it.prev.value ^ " ")) !keep;
  print_newline ()

(* An exception that is held by what it holds. *)
type job = { title : string; mutable failure : exn option }

exception Stuck of job

let () =
  let texts = ref 0 in
  for i = 1 to 100 do
    let job = { title = string_of_int i; failure = None } in
    (try if i mod 3 > 0 then raise (Stuck job) with e -> job.failure <- Some e);
    match job.failure with
    | Some (Stuck it) when it == job -> texts := !texts + String.length it.title
    | _ -> ()
  done;
  show "exceptions" !texts

(* Lazy values that refer to what holds them. *)
type stream = { head : int; mutable tail : stream Lazy.t }

let () =
  let sum = ref 0 in
  for i = 1 to 100 do
    let rec s = { head = i; tail = lazy { head = 2; tail = lazy s } } in
    let third = Lazy.force (Lazy.force s.tail).tail in
    sum := !sum + third.head
  done;
  show "lazy" !sum
