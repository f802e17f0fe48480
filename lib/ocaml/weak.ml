(* Arrays and sets that hold their elements weakly (see [Oxbow_weak]) *)

[@@@hidden "checked"]
[@@@abstract "t"]

type 'a t = 'a Oxbow_weak.t

let create size =
  if size < 0 || size > Sys.max_array_length - 2 then invalid_arg "Weak.create";
  Oxbow_weak.create size

let length = Oxbow_weak.length
let checked name weak i = if i < 0 || i >= length weak then invalid_arg name

let set weak i value =
  checked "Weak.set" weak i;
  match value with None -> Oxbow_weak.clear weak i | Some value -> Oxbow_weak.set weak i value

let get weak i =
  checked "Weak.get" weak i;
  Oxbow_weak.get weak i

let get_copy weak i =
  checked "Weak.get_copy" weak i;
  Oxbow_weak.get_copy weak i

let check weak i =
  checked "Weak.check" weak i;
  Oxbow_weak.check weak i

let fill weak start count value =
  if start < 0 || count < 0 || start > length weak - count then raise (Invalid_argument "Weak.fill");
  for i = start to start + count - 1 do
    set weak i value
  done

let blit from start into at count =
  if
    start < 0 || at < 0 || count < 0
    || start > length from - count
    || at > length into - count
  then invalid_arg "Weak.blit";
  if at <= start then
    for i = 0 to count - 1 do
      set into (at + i) (get from (start + i))
    done
  else
    for i = count - 1 downto 0 do
      set into (at + i) (get from (start + i))
    done

module type S = sig
  type data
  type t

  val create : int -> t
  val clear : t -> unit
  val merge : t -> data -> data
  val add : t -> data -> unit
  val remove : t -> data -> unit
  val find : t -> data -> data
  val find_opt : t -> data -> data option
  val find_all : t -> data -> data list
  val mem : t -> data -> bool
  val iter : (data -> unit) -> t -> unit
  val fold : (data -> 'acc -> 'acc) -> t -> 'acc -> 'acc
  val count : t -> int
  val stats : t -> int * int * int * int * int * int
end

module Make (H : Hashtbl.HashedType) : S with type data = H.t = struct
  type data = H.t

  (* The elements of a bucket lie in the first places; those that died leave holes. *)
  type bucket = { items : data Oxbow_weak.t; hashes : int array }
  type t = { mutable buckets : bucket array; mutable added : int }

  let empty = { items = { Oxbow_weak.slots = [||]; full = Bytes.empty; lost = ignore }; hashes = [||] }

  let create size =
    let size = max 7 (min size (Sys.max_array_length / 2)) in
    { buckets = Array.make size empty; added = 0 }

  let clear set =
    Array.fill set.buckets 0 (Array.length set.buckets) empty;
    set.added <- 0

  let fold f set start =
    let in_bucket result bucket =
      let rec go i result =
        if i >= length bucket.items then result
        else
          match Oxbow_weak.get bucket.items i with
          | None -> go (i + 1) result
          | Some value -> go (i + 1) (f value result)
      in
      go 0 result
    in
    Array.fold_left in_bucket start set.buckets

  let iter f set = fold (fun value () -> f value) set ()
  let count set = fold (fun _ n -> n + 1) set 0
  let hash value = H.hash value land max_int

  (* Puts a value into the first hole of its bucket, or into a larger bucket. *)
  let put set value hash =
    let at = hash mod Array.length set.buckets in
    let bucket = set.buckets.(at) in
    let size = length bucket.items in
    let rec hole i = if i < size && Oxbow_weak.check bucket.items i then hole (i + 1) else i in
    let i = hole 0 in
    let bucket =
      if i < size then bucket
      else begin
        let larger =
          {
            items = Oxbow_weak.create ((3 * size / 2) + 3);
            hashes = Array.make ((3 * size / 2) + 3) 0;
          }
        in
        blit bucket.items 0 larger.items 0 size;
        Array.blit bucket.hashes 0 larger.hashes 0 size;
        set.buckets.(at) <- larger;
        larger
      end
    in
    Oxbow_weak.set bucket.items i value;
    bucket.hashes.(i) <- hash;
    set.added <- set.added + 1

  (* Twice as many buckets, if those that are alive need them. *)
  let grow set =
    let alive = count set in
    set.added <- alive;
    if alive > 2 * Array.length set.buckets then begin
      let values = fold (fun value all -> value :: all) set [] in
      set.buckets <- Array.make ((2 * Array.length set.buckets) + 1) empty;
      set.added <- 0;
      List.iter (fun value -> put set value (hash value)) values
    end

  let add_hashed set value hash =
    put set value hash;
    if set.added > 2 * Array.length set.buckets then grow set

  let add set value = add_hashed set value (hash value)

  (* Calls [found] with the bucket and the place of an equal value. *)
  let search set value found missing =
    let hash = hash value in
    let bucket = set.buckets.(hash mod Array.length set.buckets) in
    let rec go i =
      if i >= length bucket.items then missing hash
      else if bucket.hashes.(i) <> hash then go (i + 1)
      else
        match Oxbow_weak.get bucket.items i with
        | Some other when H.equal other value -> found bucket i other
        | _ -> go (i + 1)
    in
    go 0

  let merge set value =
    search set value
      (fun _ _ other -> other)
      (fun hash ->
        add_hashed set value hash;
        value)

  let find set value = search set value (fun _ _ other -> other) (fun _ -> raise Not_found)
  let find_opt set value = search set value (fun _ _ other -> Some other) (fun _ -> None)
  let mem set value = search set value (fun _ _ _ -> true) (fun _ -> false)

  let remove set value =
    search set value (fun bucket i _ -> Oxbow_weak.clear bucket.items i) (fun _ -> ())

  let find_all set value =
    let hash = hash value in
    let bucket = set.buckets.(hash mod Array.length set.buckets) in
    let rec go i =
      if i >= length bucket.items then []
      else
        match if bucket.hashes.(i) = hash then Oxbow_weak.get bucket.items i else None with
        | Some other when H.equal other value -> other :: go (i + 1)
        | _ -> go (i + 1)
    in
    go 0

  let stats set =
    let sizes = Array.map (fun bucket -> length bucket.items) set.buckets in
    Array.sort compare sizes;
    let buckets = Array.length sizes in
    ( buckets,
      count set,
      Array.fold_left ( + ) 0 sizes,
      sizes.(0),
      sizes.(buckets / 2),
      sizes.(buckets - 1) )
end
