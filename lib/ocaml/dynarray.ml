(* Arrays that grow *)

[@@@hidden "nothing outside negative next_capacity with_room walk check_length cell same_lengths"]
[@@@hidden "resized changed_by appended search forget copied"]
[@@@abstract "t"]

external nothing : unit -> 'a = "%uninit"

(* Places from [length] on hold nothing. In programs with domains they hold any element: another domain may look at
   them when it should not, and finds a value. *)
type 'a t = { mutable length : int; mutable items : 'a array }

let create () = { length = 0; items = [||] }
let length a = a.length
let is_empty a = a.length = 0
let capacity a = Array.length a.items

(* Faults *)

let outside name i length =
  let bounds = if length = 0 then "empty dynarray" else "0.." ^ string_of_int (length - 1) in
  invalid_arg
    ("Dynarray." ^ name ^ ": index " ^ string_of_int i ^ " out of bounds (" ^ bounds ^ ")")

let negative name what n =
  if n < 0 then
    invalid_arg
      ("Dynarray." ^ name ^ ": negative " ^ what ^ " " ^ string_of_int n ^ " requested")

let check_length name before a =
  if a.length <> before then
    invalid_arg
      ("Dynarray." ^ name ^ ": a length change from " ^ string_of_int before ^ " to "
     ^ string_of_int a.length ^ " occurred during iteration")

let same_lengths name a b =
  if a.length <> b.length then
    invalid_arg
      ("Dynarray." ^ name ^ ": array length mismatch: " ^ string_of_int a.length ^ " <> "
     ^ string_of_int b.length)

(* An element that was there when a traversal of so many began. *)
let cell a items i length =
  if i >= a.length then
    invalid_arg
      ("Invalid dynarray (unsynchronized concurrent length change): missing element at position "
     ^ string_of_int i ^ " < length " ^ string_of_int length)
  else Array.guarded_get items i

let get a i =
  if i < 0 || i >= Array.length a.items then invalid_arg "index out of bounds"
  else if i >= a.length then outside "get" i a.length
  else Array.guarded_get a.items i

let set a i x =
  if i < 0 then invalid_arg "index out of bounds"
  else if i >= a.length then outside "set" i a.length
  else Array.guarded_set a.items i x

let make n x =
  negative "make" "length" n;
  { length = n; items = Array.make n x }

let init n f =
  negative "init" "length" n;
  { length = n; items = Array.init n f }

let get_last a =
  if a.length = 0 then invalid_arg "Dynarray.get_last: empty array"
  else Array.guarded_get a.items (a.length - 1)

let find_last a = if a.length = 0 then None else Some (Array.guarded_get a.items (a.length - 1))
let copy a = { length = a.length; items = Array.sub a.items 0 a.length }

(* Room *)

let next_capacity n =
  let larger = if n <= 512 then n * 2 else n + (n / 2) in
  min (max 8 larger) Sys.max_array_length

let forget items i = if not (domain_any ()) then Array.unsafe_set items i (nothing ())

let copied from start into at count =
  if domain_any () then Array.blit from start into at count
  else Array.unsafe_blit from start into at count

(* [others] has an element if there is one to come. *)
let resized a size others =
  if domain_any () then begin
    let old = a.items in
    let from = if Array.length old > 0 then old else others in
    if Array.length from > 0 then begin
      let items = Array.make size from.(0) in
      Array.blit old 0 items 0 (min size (Array.length old));
      a.items <- items
    end
  end
  else begin
    let items = Array.unsafe_uninit size in
    Array.unsafe_blit a.items 0 items 0 a.length;
    for i = a.length to size - 1 do
      forget items i
    done;
    a.items <- items
  end

let with_room a size others =
  if size > capacity a then begin
    if size > Sys.max_array_length then
      invalid_arg
        ("Dynarray: the requested length " ^ string_of_int size
       ^ " would exceed the maximum array length");
    resized a (max size (next_capacity (capacity a))) others
  end

let ensure_capacity a size =
  negative "ensure_capacity" "capacity" size;
  with_room a size [||]

let ensure_extra_capacity a extra = with_room a (a.length + extra) [||]

let truncate a n =
  negative "truncate" "length" n;
  if n < a.length then begin
    let last = a.length - 1 in
    a.length <- n;
    for i = n to last do
      forget a.items i
    done
  end

let clear a = truncate a 0

let set_capacity a size =
  negative "set_capacity" "capacity" size;
  if size < a.length then truncate a size;
  if size <> capacity a then if size = 0 then a.items <- [||] else resized a size [||]

let fit_capacity a = set_capacity a a.length

let reset a =
  a.length <- 0;
  a.items <- [||]

(* The end *)

let add_last a x =
  if a.length >= capacity a then with_room a (a.length + 1) [| x |];
  Array.guarded_set a.items a.length x;
  a.length <- a.length + 1

let pop_last a =
  if a.length = 0 then raise Not_found
  else begin
    let last = a.length - 1 in
    let x = Array.guarded_get a.items last in
    forget a.items last;
    a.length <- last;
    x
  end

let pop_last_opt a = if a.length = 0 then None else Some (pop_last a)
let remove_last a = if a.length > 0 then ignore (pop_last a)

let append_array a added =
  let count = Array.length added in
  with_room a (a.length + count) added;
  copied added 0 a.items a.length count;
  a.length <- a.length + count

let append_iter a iter added = iter (fun x -> add_last a x) added
let append_list a added = append_iter a List.iter added
let append_seq a added = append_iter a Seq.iter added

let append a b =
  let count = b.length in
  with_room a (a.length + count) b.items;
  copied b.items 0 a.items a.length count;
  a.length <- a.length + count;
  check_length "append" count b

