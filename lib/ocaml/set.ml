(* Sets as balanced trees: heights of siblings differ by at most 2. Trees have the very
   shape that OCaml's library gives them. *)

module type OrderedType = sig
  type t

  val compare : t -> t -> int
end

module type S = sig
  type elt
  type t

  val empty : t
  val is_empty : t -> bool
  val mem : elt -> t -> bool
  val add : elt -> t -> t
  val singleton : elt -> t
  val remove : elt -> t -> t
  val union : t -> t -> t
  val inter : t -> t -> t
  val disjoint : t -> t -> bool
  val diff : t -> t -> t
  val compare : t -> t -> int
  val equal : t -> t -> bool
  val subset : t -> t -> bool
  val iter : (elt -> unit) -> t -> unit
  val map : (elt -> elt) -> t -> t
  val fold : (elt -> 'a -> 'a) -> t -> 'a -> 'a
  val for_all : (elt -> bool) -> t -> bool
  val exists : (elt -> bool) -> t -> bool
  val filter : (elt -> bool) -> t -> t
  val filter_map : (elt -> elt option) -> t -> t
  val partition : (elt -> bool) -> t -> t * t
  val cardinal : t -> int
  val elements : t -> elt list
  val min_elt : t -> elt
  val min_elt_opt : t -> elt option
  val max_elt : t -> elt
  val max_elt_opt : t -> elt option
  val choose : t -> elt
  val choose_opt : t -> elt option
  val split : elt -> t -> t * bool * t
  val find : elt -> t -> elt
  val find_opt : elt -> t -> elt option
  val find_first : (elt -> bool) -> t -> elt
  val find_first_opt : (elt -> bool) -> t -> elt option
  val find_last : (elt -> bool) -> t -> elt
  val find_last_opt : (elt -> bool) -> t -> elt option
  val to_list : t -> elt list
  val of_list : elt list -> t
  val to_seq_from : elt -> t -> elt Seq.t
  val to_seq : t -> elt Seq.t
  val to_rev_seq : t -> elt Seq.t
  val add_seq : elt Seq.t -> t -> t
  val of_seq : elt Seq.t -> t
end

module Make (Ord : OrderedType) : S with type elt = Ord.t = struct
  type elt = Ord.t

  type t =
    | Empty
    | Node of t * elt * t * int  (** smaller elements, element, greater elements, height *)

  let empty = Empty
  let is_empty = function Empty -> true | Node _ -> false
  let singleton x = Node (Empty, x, Empty, 1)
  let height = function Empty -> 0 | Node (_, _, _, h) -> h

  (* Of trees whose heights fit. *)
  let node left x right =
    let hl = height left and hr = height right in
    Node (left, x, right, if hl >= hr then hl + 1 else hr + 1)

  (* Of trees whose heights differ by at most 3. *)
  let balance left x right =
    let hl = height left and hr = height right in
    if hl > hr + 2 then
      match left with
      | Empty -> invalid_arg "Set.bal"
      | Node (ll, lx, lr, _) -> (
          if height ll >= height lr then node ll lx (node lr x right)
          else
            match lr with
            | Empty -> invalid_arg "Set.bal"
            | Node (lrl, lrx, lrr, _) -> node (node ll lx lrl) lrx (node lrr x right))
    else if hr > hl + 2 then
      match right with
      | Empty -> invalid_arg "Set.bal"
      | Node (rl, rx, rr, _) -> (
          if height rr >= height rl then node (node left x rl) rx rr
          else
            match rl with
            | Empty -> invalid_arg "Set.bal"
            | Node (rll, rlx, rlr, _) -> node (node left x rll) rlx (node rlr rx rr))
    else Node (left, x, right, if hl >= hr then hl + 1 else hr + 1)

  let add x set =
    let rec loop set =
      match set with
      | Empty -> singleton x
      | Node (left, y, right, _) ->
          let c = Ord.compare x y in
          if c = 0 then set
          else if c < 0 then
            let changed = loop left in
            if changed == left then set else balance changed y right
          else
            let changed = loop right in
            if changed == right then set else balance left y changed
    in
    loop set

  let find_opt x set =
    let rec loop = function
      | Empty -> None
      | Node (left, y, right, _) ->
          let c = Ord.compare x y in
          if c = 0 then Some y else loop (if c < 0 then left else right)
    in
    loop set

  let find x set =
    let rec loop = function
      | Empty -> raise Not_found
      | Node (left, y, right, _) ->
          let c = Ord.compare x y in
          if c = 0 then y else loop (if c < 0 then left else right)
    in
    loop set

  let mem x set =
    let rec loop = function
      | Empty -> false
      | Node (left, y, right, _) ->
          let c = Ord.compare x y in
          c = 0 || loop (if c < 0 then left else right)
    in
    loop set

  (* The first element that satisfies [p], if all greater ones do too. *)
  let find_first_opt p set =
    let rec loop best = function
      | Empty -> best
      | Node (left, x, right, _) -> if p x then loop (Some x) left else loop best right
    in
    loop None set

  let find_last_opt p set =
    let rec loop best = function
      | Empty -> best
      | Node (left, x, right, _) -> if p x then loop (Some x) right else loop best left
    in
    loop None set

  let found = function Some x -> x | None -> raise Not_found
  let find_first p set = found (find_first_opt p set)
  let find_last p set = found (find_last_opt p set)

  let rec min_elt = function
    | Empty -> raise Not_found
    | Node (Empty, x, _, _) -> x
    | Node (left, _, _, _) -> min_elt left

  let rec max_elt = function
    | Empty -> raise Not_found
    | Node (_, x, Empty, _) -> x
    | Node (_, _, right, _) -> max_elt right

  let min_elt_opt set = if is_empty set then None else Some (min_elt set)
  let max_elt_opt set = if is_empty set then None else Some (max_elt set)
  let choose = min_elt
  let choose_opt = min_elt_opt

  let rec remove_min = function
    | Empty -> invalid_arg "Set.remove_min_elt"
    | Node (Empty, _, right, _) -> right
    | Node (left, x, right, _) -> balance (remove_min left) x right

  let rec add_min x = function
    | Empty -> singleton x
    | Node (left, y, right, _) -> balance (add_min x left) y right

  let rec add_max x = function
    | Empty -> singleton x
    | Node (left, y, right, _) -> balance left y (add_max x right)

  (* Of trees of any heights. *)
  let rec join left x right =
    match (left, right) with
    | Empty, _ -> add_min x right
    | _, Empty -> add_max x left
    | Node (ll, lx, lr, lh), Node (rl, rx, rr, rh) ->
        if lh > rh + 2 then balance ll lx (join lr x right)
        else if rh > lh + 2 then balance (join left x rl) rx rr
        else node left x right

  (* Of two trees that were siblings, all elements of the first before those of the second. *)
  let glue first second =
    match (first, second) with
    | Empty, set | set, Empty -> set
    | _ -> balance first (min_elt second) (remove_min second)

  let concat first second =
    match (first, second) with
    | Empty, set | set, Empty -> set
    | _ -> join first (min_elt second) (remove_min second)

  let remove x set =
    let rec loop set =
      match set with
      | Empty -> Empty
      | Node (left, y, right, _) ->
          let c = Ord.compare x y in
          if c = 0 then glue left right
          else if c < 0 then
            let changed = loop left in
            if changed == left then set else balance changed y right
          else
            let changed = loop right in
            if changed == right then set else balance left y changed
    in
    loop set

  let split x set =
    let rec loop = function
      | Empty -> (Empty, false, Empty)
      | Node (left, y, right, _) ->
          let c = Ord.compare x y in
          if c = 0 then (left, true, right)
          else if c < 0 then
            let below, here, above = loop left in
            (below, here, join above y right)
          else
            let below, here, above = loop right in
            (join left y below, here, above)
    in
    loop set

  let rec union first second =
    match (first, second) with
    | Empty, set | set, Empty -> set
    | Node (l1, x1, r1, h1), Node (l2, x2, r2, h2) ->
        if h1 >= h2 then
          if h2 = 1 then add x2 first
          else
            let below, _, above = split x1 second in
            let right = union r1 above in
            let left = union l1 below in
            join left x1 right
        else if h1 = 1 then add x1 second
        else
          let below, _, above = split x2 first in
          let right = union above r2 in
          let left = union below l2 in
          join left x2 right

  let rec inter first second =
    match (first, second) with
    | Empty, _ | _, Empty -> Empty
    | Node (l1, x, r1, _), _ ->
        let below, here, above = split x second in
        let right = inter r1 above in
        let left = inter l1 below in
        if here then join left x right else concat left right

  let rec diff first second =
    match (first, second) with
    | Empty, _ -> Empty
    | _, Empty -> first
    | Node (l1, x, r1, _), _ ->
        let below, here, above = split x second in
        let right = diff r1 above in
        let left = diff l1 below in
        if here then concat left right else join left x right

  let for_all p set =
    let rec loop = function
      | Empty -> true
      | Node (left, x, right, _) -> p x && loop left && loop right
    in
    loop set

  let exists p set =
    let rec loop = function
      | Empty -> false
      | Node (left, x, right, _) -> p x || loop left || loop right
    in
    loop set

  let rec disjoint first second =
    match (first, second) with
    | Empty, _ | _, Empty -> true
    | Node (left, x, right, _), _ ->
        first != second
        &&
        let below, here, above = split x second in
        (not here) && disjoint left below && disjoint right above

  let rec subset first second =
    match (first, second) with
    | Empty, _ -> true
    | _, Empty -> false
    | Node (l1, x, r1, _), Node (l2, y, r2, _) ->
        let c = Ord.compare x y in
        if c = 0 then subset l1 l2 && subset r1 r2
        else if c < 0 then subset (Node (l1, x, Empty, 0)) l2 && subset r1 second
        else subset (Node (Empty, x, r1, 0)) r2 && subset l1 second

  let iter f set =
    let rec loop = function
      | Empty -> ()
      | Node (left, x, right, _) ->
          loop left;
          f x;
          loop right
    in
    loop set

  let fold f set start =
    let rec loop set total =
      match set with
      | Empty -> total
      | Node (left, x, right, _) -> loop right (f x (loop left total))
    in
    loop set start

  let filter p set =
    let rec loop set =
      match set with
      | Empty -> Empty
      | Node (left, x, right, _) ->
          let below = loop left in
          let keep = p x in
          let above = loop right in
          if not keep then concat below above
          else if below == left && above == right then set
          else join below x above
    in
    loop set

  let partition p set =
    let rec loop = function
      | Empty -> (Empty, Empty)
      | Node (left, x, right, _) ->
          let left_yes, left_no = loop left in
          let yes = p x in
          let right_yes, right_no = loop right in
          if yes then (join left_yes x right_yes, concat left_no right_no)
          else (concat left_yes right_yes, join left_no x right_no)
    in
    loop set

  (* [join] when the order may have been lost. *)
  let try_join left x right =
    if
      (is_empty left || Ord.compare (max_elt left) x < 0)
      && (is_empty right || Ord.compare x (min_elt right) < 0)
    then join left x right
    else union left (add x right)

  let try_concat first second =
    match (first, second) with
    | Empty, set | set, Empty -> set
    | _ -> try_join first (min_elt second) (remove_min second)

  let map f set =
    let rec loop set =
      match set with
      | Empty -> Empty
      | Node (left, x, right, _) ->
          let below = loop left in
          let y = f x in
          let above = loop right in
          if below == left && y == x && above == right then set else try_join below y above
    in
    loop set

  let filter_map f set =
    let rec loop set =
      match set with
      | Empty -> Empty
      | Node (left, x, right, _) -> (
          let below = loop left in
          let result = f x in
          let above = loop right in
          match result with
          | Some y ->
              if below == left && y == x && above == right then set
              else try_join below y above
          | None -> try_concat below above)
    in
    loop set

  let rec cardinal = function
    | Empty -> 0
    | Node (left, _, right, _) -> cardinal left + 1 + cardinal right

  let elements set =
    let rec loop set list =
      match set with
      | Empty -> list
      | Node (left, x, right, _) -> loop left (x :: loop right list)
    in
    loop set []

  (* What is left to visit: an element, the tree after it, and the rest. *)
  type visit =
    | End
    | More of elt * t * visit

  let rec ascending set rest =
    match set with
    | Empty -> rest
    | Node (left, x, right, _) -> ascending left (More (x, right, rest))

  let rec descending set rest =
    match set with
    | Empty -> rest
    | Node (left, x, right, _) -> descending right (More (x, left, rest))

  let compare first second =
    let rec loop first second =
      match (first, second) with
      | End, End -> 0
      | End, More _ -> -1
      | More _, End -> 1
      | More (x1, t1, rest1), More (x2, t2, rest2) ->
          let c = Ord.compare x1 x2 in
          if c <> 0 then c else loop (ascending t1 rest1) (ascending t2 rest2)
    in
    loop (ascending first End) (ascending second End)

  let equal first second = compare first second = 0

  (* A tree of sorted elements, and what is left of the list after [n] of them. *)
  let rec build n list =
    if n = 0 then (Empty, list)
    else if n = 2 then
      match list with
      | x :: y :: list -> (Node (singleton x, y, Empty, 2), list)
      | _ -> assert false
    else
      let half = n / 2 in
      let left, list = build half list in
      match list with
      | [] -> assert false
      | x :: list ->
          let right, list = build (n - half - 1) list in
          (node left x right, list)

  let of_list list =
    match list with
    | [] -> Empty
    | [ a ] -> singleton a
    | [ a; b ] -> add b (singleton a)
    | [ a; b; c ] -> add c (add b (singleton a))
    | [ a; b; c; d ] -> add d (add c (add b (singleton a)))
    | [ a; b; c; d; e ] -> add e (add d (add c (add b (singleton a))))
    | _ ->
        let sorted = List.sort_uniq Ord.compare list in
        let set, _ = build (List.length sorted) sorted in
        set

  let add_seq seq set = Seq.fold_left (fun set x -> add x set) set seq
  let of_seq seq = add_seq seq Empty

  let rec ascending_seq visit () =
    match visit with
    | End -> Seq.Nil
    | More (x, tree, rest) -> Seq.Cons (x, ascending_seq (ascending tree rest))

  let rec descending_seq visit () =
    match visit with
    | End -> Seq.Nil
    | More (x, tree, rest) -> Seq.Cons (x, descending_seq (descending tree rest))

  let to_seq set = ascending_seq (ascending set End)
  let to_rev_seq set = descending_seq (descending set End)

  let to_seq_from low set =
    let rec loop set rest =
      match set with
      | Empty -> rest
      | Node (left, x, right, _) ->
          let c = Ord.compare x low in
          if c = 0 then More (x, right, rest)
          else if c < 0 then loop right rest
          else loop left (More (x, right, rest))
    in
    ascending_seq (loop set End)

  let to_list = elements
end
