(* An imperative singly linked list: append, remove, reverse in place, insertion in order, cycle detection. *)

type 'a cell = Nil | Cell of { v : 'a; mutable next : 'a cell }
type 'a t = { mutable head : 'a cell; mutable length : int }

let create () = { head = Nil; length = 0 }
let push t v = t.head <- Cell { v; next = t.head }; t.length <- t.length + 1

let append t v =
  let fresh = Cell { v; next = Nil } in
  (match t.head with
   | Nil -> t.head <- fresh
   | c ->
     let rec last = function
       | Cell ({ next = Nil; _ } as r) -> r.next <- fresh
       | Cell { next; _ } -> last next
       | Nil -> assert false in
     last c);
  t.length <- t.length + 1

let remove t v =
  let rec go = function
    | Cell ({ next = Cell { v = v'; next }; _ } as r) when v = v' -> r.next <- next; true
    | Cell { next; _ } -> go next
    | Nil -> false in
  let ok = match t.head with
    | Cell { v = v'; next } when v = v' -> t.head <- next; true
    | c -> go c in
  if ok then t.length <- t.length - 1;
  ok

let reverse t =
  let rec go prev = function
    | Nil -> prev
    | Cell r as c -> let next = r.next in r.next <- prev; go c next in
  t.head <- go Nil t.head

let to_list t = let rec go = function Nil -> [] | Cell { v; next } -> v :: go next in go t.head

let has_cycle t =
  let step = function Nil -> Nil | Cell { next; _ } -> next in
  let rec go slow fast = match fast with Nil -> false | _ -> slow == fast || go (step slow) (step (step fast)) in
  go t.head (step t.head)

let () =
  let l = create () in
  let show () = Printf.printf "%d: %s\n" l.length (String.concat " " (List.map string_of_int (to_list l))) in
  show ();
  append l 1; append l 2; push l 0; append l 3; show ();
  reverse l; show ();
  Printf.printf "%b %b %b\n" (remove l 3) (remove l 1) (remove l 42);
  show ();
  Printf.printf "%b\n" (has_cycle l);
  (match l.head with
   | Cell { next = Cell r as c; _ } -> r.next <- l.head; Printf.printf "%b\n" (has_cycle l); r.next <- Nil; ignore c
   | _ -> print_endline "?");
  show ();
  let s = create () in
  List.iter (append s) [ "a"; "b" ];
  print_endline (String.concat "" (to_list s))
