(* First in, first out *)

[@@@hidden "take_off cell"]
[@@@abstract "t cell"]

exception Empty

type 'a cell =
  | Nil
  | Cons of {
      content : 'a;
      mutable next : 'a cell [@acyclic];  (* what closes a cycle is in the queue's own fields *)
    }

type 'a t = {
  mutable length : int;
  mutable first : 'a cell;
  mutable last : 'a cell;
}

let create () = { length = 0; first = Nil; last = Nil }

let clear q =
  q.length <- 0;
  q.first <- Nil;
  q.last <- Nil

let add x q =
  let cell = Cons { content = x; next = Nil } in
  (match q.last with
  | Nil -> q.first <- cell
  | Cons last -> last.next <- cell);
  q.last <- cell;
  q.length <- q.length + 1

let push = add
let peek q = match q.first with Nil -> raise Empty | Cons { content; _ } -> content
let peek_opt q = match q.first with Nil -> None | Cons { content; _ } -> Some content
let top = peek

(* Takes off the first cell, of which [next] is the link. *)
let take_off q next =
  q.length <- q.length - 1;
  q.first <- next;
  match next with Nil -> q.last <- Nil | Cons _ -> ()

let take q =
  match q.first with
  | Nil -> raise Empty
  | Cons { content; next } ->
      take_off q next;
      content

let take_opt q =
  match q.first with
  | Nil -> None
  | Cons { content; next } ->
      take_off q next;
      Some content

let pop = take
let drop q = ignore (take q)
let is_empty q = q.length = 0
let length q = q.length

let iter (f : 'a -> unit) q =
  let rec loop = function
    | Nil -> ()
    | Cons { content; next } ->
        f content;
        loop next
  in
  loop q.first

let fold f start q =
  let rec loop total = function
    | Nil -> total
    | Cons { content; next } -> loop (f total content) next
  in
  loop start q.first

let copy q =
  let result = create () in
  iter (fun x -> add x result) q;
  result

let transfer from into =
  if from.length > 0 then begin
    (match into.last with
    | Nil -> into.first <- from.first
    | Cons last -> last.next <- from.first);
    into.last <- from.last;
    into.length <- into.length + from.length;
    clear from
  end

let to_seq q =
  let rec from cell () =
    match cell with
    | Nil -> Seq.Nil
    | Cons { content; next } -> Seq.Cons (content, from next)
  in
  from q.first

let add_seq q seq = Seq.iter (fun x -> add x q) seq

let of_seq seq =
  let q = create () in
  add_seq q seq;
  q
