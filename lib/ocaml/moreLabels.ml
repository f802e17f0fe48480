(* Modules with labelled arguments, under the usual names *)

[@@@links_printexc]

module Hashtbl = struct
  include Hashtbl

  let create ?random n = Hashtbl.create ?random n
  let add h ~key ~data = Hashtbl.add h key data
  let replace h ~key ~data = Hashtbl.replace h key data
  let iter ~f h = Hashtbl.iter (fun key data -> f ~key ~data) h
  let filter_map_inplace ~f h = Hashtbl.filter_map_inplace (fun key data -> f ~key ~data) h
  let fold ~f h ~init = Hashtbl.fold (fun key data total -> f ~key ~data total) h init

  module type S = sig
    type key
    type !'a t

    val create : int -> 'a t
    val clear : 'a t -> unit
    val reset : 'a t -> unit
    val copy : 'a t -> 'a t
    val add : 'a t -> key:key -> data:'a -> unit
    val remove : 'a t -> key -> unit
    val find : 'a t -> key -> 'a
    val find_opt : 'a t -> key -> 'a option
    val find_all : 'a t -> key -> 'a list
    val replace : 'a t -> key:key -> data:'a -> unit
    val mem : 'a t -> key -> bool
    val iter : f:(key:key -> data:'a -> unit) -> 'a t -> unit
    val filter_map_inplace : f:(key:key -> data:'a -> 'a option) -> 'a t -> unit
    val fold : f:(key:key -> data:'a -> 'acc -> 'acc) -> 'a t -> init:'acc -> 'acc
    val length : 'a t -> int
    val stats : 'a t -> statistics
    val to_seq : 'a t -> (key * 'a) Seq.t
    val to_seq_keys : _ t -> key Seq.t
    val to_seq_values : 'a t -> 'a Seq.t
    val add_seq : 'a t -> (key * 'a) Seq.t -> unit
    val replace_seq : 'a t -> (key * 'a) Seq.t -> unit
    val of_seq : (key * 'a) Seq.t -> 'a t
  end

  module type SeededS = sig
    type key
    type !'a t

    val create : ?random:bool -> int -> 'a t
    val clear : 'a t -> unit
    val reset : 'a t -> unit
    val copy : 'a t -> 'a t
    val add : 'a t -> key:key -> data:'a -> unit
    val remove : 'a t -> key -> unit
    val find : 'a t -> key -> 'a
    val find_opt : 'a t -> key -> 'a option
    val find_all : 'a t -> key -> 'a list
    val replace : 'a t -> key:key -> data:'a -> unit
    val mem : 'a t -> key -> bool
    val iter : f:(key:key -> data:'a -> unit) -> 'a t -> unit
    val filter_map_inplace : f:(key:key -> data:'a -> 'a option) -> 'a t -> unit
    val fold : f:(key:key -> data:'a -> 'acc -> 'acc) -> 'a t -> init:'acc -> 'acc
    val length : 'a t -> int
    val stats : 'a t -> statistics
    val to_seq : 'a t -> (key * 'a) Seq.t
    val to_seq_keys : _ t -> key Seq.t
    val to_seq_values : 'a t -> 'a Seq.t
    val add_seq : 'a t -> (key * 'a) Seq.t -> unit
    val replace_seq : 'a t -> (key * 'a) Seq.t -> unit
    val of_seq : (key * 'a) Seq.t -> 'a t
  end

  module MakeSeeded (H : SeededHashedType) : SeededS with type key = H.t = struct
    include Hashtbl.MakeSeeded (H)

    let plain_add = add
    let plain_replace = replace
    let plain_iter = iter
    let plain_filter = filter_map_inplace
    let plain_fold = fold
    let add h ~key ~data = plain_add h key data
    let replace h ~key ~data = plain_replace h key data
    let iter ~f h = plain_iter (fun key data -> f ~key ~data) h
    let filter_map_inplace ~f h = plain_filter (fun key data -> f ~key ~data) h
    let fold ~f h ~init = plain_fold (fun key data total -> f ~key ~data total) h init
  end

  module Make (H : HashedType) : S with type key = H.t = struct
    include Hashtbl.Make (H)

    let plain_add = add
    let plain_replace = replace
    let plain_iter = iter
    let plain_filter = filter_map_inplace
    let plain_fold = fold
    let add h ~key ~data = plain_add h key data
    let replace h ~key ~data = plain_replace h key data
    let iter ~f h = plain_iter (fun key data -> f ~key ~data) h
    let filter_map_inplace ~f h = plain_filter (fun key data -> f ~key ~data) h
    let fold ~f h ~init = plain_fold (fun key data total -> f ~key ~data total) h init
  end
end

module Map = struct
  module type OrderedType = Map.OrderedType

  module type S = sig
    type key
    type +'a t

    val empty : 'a t
    val add : key:key -> data:'a -> 'a t -> 'a t
    val add_to_list : key:key -> data:'a -> 'a list t -> 'a list t
    val update : key:key -> f:('a option -> 'a option) -> 'a t -> 'a t
    val singleton : key -> 'a -> 'a t
    val remove : key -> 'a t -> 'a t
    val merge : f:(key -> 'a option -> 'b option -> 'c option) -> 'a t -> 'b t -> 'c t
    val union : f:(key -> 'a -> 'a -> 'a option) -> 'a t -> 'a t -> 'a t
    val cardinal : 'a t -> int
    val bindings : 'a t -> (key * 'a) list
    val min_binding : 'a t -> key * 'a
    val min_binding_opt : 'a t -> (key * 'a) option
    val max_binding : 'a t -> key * 'a
    val max_binding_opt : 'a t -> (key * 'a) option
    val choose : 'a t -> key * 'a
    val choose_opt : 'a t -> (key * 'a) option
    val find : key -> 'a t -> 'a
    val find_opt : key -> 'a t -> 'a option
    val find_first : f:(key -> bool) -> 'a t -> key * 'a
    val find_first_opt : f:(key -> bool) -> 'a t -> (key * 'a) option
    val find_last : f:(key -> bool) -> 'a t -> key * 'a
    val find_last_opt : f:(key -> bool) -> 'a t -> (key * 'a) option
    val iter : f:(key:key -> data:'a -> unit) -> 'a t -> unit
    val fold : f:(key:key -> data:'a -> 'acc -> 'acc) -> 'a t -> init:'acc -> 'acc
    val map : f:('a -> 'b) -> 'a t -> 'b t
    val mapi : f:(key -> 'a -> 'b) -> 'a t -> 'b t
    val filter : f:(key -> 'a -> bool) -> 'a t -> 'a t
    val filter_map : f:(key -> 'a -> 'b option) -> 'a t -> 'b t
    val partition : f:(key -> 'a -> bool) -> 'a t -> 'a t * 'a t
    val split : key -> 'a t -> 'a t * 'a option * 'a t
    val is_empty : 'a t -> bool
    val mem : key -> 'a t -> bool
    val equal : cmp:('a -> 'a -> bool) -> 'a t -> 'a t -> bool
    val compare : cmp:('a -> 'a -> int) -> 'a t -> 'a t -> int
    val for_all : f:(key -> 'a -> bool) -> 'a t -> bool
    val exists : f:(key -> 'a -> bool) -> 'a t -> bool
    val to_list : 'a t -> (key * 'a) list
    val of_list : (key * 'a) list -> 'a t
    val to_seq : 'a t -> (key * 'a) Seq.t
    val to_rev_seq : 'a t -> (key * 'a) Seq.t
    val to_seq_from : key -> 'a t -> (key * 'a) Seq.t
    val add_seq : (key * 'a) Seq.t -> 'a t -> 'a t
    val of_seq : (key * 'a) Seq.t -> 'a t
  end

  module Make (Ord : OrderedType) : S with type key = Ord.t and type 'a t = 'a Map.Make(Ord).t =
  struct
    module M = Map.Make (Ord)
    include M

    let add ~key ~data map = M.add key data map
    let add_to_list ~key ~data map = M.add_to_list key data map
    let update ~key ~f map = M.update key f map
    let merge ~f a b = M.merge f a b
    let union ~f a b = M.union f a b
    let find_first ~f map = M.find_first f map
    let find_first_opt ~f map = M.find_first_opt f map
    let find_last ~f map = M.find_last f map
    let find_last_opt ~f map = M.find_last_opt f map
    let iter ~f map = M.iter (fun key data -> f ~key ~data) map
    let fold ~f map ~init = M.fold (fun key data total -> f ~key ~data total) map init
    let map ~f map = M.map f map
    let mapi ~f map = M.mapi f map
    let filter ~f map = M.filter f map
    let filter_map ~f map = M.filter_map f map
    let partition ~f map = M.partition f map
    let equal ~cmp a b = M.equal cmp a b
    let compare ~cmp a b = M.compare cmp a b
    let for_all ~f map = M.for_all f map
    let exists ~f map = M.exists f map
  end
end

module Set = struct
  module type OrderedType = Set.OrderedType

  module type S = sig
    type elt
    type t

    val empty : t
    val add : elt -> t -> t
    val singleton : elt -> t
    val remove : elt -> t -> t
    val union : t -> t -> t
    val inter : t -> t -> t
    val disjoint : t -> t -> bool
    val diff : t -> t -> t
    val cardinal : t -> int
    val elements : t -> elt list
    val min_elt : t -> elt
    val min_elt_opt : t -> elt option
    val max_elt : t -> elt
    val max_elt_opt : t -> elt option
    val choose : t -> elt
    val choose_opt : t -> elt option
    val find : elt -> t -> elt
    val find_opt : elt -> t -> elt option
    val find_first : f:(elt -> bool) -> t -> elt
    val find_first_opt : f:(elt -> bool) -> t -> elt option
    val find_last : f:(elt -> bool) -> t -> elt
    val find_last_opt : f:(elt -> bool) -> t -> elt option
    val iter : f:(elt -> unit) -> t -> unit
    val fold : f:(elt -> 'acc -> 'acc) -> t -> init:'acc -> 'acc
    val map : f:(elt -> elt) -> t -> t
    val filter : f:(elt -> bool) -> t -> t
    val filter_map : f:(elt -> elt option) -> t -> t
    val partition : f:(elt -> bool) -> t -> t * t
    val split : elt -> t -> t * bool * t
    val is_empty : t -> bool
    val mem : elt -> t -> bool
    val equal : t -> t -> bool
    val compare : t -> t -> int
    val subset : t -> t -> bool
    val for_all : f:(elt -> bool) -> t -> bool
    val exists : f:(elt -> bool) -> t -> bool
    val to_list : t -> elt list
    val of_list : elt list -> t
    val to_seq_from : elt -> t -> elt Seq.t
    val to_seq : t -> elt Seq.t
    val to_rev_seq : t -> elt Seq.t
    val add_seq : elt Seq.t -> t -> t
    val of_seq : elt Seq.t -> t
  end

  module Make (Ord : OrderedType) : S with type elt = Ord.t and type t = Set.Make(Ord).t = struct
    module M = Set.Make (Ord)
    include M

    let find_first ~f set = M.find_first f set
    let find_first_opt ~f set = M.find_first_opt f set
    let find_last ~f set = M.find_last f set
    let find_last_opt ~f set = M.find_last_opt f set
    let iter ~f set = M.iter f set
    let fold ~f set ~init = M.fold f set init
    let map ~f set = M.map f set
    let filter ~f set = M.filter f set
    let filter_map ~f set = M.filter_map f set
    let partition ~f set = M.partition f set
    let for_all ~f set = M.for_all f set
    let exists ~f set = M.exists f set
  end
end
