(* Data that is kept as long as its keys are alive (see [Oxbow_weak]). A key that the data itself refers to stays
   alive: references are counted. *)

[@@@links_printexc]
[@@@hidden "Keys MakeTable cell dropping held is_key K2.alive"]
[@@@hidden "Kn.same Kn.alive K1.Bucket.make_one K2.Bucket.make_one Kn.Bucket.make_one"]
[@@@hidden "K1.Bucket.clean K2.Bucket.clean Kn.Bucket.clean"]
[@@@abstract "cell K1.t K2.t Kn.t K1.Bucket.t K2.Bucket.t Kn.Bucket.t"]

module type S = sig
  type key
  type !'a t

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
  val length : 'a t -> int
  val stats : 'a t -> Hashtbl.statistics
  val add_seq : 'a t -> (key * 'a) Seq.t -> unit
  val replace_seq : 'a t -> (key * 'a) Seq.t -> unit
  val of_seq : (key * 'a) Seq.t -> 'a t
  val clean : 'a t -> unit
  val stats_alive : 'a t -> Hashtbl.statistics
end

module type SeededS = sig
  type key
  type !'a t

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
  val length : 'a t -> int
  val stats : 'a t -> Hashtbl.statistics
  val add_seq : 'a t -> (key * 'a) Seq.t -> unit
  val replace_seq : 'a t -> (key * 'a) Seq.t -> unit
  val of_seq : (key * 'a) Seq.t -> 'a t
  val clean : 'a t -> unit
  val stats_alive : 'a t -> Hashtbl.statistics
end

(* Data: [Oxbow_weak] drops it when it finds a key dead. *)
type 'd cell = { mutable data : 'd option }

let[@inline] dropping cell () = cell.data <- None

(* What holds the keys of an entry weakly, with what to do when one is dead. *)
module type Keys = sig
  type key
  type keys

  val hold : (unit -> unit) -> key -> keys
  val alive : keys -> bool
  val equal : keys -> key -> bool
  val hash : int -> key -> int
end

module MakeTable (K : Keys) = struct
  type key = K.key

  type 'a entry = { hash : int; keys : K.keys; cell : 'a cell }
  type 'a t = { mutable size : int; mutable buckets : 'a entry list array; seed : int; initial : int }

  let rec power_2 n size = if n >= size || n * 2 > Sys.max_array_length then n else power_2 (n * 2) size

  let make seed size =
    let size = power_2 16 size in
    { size = 0; buckets = Array.make size []; seed; initial = size }

  let create ?(random = Hashtbl.is_randomized ()) size =
    make (if random then Random.State.bits (Random.State.make_self_init ()) else 0) size

  let clear table =
    table.size <- 0;
    Array.fill table.buckets 0 (Array.length table.buckets) []

  let reset table =
    clear table;
    table.buckets <- Array.make table.initial []

  let copy table = { table with buckets = Array.copy table.buckets }
  let place table hash = hash land (Array.length table.buckets - 1)

  let is_alive entry =
    K.alive entry.keys
    || begin
         entry.cell.data <- None;
         false
       end

  let clean table =
    let left = ref 0 in
    Array.iteri
      (fun i bucket ->
        let alive = List.filter is_alive bucket in
        left := !left + List.length alive;
        table.buckets.(i) <- alive)
      table.buckets;
    table.size <- !left

  let grow table =
    clean table;
    if table.size > Array.length table.buckets then begin
      let old = table.buckets in
      table.buckets <- Array.make (2 * Array.length old) [];
      let move entry =
        let at = place table entry.hash in
        table.buckets.(at) <- entry :: table.buckets.(at)
      in
      Array.iter (fun bucket -> List.iter move (List.rev bucket)) old
    end

  let add table key data =
    let hash = K.hash table.seed key in
    let at = place table hash in
    let cell = { data = Some data } in
    table.buckets.(at) <- { hash; keys = K.hold (dropping cell) key; cell } :: table.buckets.(at);
    table.size <- table.size + 1;
    if table.size > 2 * Array.length table.buckets then grow table

  let is_wanted hash key entry = entry.hash = hash && is_alive entry && K.equal entry.keys key

  let remove table key =
    let hash = K.hash table.seed key in
    let rec without = function
      | [] -> []
      | entry :: rest when is_wanted hash key entry ->
          table.size <- table.size - 1;
          rest
      | entry :: rest -> entry :: without rest
    in
    let at = place table hash in
    table.buckets.(at) <- without table.buckets.(at)

  let find_opt table key =
    let hash = K.hash table.seed key in
    match List.find_opt (is_wanted hash key) table.buckets.(place table hash) with
    | Some entry -> entry.cell.data
    | None -> None

  let find table key = match find_opt table key with Some data -> data | None -> raise Not_found
  let mem table key = match find_opt table key with Some _ -> true | None -> false

  let find_all table key =
    let hash = K.hash table.seed key in
    let wanted = List.filter (is_wanted hash key) table.buckets.(place table hash) in
    List.filter_map (fun entry -> entry.cell.data) wanted

  let replace table key data =
    remove table key;
    add table key data

  let length table = table.size

  let statistics table keep =
    let sizes = Array.map (fun bucket -> List.length (List.filter keep bucket)) table.buckets in
    let longest = Array.fold_left max 0 sizes in
    let histogram = Array.make (longest + 1) 0 in
    Array.iter (fun size -> histogram.(size) <- histogram.(size) + 1) sizes;
    {
      Hashtbl.num_bindings = Array.fold_left ( + ) 0 sizes;
      num_buckets = Array.length sizes;
      max_bucket_length = longest;
      bucket_histogram = histogram;
    }

  let stats table = statistics table (fun _ -> true)
  let stats_alive table = statistics table is_alive
  let add_seq table all = Seq.iter (fun (key, data) -> add table key data) all
  let replace_seq table all = Seq.iter (fun (key, data) -> replace table key data) all

  let of_seq all =
    let table = make 0 16 in
    replace_seq table all;
    table
