(* Delayed lists *)

[@@@hidden "heads_and_tails diagonals merge_from scan_rest cycle_again take_some"]

type 'a t = unit -> 'a node

and +'a node =
  | Nil
  | Cons of 'a * 'a t

let empty () = Nil
let return x () = Cons (x, empty)
let singleton = return
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

(* Consumers *)

let is_empty seq = match seq () with Nil -> true | Cons _ -> false
let uncons seq = match seq () with Nil -> None | Cons (x, rest) -> Some (x, rest)
let length seq = fold_left (fun count _ -> count + 1) 0 seq

let fold_lefti f start seq =
  let rec loop total i seq =
    match seq () with
    | Nil -> total
    | Cons (x, rest) -> loop (f total i x) (i + 1) rest
  in
  loop start 0 seq

let iteri (f : int -> 'a -> unit) seq =
  let rec loop i seq =
    match seq () with
    | Nil -> ()
    | Cons (x, rest) ->
        f i x;
        loop (i + 1) rest
  in
  loop 0 seq

let rec for_all p seq =
  match seq () with
  | Nil -> true
  | Cons (x, rest) -> p x && for_all p rest

let rec exists p seq =
  match seq () with
  | Nil -> false
  | Cons (x, rest) -> p x || exists p rest

let rec find p seq =
  match seq () with
  | Nil -> None
  | Cons (x, rest) -> if p x then Some x else find p rest

let find_index p seq =
  let rec search i seq =
    match seq () with
    | Nil -> None
    | Cons (x, rest) -> if p x then Some i else search (i + 1) rest
  in
  search 0 seq

let rec find_map f seq =
  match seq () with
  | Nil -> None
  | Cons (x, rest) -> ( match f x with None -> find_map f rest | found -> found)

let find_mapi f seq =
  let rec search i seq =
    match seq () with
    | Nil -> None
    | Cons (x, rest) -> ( match f i x with None -> search (i + 1) rest | found -> found)
  in
  search 0 seq

(* Two at a time: the first one is asked first, and the second only if that has a next element. *)

let rec iter2 (f : 'a -> 'b -> unit) first second =
  match first () with
  | Nil -> ()
  | Cons (x, first) -> (
      match second () with
      | Nil -> ()
      | Cons (y, second) ->
          f x y;
          iter2 f first second)

let rec fold_left2 f total first second =
  match first () with
  | Nil -> total
  | Cons (x, first) -> (
      match second () with
      | Nil -> total
      | Cons (y, second) -> fold_left2 f (f total x y) first second)

let rec for_all2 p first second =
  match first () with
  | Nil -> true
  | Cons (x, first) -> (
      match second () with
      | Nil -> true
      | Cons (y, second) -> p x y && for_all2 p first second)

let rec exists2 p first second =
  match first () with
  | Nil -> false
  | Cons (x, first) -> (
      match second () with
      | Nil -> false
      | Cons (y, second) -> p x y || exists2 p first second)

let rec equal eq first second =
  match (first (), second ()) with
  | Nil, Nil -> true
  | Cons (x, first), Cons (y, second) -> eq x y && equal eq first second
  | Nil, Cons _ | Cons _, Nil -> false

let rec compare cmp first second =
  match (first (), second ()) with
  | Nil, Nil -> 0
  | Nil, Cons _ -> -1
  | Cons _, Nil -> 1
  | Cons (x, first), Cons (y, second) ->
      let order = cmp x y in
      if order <> 0 then order else compare cmp first second

(* Makers *)

let init count f =
  let rec from i () = if i >= count then Nil else Cons (f i, from (i + 1)) in
  if count < 0 then invalid_arg "Seq.init" else from 0

let rec repeat x () = Cons (x, repeat x)
let rec forever f () = Cons (f (), forever f)
let rec cycle_again seq () = append seq (cycle_again seq) ()

let cycle seq () =
  match seq () with
  | Nil -> Nil
  | Cons (x, rest) -> Cons (x, append rest (cycle_again seq))

let iterate f start =
  let rec after x () =
    let next = f x in
    Cons (next, after next)
  in
  cons start (after start)

let rec ints i () = Cons (i, ints (i + 1))

(* From one to another *)

let mapi f seq =
  let rec from i seq () =
    match seq () with
    | Nil -> Nil
    | Cons (x, rest) -> Cons (f i x, from (i + 1) rest)
  in
  from 0 seq

let filteri keep seq =
  let rec from i seq () =
    match seq () with
    | Nil -> Nil
    | Cons (x, rest) -> if keep i x then Cons (x, from (i + 1) rest) else from (i + 1) rest ()
  in
  from 0 seq

let rec scan_rest f state seq () =
  match seq () with
  | Nil -> Nil
  | Cons (x, rest) ->
      let state = f state x in
      Cons (state, scan_rest f state rest)

let scan f start seq = cons start (scan_rest f start seq)

let rec take_some count seq =
  if count = 0 then empty
  else fun () ->
    match seq () with
    | Nil -> Nil
    | Cons (x, rest) -> Cons (x, take_some (count - 1) rest)

let take count seq = if count < 0 then invalid_arg "Seq.take" else take_some count seq

let drop count seq =
  let rec skip count seq =
    match seq () with
    | Nil -> Nil
    | Cons (_, rest) -> if count = 1 then rest () else skip (count - 1) rest
  in
  if count < 0 then invalid_arg "Seq.drop"
  else if count = 0 then seq
  else fun () -> skip count seq

let rec take_while p seq () =
  match seq () with
  | Nil -> Nil
  | Cons (x, rest) -> if p x then Cons (x, take_while p rest) else Nil

let rec drop_while p seq () =
  match seq () with
  | Nil -> Nil
  | Cons (x, rest) as node -> if p x then drop_while p rest () else node

let rec group same seq () =
  match seq () with
  | Nil -> Nil
  | Cons (x, rest) ->
      Cons (cons x (take_while (same x) rest), group same (drop_while (same x) rest))

let rec memoize seq =
  let node =
    lazy (match seq () with Nil -> Nil | Cons (x, rest) -> Cons (x, memoize rest))
  in
  fun () -> lazy_force node

exception Forced_twice

let rec once seq =
  let forced = ref false in
  fun () ->
    if !forced then raise Forced_twice;
    forced := true;
    match seq () with
    | Nil -> Nil
    | Cons (x, rest) -> Cons (x, once rest)

let rec zip first second () =
  match first () with
  | Nil -> Nil
  | Cons (x, first) -> (
      match second () with
      | Nil -> Nil
      | Cons (y, second) -> Cons ((x, y), zip first second))

let rec map2 f first second () =
  match first () with
  | Nil -> Nil
  | Cons (x, first) -> (
      match second () with
      | Nil -> Nil
      | Cons (y, second) -> Cons (f x y, map2 f first second))

let rec interleave first second () =
  match first () with
  | Nil -> second ()
  | Cons (x, rest) -> Cons (x, interleave second rest)

let rec merge_from cmp x first y second =
  if cmp x y <= 0 then
    Cons
      ( x,
        fun () ->
          match first () with
          | Nil -> Cons (y, second)
          | Cons (x, first) -> merge_from cmp x first y second )
  else
    Cons
      ( y,
        fun () ->
          match second () with
          | Nil -> Cons (x, first)
          | Cons (y, second) -> merge_from cmp x first y second )

let sorted_merge cmp first second () =
  match (first (), second ()) with
  | Nil, Nil -> Nil
  | Nil, rest | rest, Nil -> rest
  | Cons (x, first), Cons (y, second) -> merge_from cmp x first y second

let unzip seq = (map (fun (x, _) -> x) seq, map (fun (_, y) -> y) seq)
let split = unzip

let partition_map f seq =
  ( filter_map (fun x -> Either.find_left (f x)) seq,
    filter_map (fun x -> Either.find_right (f x)) seq )

let partition p seq = (filter p seq, filter (fun x -> not (p x)) seq)
let heads_and_tails rows = unzip (filter_map uncons rows)

let rec transpose rows () =
  let heads, tails = heads_and_tails rows in
  if is_empty heads then Nil else Cons (heads, transpose tails)

(* The diagonals of a matrix, each from the newest row to the oldest, so that every element of
   infinite rows is met. *)
let rec diagonals begun rows () =
  match rows () with
  | Nil -> transpose begun ()
  | Cons (row, rows) -> (
      let heads, tails = heads_and_tails begun in
      match row () with
      | Nil -> Cons (heads, diagonals tails rows)
      | Cons (x, rest) -> Cons (cons x heads, diagonals (cons rest tails) rows))

let map_product f first second =
  concat (diagonals empty (map (fun x -> map (fun y -> f x y) second) first))

let product first second = map_product (fun x y -> (x, y)) first second

(* Dispensers: functions that give the next element *)

let of_dispenser next =
  let rec seq () = match next () with None -> Nil | Some x -> Cons (x, seq) in
  seq

let to_dispenser seq =
  let rest = ref seq in
  fun () ->
    match !rest () with
    | Nil -> None
    | Cons (x, tail) ->
        rest := tail;
        Some x
