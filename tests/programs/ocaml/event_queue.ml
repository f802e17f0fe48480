(* Discrete event simulation of a shop with a functor-made priority queue. *)

module type ORDERED = sig
  type t
  val compare : t -> t -> int
end

module Pqueue (K : ORDERED) : sig
  type 'a t
  val empty : 'a t
  val is_empty : 'a t -> bool
  val insert : K.t -> 'a -> 'a t -> 'a t
  val pop : 'a t -> (K.t * 'a * 'a t) option
end = struct
  (* leftist heap *)
  type 'a t = Leaf | Node of int * K.t * 'a * 'a t * 'a t
  let empty = Leaf
  let is_empty t = t = Leaf
  let rank = function Leaf -> 0 | Node (r, _, _, _, _) -> r
  let make k v a b =
    if rank a >= rank b then Node (rank b + 1, k, v, a, b) else Node (rank a + 1, k, v, b, a)
  let rec merge a b =
    match a, b with
    | Leaf, h | h, Leaf -> h
    | Node (_, k1, v1, a1, b1), Node (_, k2, v2, a2, b2) ->
      if K.compare k1 k2 <= 0 then make k1 v1 a1 (merge b1 b) else make k2 v2 a2 (merge a b2)
  let insert k v t = merge (Node (1, k, v, Leaf, Leaf)) t
  let pop = function
    | Leaf -> None
    | Node (_, k, v, a, b) -> Some (k, v, merge a b)
end

module Time = struct
  type t = int * int (* time, sequence number: ties are first come first served *)
  let compare = compare
end

module Q = Pqueue (Time)

type event =
  | Arrive of int
  | Leave of int * int (* customer, clerk *)

type sim = {
  mutable now : int;
  mutable seq : int;
  mutable events : event Q.t;
  waiting : (int * int) Queue.t;
  clerks : int option array;
  mutable served : int;
  mutable total_wait : int;
  mutable longest : int;
}

let schedule s delay e =
  s.seq <- s.seq + 1;
  s.events <- Q.insert (s.now + delay, s.seq) e s.events

let free_clerk s =
  let rec go i =
    if i >= Array.length s.clerks then None
    else if s.clerks.(i) = None then Some i
    else go (i + 1) in
  go 0

let service_time c = 5 + (c * 7 mod 11)

let rec dispatch s =
  match free_clerk s with
  | Some k when not (Queue.is_empty s.waiting) ->
    let (c, since) = Queue.pop s.waiting in
    s.clerks.(k) <- Some c;
    s.total_wait <- s.total_wait + (s.now - since);
    Printf.printf "%4d  clerk %d takes customer %d (waited %d)\n" s.now k c (s.now - since);
    schedule s (service_time c) (Leave (c, k));
    dispatch s
  | _ -> ()

let handle s = function
  | Arrive c ->
    Queue.push (c, s.now) s.waiting;
    s.longest <- max s.longest (Queue.length s.waiting);
    dispatch s;
    if c < 12 then schedule s (1 + (c * 5 mod 7)) (Arrive (c + 1))
  | Leave (c, k) ->
    Printf.printf "%4d  customer %d leaves\n" s.now c;
    s.clerks.(k) <- None;
    s.served <- s.served + 1;
    dispatch s

let rec run s =
  match Q.pop s.events with
  | None -> ()
  | Some ((t, _), e, rest) ->
    s.now <- t;
    s.events <- rest;
    handle s e;
    run s

let () =
  let s = { now = 0; seq = 0; events = Q.empty; waiting = Queue.create ();
            clerks = Array.make 2 None; served = 0; total_wait = 0; longest = 0 } in
  schedule s 0 (Arrive 1);
  run s;
  Printf.printf "served %d, mean wait %.2f, longest queue %d, finished at %d, empty: %b\n"
    s.served (float s.total_wait /. float s.served) s.longest s.now (Q.is_empty s.events)