end

(* A key, held weakly *)

let held lost key =
  let weak = Oxbow_weak.create_with lost 1 in
  Oxbow_weak.set weak 0 key;
  weak

let is_key equal weak key =
  match Oxbow_weak.get weak 0 with Some other -> equal other key | None -> false

module K1 = struct
  type ('k, 'd) t = { key : 'k Oxbow_weak.t; cell : 'd cell }

  let make key data =
    let cell = { data = Some data } in
    { key = held (dropping cell) key; cell }

  let query it key =
    if not (Oxbow_weak.check it.key 0) then it.cell.data <- None;
    if is_key ( == ) it.key key then it.cell.data else None

  module MakeSeeded (H : Hashtbl.SeededHashedType) : SeededS with type key = H.t = MakeTable (struct
    type key = H.t
    type keys = H.t Oxbow_weak.t

    let hold = held
    let alive keys = Oxbow_weak.check keys 0
    let equal keys key = is_key H.equal keys key
    let hash seed key = H.seeded_hash seed key land max_int
  end)

  module Make (H : Hashtbl.HashedType) : S with type key = H.t = struct
    include MakeSeeded (struct
      type t = H.t

      let equal = H.equal
      let seeded_hash (_ : int) key = H.hash key
    end)

    let create size = create ~random:false size
  end

  module Bucket = struct
    type nonrec ('k, 'd) t = ('k, 'd) t list ref

    let make_one = make
    let make () = ref []
    let clean bucket = bucket := List.filter (fun it -> Oxbow_weak.check it.key 0) !bucket

    let add bucket key data =
      clean bucket;
      bucket := make_one key data :: !bucket

    let remove bucket key =
      let rec without = function
        | [] -> []
        | it :: rest -> if is_key ( == ) it.key key then rest else it :: without rest
      in
      bucket := without !bucket

    let find bucket key = List.find_map (fun it -> query it key) !bucket

    let length bucket = List.length !bucket
    let clear bucket = bucket := []
  end
end

