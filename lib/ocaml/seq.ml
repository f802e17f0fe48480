(* Delayed lists *)

type 'a t = unit -> 'a node

and +'a node =
  | Nil
  | Cons of 'a * 'a t

let empty () = Nil
let return x () = Cons (x, empty)
let cons x rest () = Cons (x, rest)

let rec append first second () =
  match first () with
  | Nil -> second ()
  | Cons (x, rest) -> Cons (x, append rest second)

let rec map f seq () =
  match seq () with
  | Nil -> Nil
  | Cons (x, rest) -> Cons (f x, map f rest)

let rec filter keep seq () =
  match seq () with
  | Nil -> Nil
  | Cons (x, rest) -> if keep x then Cons (x, filter keep rest) else filter keep rest ()

let rec filter_map f seq () =
  match seq () with
  | Nil -> Nil
  | Cons (x, rest) -> (
      match f x with
      | None -> filter_map f rest ()
      | Some y -> Cons (y, filter_map f rest))

let rec concat seqs () =
  match seqs () with
  | Nil -> Nil
  | Cons (seq, rest) -> append seq (concat rest) ()

let rec flat_map f seq () =
  match seq () with
  | Nil -> Nil
  | Cons (x, rest) -> append (f x) (flat_map f rest) ()

let concat_map = flat_map

let fold_left f start seq =
  let rec loop total seq =
    match seq () with
    | Nil -> total
    | Cons (x, rest) -> loop (f total x) rest
  in
  loop start seq

let iter (f : 'a -> unit) seq =
  let rec loop seq =
    match seq () with
    | Nil -> ()
    | Cons (x, rest) ->
        f x;
        loop rest
  in
  loop seq

let rec unfold next state () =
  match next state with
  | None -> Nil
  | Some (x, state) -> Cons (x, unfold next state)
