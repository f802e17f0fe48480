(* Hash tables. Buckets, their order and the moments of growth are those of OCaml's
   library, so that traversals meet bindings in the same order. *)

[@@@links_printexc]
[@@@hidden "entropy randomized power_2_above make_table copy_bucket"]
[@@@hidden "insert_all resize begin_traversal end_traversal same key_index bucket"]
[@@@abstract "t bucket"]

type ('a, 'b) t = {
  mutable size : int;
  mutable buckets : ('a, 'b) bucket array;  (** their number is a power of two *)
  seed : int;
  mutable initial_size : int;  (** negative while the table is being traversed *)
}

and ('a, 'b) bucket =
  | Empty
  | Cons of {
      mutable key : 'a;
      mutable value : 'b;
      mutable next : ('a, 'b) bucket [@acyclic];  (* what closes a cycle is in the table's array *)
    }

external hash : 'a -> int = "%hash"
external seeded_hash_param : int -> int -> int -> 'a -> int = "%hash.param"
external entropy : unit -> int = "%sys.entropy"

let randomized = ref false
let randomize () = randomized := true
let is_randomized () = !randomized

let rec power_2_above n least =
  if n >= least || n * 2 > max_array_length then n else power_2_above (n * 2) least

let make_table random initial_size =
  let n = power_2_above 16 initial_size in
  let seed = if random then entropy () land 0x3FFFFFFF else 0 in
  { size = 0; buckets = Array.make n Empty; seed; initial_size = n }

let create ?(random = !randomized) initial_size = make_table random initial_size

let clear h =
  if h.size > 0 then begin
    h.size <- 0;
    Array.fill h.buckets 0 (Array.length h.buckets) Empty
  end

let reset h =
  let n = abs h.initial_size in
  if Array.length h.buckets = n then clear h
  else begin
    h.size <- 0;
    h.buckets <- Array.make n Empty
  end

let rec copy_bucket = function
  | Empty -> Empty
  | Cons { key; value; next } -> Cons { key; value; next = copy_bucket next }

let copy h = { h with buckets = Array.map copy_bucket h.buckets }
let length h = h.size

(* Puts the cells of [old] into [fresh], each at the end of its new bucket. In place, the
   cells themselves move; during a traversal, copies of them, as the traversal still needs
   the links. *)
let insert_all index in_place old fresh =
  let n = Array.length fresh in
  let lasts = Array.make n Empty in
  let rec insert bucket =
    match bucket with
    | Empty -> ()
    | Cons { key; value; next } ->
        let cell = if in_place then bucket else Cons { key; value; next = Empty } in
        let i = index key in
        (match Array.get lasts i with
        | Empty -> Array.guarded_set fresh i cell
        | Cons last -> last.next <- cell);
        Array.guarded_set lasts i cell;
        insert next
  in
  for i = 0 to Array.length old - 1 do
    insert (Array.guarded_get old i)
  done;
  if in_place then
    for i = 0 to n - 1 do
      match Array.guarded_get lasts i with
      | Empty -> ()
      | Cons last -> last.next <- Empty
    done

let resize key_index h =
  let old = h.buckets in
  let n = Array.length old * 2 in
  if n < max_array_length then begin
    let fresh = Array.make n Empty in
    (* First of all, as [key_index] looks at the number of buckets. *)
    h.buckets <- fresh;
    (* Where other domains may change links at the same time, moving cells could make a circle of them. *)
    let in_place = if domain_any () then false else h.initial_size >= 0 in
    insert_all (fun key -> key_index h key) in_place old fresh
  end

(* Marks the table as being traversed; whether it was already. *)
let begin_traversal h =
  let nested = h.initial_size < 0 in
  if not nested then h.initial_size <- -h.initial_size;
  nested

(* When the function that a traversal calls raises, the mark stays. That is harmless: it
   makes later growth copy cells. *)
let end_traversal h nested = if not nested then h.initial_size <- -h.initial_size

let iter f h =
  let nested = begin_traversal h in
  let rec walk = function
    | Empty -> ()
    | Cons { key; value; next } ->
        f key value;
        walk next
  in
  let buckets = h.buckets in
  for i = 0 to Array.length buckets - 1 do
    walk (Array.guarded_get buckets i)
  done;
  end_traversal h nested

let fold f h start =
  let nested = begin_traversal h in
  let rec walk bucket total =
    match bucket with
    | Empty -> total
    | Cons { key; value; next } -> walk next (f key value total)
  in
  let buckets = h.buckets in
  let n = Array.length buckets in
  let rec loop i total =
    if i >= n then total else loop (i + 1) (walk (Array.guarded_get buckets i) total)
  in
  let total = loop 0 start in
  end_traversal h nested;
  total

let filter_map_inplace f h =
  let nested = begin_traversal h in
  let link i before bucket =
    match before with
    | Empty -> Array.set h.buckets i bucket
    | Cons earlier -> earlier.next <- bucket
  in
  let rec walk i before bucket =
    match bucket with
    | Empty -> link i before Empty
    | Cons cell -> (
        let next = cell.next in
        match f cell.key cell.value with
        | None ->
            h.size <- h.size - 1;
            walk i before next
        | Some value ->
            link i before bucket;
            cell.value <- value;
            walk i bucket next)
  in
  for i = 0 to Array.length h.buckets - 1 do
    walk i Empty (Array.get h.buckets i)
  done;
  end_traversal h nested

type statistics = {
  num_bindings : int;
  num_buckets : int;
  max_bucket_length : int;
  bucket_histogram : int array;
}

let stats h =
  let rec bucket_length n = function
    | Empty -> n
    | Cons { next; _ } -> bucket_length (n + 1) next
  in
  let longest =
    Array.fold_left
      (fun longest bucket ->
        let n = bucket_length 0 bucket in
        if n > longest then n else longest)
      0 h.buckets
  in
  let histogram = Array.make (longest + 1) 0 in
  Array.iter
    (fun bucket ->
      let n = bucket_length 0 bucket in
      Array.set histogram n (Array.get histogram n + 1))
    h.buckets;
  {
    num_bindings = h.size;
    num_buckets = Array.length h.buckets;
    max_bucket_length = longest;
    bucket_histogram = histogram;
  }

let to_seq h =
  (* The same array even if the table grows meanwhile. *)
  let buckets = h.buckets in
  let rec from i bucket () =
    match bucket with
    | Empty ->
        if i >= Array.length buckets then Seq.Nil
        else from (i + 1) (Array.guarded_get buckets i) ()
    | Cons { key; value; next } -> Seq.Cons ((key, value), from i next)
  in
  from 0 Empty

let to_seq_keys h = Seq.map (fun (key, _) -> key) (to_seq h)
let to_seq_values h = Seq.map (fun (_, value) -> value) (to_seq h)

module type HashedType = sig
  type t

  val equal : t -> t -> bool
  val hash : t -> int
end

module type SeededHashedType = sig
  type t

  val equal : t -> t -> bool
  val seeded_hash : int -> t -> int
end

module type S = sig
  type key
  type 'a t

  val create : int -> 'a t
  val clear : 'a t -> unit
  val reset : 'a t -> unit
  val copy : 'a t -> 'a t
  val add : 'a t -> key -> 'a -> unit
  val remove : 'a t -> key -> unit
  val find : 'a t -> key -> 'a
  val find_opt : 'a t -> key -> 'a option
  val find_all : 'a t -> key -> 'a list
  val replace : 'a t -> key -> 'a -> unit
  val mem : 'a t -> key -> bool
  val iter : (key -> 'a -> unit) -> 'a t -> unit
  val filter_map_inplace : (key -> 'a -> 'a option) -> 'a t -> unit
  val fold : (key -> 'a -> 'b -> 'b) -> 'a t -> 'b -> 'b
  val length : 'a t -> int
  val stats : 'a t -> statistics
  val to_seq : 'a t -> (key * 'a) Seq.t
  val to_seq_keys : 'a t -> key Seq.t
  val to_seq_values : 'a t -> 'a Seq.t
  val add_seq : 'a t -> (key * 'a) Seq.t -> unit
  val replace_seq : 'a t -> (key * 'a) Seq.t -> unit
  val of_seq : (key * 'a) Seq.t -> 'a t
end

module type SeededS = sig
  type key
  type 'a t

  val create : ?random:bool -> int -> 'a t
  val clear : 'a t -> unit
  val reset : 'a t -> unit
  val copy : 'a t -> 'a t
  val add : 'a t -> key -> 'a -> unit
  val remove : 'a t -> key -> unit
  val find : 'a t -> key -> 'a
  val find_opt : 'a t -> key -> 'a option
  val find_all : 'a t -> key -> 'a list
  val replace : 'a t -> key -> 'a -> unit
  val mem : 'a t -> key -> bool
  val iter : (key -> 'a -> unit) -> 'a t -> unit
  val filter_map_inplace : (key -> 'a -> 'a option) -> 'a t -> unit
  val fold : (key -> 'a -> 'b -> 'b) -> 'a t -> 'b -> 'b
  val length : 'a t -> int
  val stats : 'a t -> statistics
  val to_seq : 'a t -> (key * 'a) Seq.t
  val to_seq_keys : 'a t -> key Seq.t
  val to_seq_values : 'a t -> 'a Seq.t
  val add_seq : 'a t -> (key * 'a) Seq.t -> unit
  val replace_seq : 'a t -> (key * 'a) Seq.t -> unit
  val of_seq : (key * 'a) Seq.t -> 'a t
end

module MakeSeeded (H : SeededHashedType) : SeededS with type key = H.t = struct
  type key = H.t
  type 'a table = (key, 'a) t
  type 'a t = 'a table

  let create = create
  let clear = clear
  let reset = reset
  let copy = copy
  let length = length
  let iter = iter
  let fold = fold
  let filter_map_inplace = filter_map_inplace
  let stats = stats
  let to_seq = to_seq
  let to_seq_keys = to_seq_keys
  let to_seq_values = to_seq_values
  let same = H.equal
  let key_index h key = H.seeded_hash h.seed key land (Array.length h.buckets - 1)

  let add h key value =
    let i = key_index h key in
    Array.guarded_set h.buckets i (Cons { key; value; next = Array.guarded_get h.buckets i });
    h.size <- h.size + 1;
    if h.size > 2 * Array.length h.buckets then resize key_index h

  let remove h key =
    let i = key_index h key in
    let rec loop before bucket =
      match bucket with
      | Empty -> ()
      | Cons cell ->
          if same cell.key key then begin
            h.size <- h.size - 1;
            match before with
            | Empty -> Array.guarded_set h.buckets i cell.next
            | Cons earlier -> earlier.next <- cell.next
          end
          else loop bucket cell.next
    in
    loop Empty (Array.guarded_get h.buckets i)

  let find h key =
    let rec loop = function
      | Empty -> raise Not_found
      | Cons cell -> if same key cell.key then cell.value else loop cell.next
    in
    loop (Array.guarded_get h.buckets (key_index h key))

  let find_opt h key =
    let rec loop = function
      | Empty -> None
      | Cons cell -> if same key cell.key then Some cell.value else loop cell.next
    in
    loop (Array.guarded_get h.buckets (key_index h key))

  let find_all h key =
    let rec loop = function
      | Empty -> []
      | Cons cell ->
          if same cell.key key then
            let value = cell.value in
            value :: loop cell.next
          else loop cell.next
    in
    loop (Array.guarded_get h.buckets (key_index h key))

  let replace h key value =
    let i = key_index h key in
    let first = Array.guarded_get h.buckets i in
    let rec loop = function
      | Empty ->
          Array.guarded_set h.buckets i (Cons { key; value; next = first });
          h.size <- h.size + 1;
          if h.size > 2 * Array.length h.buckets then resize key_index h
      | Cons cell ->
          if same cell.key key then begin
            cell.key <- key;
            cell.value <- value
          end
          else loop cell.next
    in
    loop first

  let mem h key =
    let rec loop = function
      | Empty -> false
      | Cons cell -> same cell.key key || loop cell.next
    in
    loop (Array.guarded_get h.buckets (key_index h key))

  let add_seq h seq = Seq.iter (fun (key, value) -> add h key value) seq
  let replace_seq h seq = Seq.iter (fun (key, value) -> replace h key value) seq

  let of_seq seq =
    let h = create 16 in
    replace_seq h seq;
    h