let blit ~src ~src_pos ~dst ~dst_pos ~len =
  let region what pos length =
    invalid_arg
      ("Dynarray.blit: invalid " ^ what ^ " region (" ^ string_of_int pos ^ ".."
      ^ string_of_int (pos + len)
      ^ ") in " ^ what ^ " dynarray of length " ^ string_of_int length)
  in
  if len < 0 then
    invalid_arg ("Dynarray.blit: invalid blit length (" ^ string_of_int len ^ ")");
  if src_pos < 0 || src_pos + len > src.length then region "source" src_pos src.length;
  if dst_pos < 0 || dst_pos > dst.length then region "target" dst_pos dst.length;
  with_room dst (dst_pos + len) src.items;
  copied src.items src_pos dst.items dst_pos len;
  if dst_pos + len > dst.length then dst.length <- dst_pos + len

(* Traversals: the length must not change meanwhile. *)

let iteri f a =
  let length = a.length and items = a.items in
  for i = 0 to length - 1 do
    f i (cell a items i length)
  done;
  check_length "iteri" length a

let iter f a =
  let length = a.length and items = a.items in
  for i = 0 to length - 1 do
    f (cell a items i length)
  done;
  check_length "iter" length a

let mapi f a =
  let length = a.length and items = a.items in
  let mapped = Array.init length (fun i -> f i (cell a items i length)) in
  check_length "mapi" length a;
  { length; items = mapped }

let map f a =
  let length = a.length and items = a.items in
  let mapped = Array.init length (fun i -> f (cell a items i length)) in
  check_length "map" length a;
  { length; items = mapped }

let fold_left f start a =
  let length = a.length and items = a.items in
  let total = ref start in
  for i = 0 to length - 1 do
    total := f !total (cell a items i length)
  done;
  check_length "fold_left" length a;
  !total

let fold_right f a start =
  let length = a.length and items = a.items in
  let total = ref start in
  for i = length - 1 downto 0 do
    total := f (cell a items i length) !total
  done;
  check_length "fold_right" length a;
  !total

(* The first of the elements for which [f] gives something. *)
let search name f a =
  let length = a.length and items = a.items in
  let rec from i =
    if i >= length then None
    else match f i (cell a items i length) with None -> from (i + 1) | found -> found
  in
  let found = from 0 in
  check_length name length a;
  found

let exists p a = search "exists" (fun _ x -> if p x then Some () else None) a <> None
let for_all p a = search "for_all" (fun _ x -> if p x then None else Some ()) a = None
let find_opt p a = search "find_opt" (fun _ x -> if p x then Some x else None) a
let find_index p a = search "find_index" (fun i x -> if p x then Some i else None) a
let find_map f a = search "find_map" (fun _ x -> f x) a
let find_mapi f a = search "find_mapi" f a
let mem x a = exists (fun y -> Stdlib.compare x y = 0) a
let memq x a = exists (fun y -> x == y) a

let filter p a =
  let kept = create () in
  let length = a.length in
  let add x = if p x then add_last kept x in
  let items = a.items in
  for i = 0 to length - 1 do
    add (cell a items i length)
  done;
  check_length "filter" length a;
  kept

let filter_map f a =
  let kept = create () in
  let length = a.length and items = a.items in
  for i = 0 to length - 1 do
    match f (cell a items i length) with None -> () | Some y -> add_last kept y
  done;
  check_length "filter_map" length a;
  kept

(* Two at a time *)

let walk name a b stops finished =
  let length = a.length and left = a.items and right = b.items in
  let rec from i =
    if i >= length then finished
    else
      match stops (cell a left i length) (cell b right i length) with
      | None -> from (i + 1)
      | Some result -> result
  in
  let result = from 0 in
  check_length name length a;
  check_length name length b;
  result

let exists2 p a b =
  same_lengths "exists2" a b;
  walk "exists2" a b (fun x y -> if p x y then Some true else None) false

let for_all2 p a b =
  same_lengths "for_all2" a b;
  walk "for_all2" a b (fun x y -> if p x y then None else Some false) true

let equal eq a b =
  a.length = b.length && walk "equal" a b (fun x y -> if eq x y then None else Some false) true

let compare cmp a b =
  if a.length <> b.length then a.length - b.length
  else
    walk "compare" a b
      (fun x y ->
        let order = cmp x y in
        if order <> 0 then Some order else None)
      0

(* To and from others *)

let of_array items = { length = Array.length items; items = Array.copy items }
let to_array a = Array.sub a.items 0 a.length
let of_list items = of_array (Array.of_list items)
let to_list a = Array.to_list (to_array a)

let of_seq seq =
  let a = create () in
  append_seq a seq;
  a

let to_seq a =
  let length = a.length and items = a.items in
  let rec from i () =
    check_length "to_seq" length a;
    if i >= length then Seq.Nil else Seq.Cons (cell a items i length, from (i + 1))
  in
  from 0

let to_seq_rev a =
  let length = a.length and items = a.items in
  let rec from i () =
    check_length "to_seq_rev" length a;
    if i < 0 then Seq.Nil else Seq.Cons (cell a items i length, from (i - 1))
  in
  from (length - 1)

(* These see what changes meanwhile. *)

let to_seq_reentrant a =
  let rec from i () =
    if i >= a.length then Seq.Nil else Seq.Cons (Array.guarded_get a.items i, from (i + 1))
  in
  from 0

let to_seq_rev_reentrant a =
  let rec from i () =
    if i < 0 then Seq.Nil
    else if i >= a.length then from (a.length - 1) ()
    else Seq.Cons (Array.guarded_get a.items i, from (i - 1))
  in
  from (a.length - 1)

let unsafe_to_iarray ~capacity fill =
  let a = create () in
  set_capacity a capacity;
  fill a;
  to_array a
