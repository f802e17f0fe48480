(* Priority queues: binary heaps in arrays that grow *)

module type OrderedType = sig
  type t

  val compare : t -> t -> int
end

module type OrderedPolyType = sig
  type 'a t

  val compare : 'a t -> 'b t -> int
end

module type Min = sig
  type t
  type elt

  val create : unit -> t
  val length : t -> int
  val is_empty : t -> bool
  val add : t -> elt -> unit
  val add_iter : t -> ((elt -> unit) -> 'x -> unit) -> 'x -> unit
  val min_elt : t -> elt option
  val get_min_elt : t -> elt
  val pop_min : t -> elt option
  val remove_min : t -> unit
  val clear : t -> unit
  val copy : t -> t
  val of_array : elt array -> t
  val of_list : elt list -> t
  val of_iter : ((elt -> unit) -> 'x -> unit) -> 'x -> t
  val iter_unordered : (elt -> unit) -> t -> unit
  val fold_unordered : ('acc -> elt -> 'acc) -> 'acc -> t -> 'acc
end

module type Max = sig
  type t
  type elt

  val create : unit -> t
  val length : t -> int
  val is_empty : t -> bool
  val add : t -> elt -> unit
  val add_iter : t -> ((elt -> unit) -> 'x -> unit) -> 'x -> unit
  val max_elt : t -> elt option
  val get_max_elt : t -> elt
  val pop_max : t -> elt option
  val remove_max : t -> unit
  val clear : t -> unit
  val copy : t -> t
  val of_array : elt array -> t
  val of_list : elt list -> t
  val of_iter : ((elt -> unit) -> 'x -> unit) -> 'x -> t
  val iter_unordered : (elt -> unit) -> t -> unit
  val fold_unordered : ('acc -> elt -> 'acc) -> 'acc -> t -> 'acc
end

module type MinPoly = sig
  type 'a t
  type 'a elt

  val create : unit -> 'a t
  val length : 'a t -> int
  val is_empty : 'a t -> bool
  val add : 'a t -> 'a elt -> unit
  val add_iter : 'a t -> (('a elt -> unit) -> 'x -> unit) -> 'x -> unit
  val min_elt : 'a t -> 'a elt option
  val get_min_elt : 'a t -> 'a elt
  val pop_min : 'a t -> 'a elt option
  val remove_min : 'a t -> unit
  val clear : 'a t -> unit
  val copy : 'a t -> 'a t
  val of_array : 'a elt array -> 'a t
  val of_list : 'a elt list -> 'a t
  val of_iter : (('a elt -> unit) -> 'x -> unit) -> 'x -> 'a t
  val iter_unordered : ('a elt -> unit) -> 'a t -> unit
  val fold_unordered : ('acc -> 'a elt -> 'acc) -> 'acc -> 'a t -> 'acc
end

module type MaxPoly = sig
  type 'a t
  type 'a elt

  val create : unit -> 'a t
  val length : 'a t -> int
  val is_empty : 'a t -> bool
  val add : 'a t -> 'a elt -> unit
  val add_iter : 'a t -> (('a elt -> unit) -> 'x -> unit) -> 'x -> unit
  val max_elt : 'a t -> 'a elt option
  val get_max_elt : 'a t -> 'a elt
  val pop_max : 'a t -> 'a elt option
  val remove_max : 'a t -> unit
  val clear : 'a t -> unit
  val copy : 'a t -> 'a t
  val of_array : 'a elt array -> 'a t
  val of_list : 'a elt list -> 'a t
  val of_iter : (('a elt -> unit) -> 'x -> unit) -> 'x -> 'a t
  val iter_unordered : ('a elt -> unit) -> 'a t -> unit
  val fold_unordered : ('acc -> 'a elt -> 'acc) -> 'acc -> 'a t -> 'acc
end

module MakeMinPoly (E : OrderedPolyType) : MinPoly with type 'a elt := 'a E.t = struct
  type 'a t = 'a E.t Dynarray.t

  let create () = Dynarray.create ()
  let length q = Dynarray.length q
  let is_empty q = Dynarray.is_empty q
  let clear q = Dynarray.clear q
  let copy q = Dynarray.copy q
  let iter_unordered f q = Dynarray.iter f q
  let fold_unordered f start q = Dynarray.fold_left f start q

  (* Moves the element to a place at [i] or above it, where those above it are not larger. *)
  let rec sift_up q i x =
    if i = 0 then Dynarray.set q 0 x
    else
      let above = (i - 1) / 2 in
      let y = Dynarray.get q above in
      if E.compare x y < 0 then begin
        Dynarray.set q i y;
        sift_up q above x
      end
      else Dynarray.set q i x

  (* The same downwards, among the first [n]. *)
  let rec sift_down q n i x =
    let left = (2 * i) + 1 in
    if left >= n then Dynarray.set q i x
    else begin
      let right = left + 1 in
      let smaller =
        if right < n && E.compare (Dynarray.get q right) (Dynarray.get q left) <= 0 then right
        else left
      in
      let y = Dynarray.get q smaller in
      if E.compare y x < 0 then begin
        Dynarray.set q i y;
        sift_down q n smaller x
      end
      else Dynarray.set q i x
    end

  let add q x =
    Dynarray.add_last q x;
    sift_up q (Dynarray.length q - 1) x

  let add_iter q iter items = iter (fun x -> add q x) items
  let min_elt q = if is_empty q then None else Some (Dynarray.get q 0)
  let get_min_elt q = if is_empty q then invalid_arg "empty priority queue" else Dynarray.get q 0

  let take q =
    let least = Dynarray.get q 0 in
    let last = Dynarray.pop_last q in
    let n = Dynarray.length q in
    if n > 0 then sift_down q n 0 last;
    least

  let pop_min q = if is_empty q then None else Some (take q)
  let remove_min q = if not (is_empty q) then ignore (take q)

  let ordered q =
    let n = Dynarray.length q in
    for i = (n / 2) - 1 downto 0 do
      sift_down q n i (Dynarray.get q i)
    done;
    q

  let of_array items = ordered (Dynarray.of_array items)
  let of_list items = ordered (Dynarray.of_list items)

  let of_iter iter items =
    let q = create () in
    iter (fun x -> Dynarray.add_last q x) items;
    ordered q
end

module MakeMaxPoly (E : OrderedPolyType) : MaxPoly with type 'a elt := 'a E.t = struct
  include MakeMinPoly (struct
    type 'a t = 'a E.t

    let compare a b = E.compare b a
  end)

  let max_elt = min_elt
  let get_max_elt = get_min_elt
  let pop_max = pop_min
  let remove_max = remove_min
end

module MakeMin (E : OrderedType) : Min with type elt := E.t = struct
  include MakeMinPoly (struct
    type 'a t = E.t

    let compare = E.compare
  end)

  type nonrec t = unit t
end

module MakeMax (E : OrderedType) : Max with type elt := E.t = struct
  include MakeMaxPoly (struct
    type 'a t = E.t

    let compare = E.compare
  end)

  type nonrec t = unit t
end