end

module Make (H : HashedType) : S with type key = H.t = struct
  include MakeSeeded (struct
    type t = H.t

    let equal = H.equal
    let seeded_hash (_ : int) key = H.hash key
  end)

  let create n = create ~random:false n

  let of_seq seq =
    let h = create 16 in
    replace_seq h seq;
    h
end

(* Tables with any keys. *)

let seeded_hash seed x = seeded_hash_param 10 100 seed x
let hash_param meaningful total x = seeded_hash_param meaningful total 0 x
let[@inline] same a b = compare a b = 0

let[@inline] key_index h key =
  (if h.seed = 0 then hash key else seeded_hash h.seed key) land (Array.length h.buckets - 1)

let add h key value =
  let i = key_index h key in
  Array.guarded_set h.buckets i (Cons { key; value; next = Array.guarded_get h.buckets i });
  h.size <- h.size + 1;
  if h.size > 2 * Array.length h.buckets then resize key_index h

let remove h key =
  let i = key_index h key in
  let rec loop before bucket =
    match bucket with
    | Empty -> ()
    | Cons cell ->
        if same cell.key key then begin
          h.size <- h.size - 1;
          match before with
          | Empty -> Array.guarded_set h.buckets i cell.next
          | Cons earlier -> earlier.next <- cell.next
        end
        else loop bucket cell.next
  in
  loop Empty (Array.guarded_get h.buckets i)