module K2 = struct
  type ('k1, 'k2, 'd) t = {
    key1 : 'k1 Oxbow_weak.t;
    key2 : 'k2 Oxbow_weak.t;
    cell : 'd cell;
  }

  let make key1 key2 data =
    let cell = { data = Some data } in
    { key1 = held (dropping cell) key1; key2 = held (dropping cell) key2; cell }

  let alive it = Oxbow_weak.check it.key1 0 && Oxbow_weak.check it.key2 0

  let query it key1 key2 =
    if not (alive it) then it.cell.data <- None;
    if is_key ( == ) it.key1 key1 && is_key ( == ) it.key2 key2 then it.cell.data else None

  module MakeSeeded (H1 : Hashtbl.SeededHashedType) (H2 : Hashtbl.SeededHashedType) :
    SeededS with type key = H1.t * H2.t = MakeTable (struct
    type key = H1.t * H2.t
    type keys = H1.t Oxbow_weak.t * H2.t Oxbow_weak.t

    let hold lost (key1, key2) = (held lost key1, held lost key2)
    let alive (keys1, keys2) = Oxbow_weak.check keys1 0 && Oxbow_weak.check keys2 0

    let equal (keys1, keys2) (key1, key2) = is_key H1.equal keys1 key1 && is_key H2.equal keys2 key2

    let hash seed (key1, key2) =
      (H1.seeded_hash seed key1 + (H2.seeded_hash seed key2 * 65599)) land max_int
  end)

  module Make (H1 : Hashtbl.HashedType) (H2 : Hashtbl.HashedType) :
    S with type key = H1.t * H2.t = struct
    include
      MakeSeeded
        (struct
          type t = H1.t

          let equal = H1.equal
          let seeded_hash (_ : int) key = H1.hash key
        end)
        (struct
          type t = H2.t

          let equal = H2.equal
          let seeded_hash (_ : int) key = H2.hash key
        end)

    let create size = create ~random:false size
  end

  module Bucket = struct
    type nonrec ('k1, 'k2, 'd) t = ('k1, 'k2, 'd) t list ref

    let make_one = make
    let make () = ref []
    let clean bucket = bucket := List.filter alive !bucket

    let add bucket key1 key2 data =
      clean bucket;
      bucket := make_one key1 key2 data :: !bucket

    let remove bucket key1 key2 =
      let rec without = function
        | [] -> []
        | it :: rest ->
            if is_key ( == ) it.key1 key1 && is_key ( == ) it.key2 key2 then rest
            else it :: without rest
      in
      bucket := without !bucket

    let find bucket key1 key2 = List.find_map (fun it -> query it key1 key2) !bucket
    let length bucket = List.length !bucket
    let clear bucket = bucket := []
  end
end

module Kn = struct
  type ('k, 'd) t = { keys : 'k Oxbow_weak.t array; cell : 'd cell }

  let make keys data =
    let cell = { data = Some data } in
    { keys = Array.map (held (dropping cell)) keys; cell }

  let alive weak = Array.for_all (fun it -> Oxbow_weak.check it 0) weak

  let same equal weak keys =
    Array.length weak = Array.length keys && Array.for_all2 (is_key equal) weak keys

  let query it keys =
    if not (alive it.keys) then it.cell.data <- None;
    if same ( == ) it.keys keys then it.cell.data else None

  module MakeSeeded (H : Hashtbl.SeededHashedType) : SeededS with type key = H.t array =
  MakeTable (struct
    type key = H.t array
    type keys = H.t Oxbow_weak.t array

    let hold lost keys = Array.map (held lost) keys
    let alive = alive
    let equal weak keys = same H.equal weak keys

    let hash seed keys =
      Array.fold_left (fun hash key -> (H.seeded_hash seed key + (hash * 65599)) land max_int) 0 keys
  end)

  module Make (H : Hashtbl.HashedType) : S with type key = H.t array = struct
    include MakeSeeded (struct
      type t = H.t

      let equal = H.equal
      let seeded_hash (_ : int) key = H.hash key
    end)

    let create size = create ~random:false size
  end

  module Bucket = struct
    type nonrec ('k, 'd) t = ('k, 'd) t list ref

    let make_one = make
    let make () = ref []
    let clean bucket = bucket := List.filter (fun it -> alive it.keys) !bucket

    let add bucket keys data =
      clean bucket;
      bucket := make_one keys data :: !bucket

    let remove bucket keys =
      let rec without = function
        | [] -> []
        | it :: rest -> if same ( == ) it.keys keys then rest else it :: without rest
      in
      bucket := without !bucket

    let find bucket keys = List.find_map (fun it -> query it keys) !bucket
    let length bucket = List.length !bucket
    let clear bucket = bucket := []
  end
end
