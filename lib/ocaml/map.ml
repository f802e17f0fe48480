(* Maps as balanced trees: heights of siblings differ by at most 2. Trees have the very
   shape that OCaml's library gives them. *)

module type OrderedType = sig
  type t

  val compare : t -> t -> int
end

module type S = sig
  type key
  type +'a t

  val empty : 'a t
  val is_empty : 'a t -> bool
  val mem : key -> 'a t -> bool
  val add : key -> 'a -> 'a t -> 'a t
  val add_to_list : key -> 'a -> 'a list t -> 'a list t
  val update : key -> ('a option -> 'a option) -> 'a t -> 'a t
  val singleton : key -> 'a -> 'a t
  val remove : key -> 'a t -> 'a t
  val merge : (key -> 'a option -> 'b option -> 'c option) -> 'a t -> 'b t -> 'c t
  val union : (key -> 'a -> 'a -> 'a option) -> 'a t -> 'a t -> 'a t
  val compare : ('a -> 'a -> int) -> 'a t -> 'a t -> int
  val equal : ('a -> 'a -> bool) -> 'a t -> 'a t -> bool
  val iter : (key -> 'a -> unit) -> 'a t -> unit
  val fold : (key -> 'a -> 'b -> 'b) -> 'a t -> 'b -> 'b
  val for_all : (key -> 'a -> bool) -> 'a t -> bool
  val exists : (key -> 'a -> bool) -> 'a t -> bool
  val filter : (key -> 'a -> bool) -> 'a t -> 'a t
  val filter_map : (key -> 'a -> 'b option) -> 'a t -> 'b t
  val partition : (key -> 'a -> bool) -> 'a t -> 'a t * 'a t
  val cardinal : 'a t -> int
  val bindings : 'a t -> (key * 'a) list
  val min_binding : 'a t -> key * 'a
  val min_binding_opt : 'a t -> (key * 'a) option
  val max_binding : 'a t -> key * 'a
  val max_binding_opt : 'a t -> (key * 'a) option
  val choose : 'a t -> key * 'a
  val choose_opt : 'a t -> (key * 'a) option
  val split : key -> 'a t -> 'a t * 'a option * 'a t
  val find : key -> 'a t -> 'a
  val find_opt : key -> 'a t -> 'a option
  val find_first : (key -> bool) -> 'a t -> key * 'a
  val find_first_opt : (key -> bool) -> 'a t -> (key * 'a) option
  val find_last : (key -> bool) -> 'a t -> key * 'a
  val find_last_opt : (key -> bool) -> 'a t -> (key * 'a) option
  val map : ('a -> 'b) -> 'a t -> 'b t
  val mapi : (key -> 'a -> 'b) -> 'a t -> 'b t
  val to_seq : 'a t -> (key * 'a) Seq.t
  val to_rev_seq : 'a t -> (key * 'a) Seq.t
  val to_seq_from : key -> 'a t -> (key * 'a) Seq.t
  val add_seq : (key * 'a) Seq.t -> 'a t -> 'a t
  val of_seq : (key * 'a) Seq.t -> 'a t
  val to_list : 'a t -> (key * 'a) list
  val of_list : (key * 'a) list -> 'a t
end

module Make (Ord : OrderedType) : S with type key = Ord.t = struct
  type key = Ord.t

  type 'a t =
    | Empty
    | Node of 'a t * key * 'a * 'a t * int  (** smaller keys, key, value, greater keys, height *)

  let empty = Empty
  let is_empty = function Empty -> true | Node _ -> false
  let singleton key value = Node (Empty, key, value, Empty, 1)
  let height = function Empty -> 0 | Node (_, _, _, _, h) -> h

  (* Of trees whose heights fit. *)
  let node left key value right =
    let hl = height left and hr = height right in
    Node (left, key, value, right, if hl >= hr then hl + 1 else hr + 1)

  (* Of trees whose heights differ by at most 3. *)
  let balance left key value right =
    let hl = height left and hr = height right in
    if hl > hr + 2 then
      match left with
      | Empty -> invalid_arg "Map.bal"
      | Node (ll, lk, lv, lr, _) -> (
          if height ll >= height lr then node ll lk lv (node lr key value right)
          else
            match lr with
            | Empty -> invalid_arg "Map.bal"
            | Node (lrl, lrk, lrv, lrr, _) ->
                node (node ll lk lv lrl) lrk lrv (node lrr key value right))
    else if hr > hl + 2 then
      match right with
      | Empty -> invalid_arg "Map.bal"
      | Node (rl, rk, rv, rr, _) -> (
          if height rr >= height rl then node (node left key value rl) rk rv rr
          else
            match rl with
            | Empty -> invalid_arg "Map.bal"
            | Node (rll, rlk, rlv, rlr, _) ->
                node (node left key value rll) rlk rlv (node rlr rk rv rr))
    else Node (left, key, value, right, if hl >= hr then hl + 1 else hr + 1)

  let add key value map =
    let rec loop map =
      match map with
      | Empty -> singleton key value
      | Node (left, k, v, right, h) ->
          let c = Ord.compare key k in
          if c = 0 then if v == value then map else Node (left, key, value, right, h)
          else if c < 0 then
            let changed = loop left in
            if changed == left then map else balance changed k v right
          else
            let changed = loop right in
            if changed == right then map else balance left k v changed
    in
    loop map

  let find key map =
    let rec loop = function
      | Empty -> raise Not_found
      | Node (left, k, v, right, _) ->
          let c = Ord.compare key k in
          if c = 0 then v else loop (if c < 0 then left else right)
    in
    loop map

  let find_opt key map =
    let rec loop = function
      | Empty -> None
      | Node (left, k, v, right, _) ->
          let c = Ord.compare key k in
          if c = 0 then Some v else loop (if c < 0 then left else right)
    in
    loop map

  let mem key map =
    let rec loop = function
      | Empty -> false
      | Node (left, k, _, right, _) ->
          let c = Ord.compare key k in
          c = 0 || loop (if c < 0 then left else right)
    in
    loop map

  (* The first binding whose key satisfies [p], if all greater keys do too. *)
  let find_first_opt p map =
    let rec loop best = function
      | Empty -> best
      | Node (left, k, v, right, _) ->
          if p k then loop (Some (k, v)) left else loop best right
    in
    loop None map

  let find_last_opt p map =
    let rec loop best = function
      | Empty -> best
      | Node (left, k, v, right, _) ->
          if p k then loop (Some (k, v)) right else loop best left
    in
    loop None map

  let found = function Some binding -> binding | None -> raise Not_found
  let find_first p map = found (find_first_opt p map)
  let find_last p map = found (find_last_opt p map)

  let rec min_binding = function
    | Empty -> raise Not_found
    | Node (Empty, k, v, _, _) -> (k, v)
    | Node (left, _, _, _, _) -> min_binding left

  let rec max_binding = function
    | Empty -> raise Not_found
    | Node (_, k, v, Empty, _) -> (k, v)
    | Node (_, _, _, right, _) -> max_binding right

  let min_binding_opt map = if is_empty map then None else Some (min_binding map)
  let max_binding_opt map = if is_empty map then None else Some (max_binding map)
  let choose = min_binding
  let choose_opt = min_binding_opt

  let rec remove_min = function
    | Empty -> invalid_arg "Map.remove_min_elt"
    | Node (Empty, _, _, right, _) -> right
    | Node (left, k, v, right, _) -> balance (remove_min left) k v right

  (* Of two trees that were siblings, all keys of the first before those of the second. *)
  let glue first second =
    match (first, second) with
    | Empty, map | map, Empty -> map
    | _ ->
        let k, v = min_binding second in
        balance first k v (remove_min second)

  let remove key map =
    let rec loop map =
      match map with
      | Empty -> Empty
      | Node (left, k, v, right, _) ->
          let c = Ord.compare key k in
          if c = 0 then glue left right
          else if c < 0 then
            let changed = loop left in
            if changed == left then map else balance changed k v right
          else
            let changed = loop right in
            if changed == right then map else balance left k v changed
    in
    loop map

  let update key f map =
    let rec loop map =
      match map with
      | Empty -> ( match f None with None -> Empty | Some value -> singleton key value)
      | Node (left, k, v, right, h) -> (
          let c = Ord.compare key k in
          if c = 0 then
            match f (Some v) with
            | None -> glue left right
            | Some value -> if v == value then map else Node (left, key, value, right, h)
          else if c < 0 then
            let changed = loop left in
            if changed == left then map else balance changed k v right
          else
            let changed = loop right in
            if changed == right then map else balance left k v changed)
    in
    loop map

  let iter f map =
    let rec loop = function
      | Empty -> ()
      | Node (left, k, v, right, _) ->
          loop left;
          f k v;
          loop right
    in
    loop map

  let map f tree =
    let rec loop = function
      | Empty -> Empty
      | Node (left, k, v, right, h) ->
          let left = loop left in
          let v = f v in
          let right = loop right in
          Node (left, k, v, right, h)
    in
    loop tree

  let mapi f tree =
    let rec loop = function
      | Empty -> Empty
      | Node (left, k, v, right, h) ->
          let left = loop left in
          let v = f k v in
          let right = loop right in
          Node (left, k, v, right, h)
    in
    loop tree

  let fold f map start =
    let rec loop map total =
      match map with
      | Empty -> total
      | Node (left, k, v, right, _) -> loop right (f k v (loop left total))
    in
    loop map start

  let for_all p map =
    let rec loop = function
      | Empty -> true
      | Node (left, k, v, right, _) -> p k v && loop left && loop right
    in
    loop map

  let exists p map =
    let rec loop = function
      | Empty -> false
      | Node (left, k, v, right, _) -> p k v || loop left || loop right
    in
    loop map

  let rec add_min key value = function
    | Empty -> singleton key value
    | Node (left, k, v, right, _) -> balance (add_min key value left) k v right

  let rec add_max key value = function
    | Empty -> singleton key value
    | Node (left, k, v, right, _) -> balance left k v (add_max key value right)

  (* Of trees of any heights. *)
  let rec join left key value right =
    match (left, right) with
    | Empty, _ -> add_min key value right
    | _, Empty -> add_max key value left
    | Node (ll, lk, lv, lr, lh), Node (rl, rk, rv, rr, rh) ->
        if lh > rh + 2 then balance ll lk lv (join lr key value right)
        else if rh > lh + 2 then balance (join left key value rl) rk rv rr
        else node left key value right

  let concat first second =
    match (first, second) with
    | Empty, map | map, Empty -> map
    | _ ->
        let k, v = min_binding second in
        join first k v (remove_min second)

  let concat_or_join left key value right =
    match value with
    | Some value -> join left key value right
    | None -> concat left right

  let split key map =
    let rec loop = function
      | Empty -> (Empty, None, Empty)
      | Node (left, k, v, right, _) ->
          let c = Ord.compare key k in
          if c = 0 then (left, Some v, right)
          else if c < 0 then
            let below, here, above = loop left in
            (below, here, join above k v right)
          else
            let below, here, above = loop right in
            (join left k v below, here, above)
    in
    loop map

  let merge f first second =
    let rec loop first second =
      match (first, second) with
      | Empty, Empty -> Empty
      | Node (left, k, v, right, h), _ when h >= height second ->
          let below, here, above = split k second in
          (* The order of calls of [f] is that of OCaml's library: last key first. *)
          let right = loop right above in
          let value = f k (Some v) here in
          let left = loop left below in
          concat_or_join left k value right
      | _, Node (left, k, v, right, _) ->
          let below, here, above = split k first in
          let right = loop above right in
          let value = f k here (Some v) in
          let left = loop below left in
          concat_or_join left k value right
      | Node _, Empty -> assert false
    in
    loop first second

  let union f first second =
    let rec loop first second =
      match (first, second) with
      | Empty, map | map, Empty -> map
      | Node (l1, k1, v1, r1, h1), Node (l2, k2, v2, r2, h2) -> (
          if h1 >= h2 then
            let below, here, above = split k1 second in
            let left = loop l1 below in
            let right = loop r1 above in
            match here with
            | None -> join left k1 v1 right
            | Some value -> concat_or_join left k1 (f k1 v1 value) right
          else
            let below, here, above = split k2 first in
            let left = loop below l2 in
            let right = loop above r2 in
            match here with
            | None -> join left k2 v2 right
            | Some value -> concat_or_join left k2 (f k2 value v2) right)
    in
    loop first second

  let filter p map =
    let rec loop map =
      match map with
      | Empty -> Empty
      | Node (left, k, v, right, _) ->
          let below = loop left in
          let keep = p k v in
          let above = loop right in
          if not keep then concat below above
          else if below == left && above == right then map
          else join below k v above
    in
    loop map

  let filter_map f map =
    let rec loop = function
      | Empty -> Empty
      | Node (left, k, v, right, _) ->
          let below = loop left in
          let value = f k v in
          let above = loop right in
          concat_or_join below k value above
    in
    loop map

  let partition p map =
    let rec loop = function
      | Empty -> (Empty, Empty)
      | Node (left, k, v, right, _) ->
          let left_yes, left_no = loop left in
          let yes = p k v in
          let right_yes, right_no = loop right in
          if yes then (join left_yes k v right_yes, concat left_no right_no)
          else (concat left_yes right_yes, join left_no k v right_no)
    in
    loop map

  (* What is left to visit: a binding, the tree after it, and the rest. *)
  type 'a visit =
    | End
    | More of key * 'a * 'a t * 'a visit

  let rec ascending map rest =
    match map with
    | Empty -> rest
    | Node (left, k, v, right, _) -> ascending left (More (k, v, right, rest))

  let rec descending map rest =
    match map with
    | Empty -> rest
    | Node (left, k, v, right, _) -> descending right (More (k, v, left, rest))

  let compare cmp first second =
    let rec loop first second =
      match (first, second) with
      | End, End -> 0
      | End, More _ -> -1
      | More _, End -> 1
      | More (k1, v1, t1, rest1), More (k2, v2, t2, rest2) ->
          let c = Ord.compare k1 k2 in
          if c <> 0 then c
          else
            let c = cmp v1 v2 in
            if c <> 0 then c else loop (ascending t1 rest1) (ascending t2 rest2)
    in
    loop (ascending first End) (ascending second End)

  let equal eq first second =
    let rec loop first second =
      match (first, second) with
      | End, End -> true
      | End, More _ | More _, End -> false
      | More (k1, v1, t1, rest1), More (k2, v2, t2, rest2) ->
          Ord.compare k1 k2 = 0 && eq v1 v2 && loop (ascending t1 rest1) (ascending t2 rest2)
    in
    loop (ascending first End) (ascending second End)

  let rec cardinal = function
    | Empty -> 0
    | Node (left, _, _, right, _) -> cardinal left + 1 + cardinal right

  let bindings map =
    let rec loop map list =
      match map with
      | Empty -> list
      | Node (left, k, v, right, _) -> loop left ((k, v) :: loop right list)
    in
    loop map []

  let add_seq seq map = Seq.fold_left (fun map (key, value) -> add key value map) map seq
  let of_seq seq = add_seq seq Empty

  let rec ascending_seq visit () =
    match visit with
    | End -> Seq.Nil
    | More (k, v, tree, rest) -> Seq.Cons ((k, v), ascending_seq (ascending tree rest))

  let rec descending_seq visit () =
    match visit with
    | End -> Seq.Nil
    | More (k, v, tree, rest) -> Seq.Cons ((k, v), descending_seq (descending tree rest))

  let to_seq map = ascending_seq (ascending map End)
  let to_rev_seq map = descending_seq (descending map End)

  let to_seq_from low map =
    let rec loop map rest =
      match map with
      | Empty -> rest
      | Node (left, k, v, right, _) ->
          let c = Ord.compare k low in
          if c = 0 then More (k, v, right, rest)
          else if c < 0 then loop right rest
          else loop left (More (k, v, right, rest))
    in
    ascending_seq (loop map End)

  let to_list = bindings
  let of_list list = List.fold_left (fun map (key, value) -> add key value map) empty list

  let add_to_list key value map =
    let added = function None -> Some [ value ] | Some list -> Some (value :: list) in
    update key added map
end