let find h key =
  let rec loop = function
    | Empty -> raise Not_found
    | Cons cell -> if same key cell.key then cell.value else loop cell.next
  in
  loop (Array.guarded_get h.buckets (key_index h key))

let find_opt h key =
  let rec loop = function
    | Empty -> None
    | Cons cell -> if same key cell.key then Some cell.value else loop cell.next
  in
  loop (Array.guarded_get h.buckets (key_index h key))

let find_all h key =
  let rec loop = function
    | Empty -> []
    | Cons cell ->
        if same cell.key key then
          let value = cell.value in
          value :: loop cell.next
        else loop cell.next
  in
  loop (Array.guarded_get h.buckets (key_index h key))

let replace h key value =
  let i = key_index h key in
  let first = Array.guarded_get h.buckets i in
  let rec loop = function
    | Empty ->
        Array.guarded_set h.buckets i (Cons { key; value; next = first });
        h.size <- h.size + 1;
        if h.size > 2 * Array.length h.buckets then resize key_index h
    | Cons cell ->
        if same cell.key key then begin
          cell.key <- key;
          cell.value <- value
        end
        else loop cell.next
  in
  loop first

let mem h key =
  let rec loop = function
    | Empty -> false
    | Cons cell -> same cell.key key || loop cell.next
  in
  loop (Array.guarded_get h.buckets (key_index h key))

let add_seq h seq = Seq.iter (fun (key, value) -> add h key value) seq
let replace_seq h seq = Seq.iter (fun (key, value) -> replace h key value) seq

let of_seq seq =
  let h = create 16 in
  replace_seq h seq;
  h

let rebuild ?(random = !randomized) h =
  let n = power_2_above 16 (Array.length h.buckets) in
  let seed = if random then entropy () land 0x3FFFFFFF else h.seed in
  let fresh =
    { size = h.size; buckets = Array.make n Empty; seed; initial_size = abs h.initial_size }
  in
  insert_all (fun key -> key_index fresh key) false h.buckets fresh.buckets;
  fresh
