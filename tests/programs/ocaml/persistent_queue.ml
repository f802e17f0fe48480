(* Banker's queue, a deque, and a real-time style lazy queue under one signature. *)

module type QUEUE = sig
  type 'a t
  val empty : 'a t
  val push : 'a -> 'a t -> 'a t
  val pop : 'a t -> ('a * 'a t) option
end

module Batched : QUEUE = struct
  type 'a t = { front : 'a list; back : 'a list }
  let empty = { front = []; back = [] }
  let norm = function { front = []; back } -> { front = List.rev back; back = [] } | q -> q
  let push x q = norm { q with back = x :: q.back }
  let pop q = match q.front with
    | [] -> None
    | x :: front -> Some (x, norm { q with front })
end

module Bankers : QUEUE = struct
  type 'a stream = 'a cell Lazy.t
  and 'a cell = Nil | Cons of 'a * 'a stream
  type 'a t = int * 'a stream * int * 'a list
  let nil = lazy Nil
  let empty = (0, nil, 0, [])
  let rec append s t =
    lazy (match Lazy.force s with
        | Nil -> Lazy.force t
        | Cons (x, s) -> Cons (x, append s t))
  let of_list l = List.fold_right (fun x s -> lazy (Cons (x, s))) l nil
  let check ((lf, f, lr, r) as q) =
    if lr <= lf then q else (lf + lr, append f (lazy (Lazy.force (of_list (List.rev r)))), 0, [])
  let push x (lf, f, lr, r) = check (lf, f, lr + 1, x :: r)
  let pop (lf, f, lr, r) =
    match Lazy.force f with
    | Nil -> None
    | Cons (x, f) -> Some (x, check (lf - 1, f, lr, r))
end

module Deque = struct
  type 'a t = 'a list * 'a list
  let empty = ([], [])
  let rec split n l = if n = 0 then ([], l) else match l with
      | [] -> ([], [])
      | x :: r -> let a, b = split (n - 1) r in (x :: a, b)
  let balance = function
    | [], (_ :: _ :: _ as r) -> let a, b = split (List.length r / 2) r in (List.rev b, a)
    | (_ :: _ :: _ as f), [] -> let a, b = split (List.length f / 2) f in (a, List.rev b)
    | d -> d
  let push_front x (f, r) = balance (x :: f, r)
  let push_back x (f, r) = balance (f, x :: r)
  let pop_front = function
    | [], [] -> None
    | [], x :: _ -> Some (x, empty)
    | x :: f, r -> Some (x, balance (f, r))
  let pop_back (f, r) = Option.map (fun (x, (r, f)) -> (x, (f, r))) (pop_front (r, f))
end

module Check (Q : QUEUE) = struct
  let rec drain q = match Q.pop q with None -> [] | Some (x, q) -> x :: drain q
  let run name =
    let q = List.fold_left (fun q x -> Q.push x q) Q.empty [ 1; 2; 3; 4; 5 ] in
    let saved = q in
    let q = match Q.pop q with Some (_, q) -> Q.push 6 q | None -> q in
    Printf.printf "%s: %s / %s\n" name
      (String.concat "" (List.map string_of_int (drain q)))
      (String.concat "" (List.map string_of_int (drain saved)));
    (* josephus *)
    let rec kill q alive =
      if alive = 1 then match Q.pop q with Some (x, _) -> x | None -> -1
      else
        let rec skip k q =
          match Q.pop q with
          | None -> q
          | Some (x, q) -> if k = 1 then q else skip (k - 1) (Q.push x q) in
        kill (skip 3 q) (alive - 1) in
    let people = List.fold_left (fun q x -> Q.push x q) Q.empty (List.init 41 succ) in
    Printf.printf "%s: survivor %d\n" name (kill people 41)
end

module A = Check (Batched)
module B = Check (Bankers)

let () =
  A.run "batched";
  B.run "bankers";
  let d = Deque.(empty |> push_back 1 |> push_back 2 |> push_front 0 |> push_back 3 |> push_front (-1)) in
  let rec both d acc =
    match Deque.pop_front d with
    | None -> List.rev acc
    | Some (x, d) ->
      match Deque.pop_back d with
      | None -> List.rev (x :: acc)
      | Some (y, d) -> both d (y :: x :: acc) in
  print_endline (String.concat " " (List.map string_of_int (both d [])))
