(* Hash tables, promises, parameters, random numbers. *)

open Eshkol_value
open Eshkol_data

(* Hash tables: chains of association lists *)

let rec hash_value v depth =
  if is_int v then to_int v land 0x3FFFFFFF
  else if is_char v then char_of v + 257
  else if is_symbol v then hash_text (symbol_name v)
  else if is_flo v then int_of_float (flo_of v *. 1000003.0) land 0x3FFFFFFF
  else
    match v with
    | Str s ->
        let n = text_length s.text s.wide in
        let rec go i h = if i >= n then h else go (i + 1) (((h * 31) + text_get s.text s.wide i) land 0x3FFFFFFF) in
        go 0 17
    | Pair p -> if depth > 8 then 11 else ((hash_value p.car (depth + 1) * 31) + hash_value p.cdr (depth + 1) + 1) land 0x3FFFFFFF
    | Vec a ->
        let n = length_of a in
        let rec go i h = if i >= n || i > 8 then h else go (i + 1) (((h * 31) + hash_value (get a i) (depth + 2)) land 0x3FFFFFFF) in
        go 0 (n + 3)
    | Big (_, m) -> if length_of m > 0 then get m 0 else 0
    | Rat (n, d) | Complex (n, d) -> (hash_value n depth + (31 * hash_value d depth)) land 0x3FFFFFFF
    | True -> 3
    | Nil -> 5
    | False -> 7
    | Bytes b -> byte_length b
    | Dual _ | Traced _ | Series _ -> hash_value (ground v) depth
    | _ -> 13

let make_table kind = Table { buckets = make 16 Nil; size = 0; weakness = kind }
let make_equal_table _ = make_table 0
let make_eqv_table _ = make_table 1
let is_table v = match v with Table _ -> true | _ -> false
let table_of place who v = match v with Table t -> t | _ -> wrong place who "a hash table" v
let is_identity_table place v = (table_of place "hash table" v).weakness = 1

(* Numbers, characters and symbols are hashed by what they are, other objects by where they lie: they do not move while
   the table holds them. Empty strings are all the same. *)
let identity_hash v =
  if is_int v || is_mark v || is_flo v then hash_value v 0
  else
    match v with
    | Big _ | Rat _ | Complex _ | Dual _ | Traced _ | Series _ | True | False | Nil -> hash_value v 0
    | Str s when byte_length s.text = 0 -> 17
    | _ ->
        let n = Eshkol_identity.address v in
        (n lxor (n lsr 7) lxor (n lsr 17)) land 0x3FFFFFFF

(* The value of an entry. Where places are hashed it comes with the number of the entry, so that what a program sees of
   the order in a table is the order in which it was filled. *)
let[@inline] value_of t (entry : dyn) = if t.weakness = 1 then rest entry else entry

let slot t key =
  let h = if t.weakness = 1 then identity_hash key else hash_value key 0 in
  h land (length_of t.buckets - 1)

let find_entry t key =
  let rec go l =
    match l with
    | Pair { car = Pair e as entry; cdr = rest } ->
        if if t.weakness = 1 then is_eqv e.car key else is_equal e.car key then entry else go rest
    | _ -> Nil
  in
  go (get t.buckets (slot t key))

let grow t =
  let old = t.buckets in
  t.buckets <- make (length_of old * 2) Nil;
  for i = 0 to length_of old - 1 do
    let rec move l =
      match l with
      | Pair { car = Pair e as entry; cdr = rest } ->
          let at = slot t e.car in
          move rest;
          set t.buckets at (cons entry (get t.buckets at))
      | _ -> ()
    in
    move (get old i)
  done

(* The number of the entry that was made last. *)
let entries = ref 0

let table_set place v key value =
  let t = table_of place "hash-table-set!" v in
  match find_entry t key with
  | Pair e -> if t.weakness = 1 then (match e.cdr with Pair numbered -> numbered.cdr <- value | _ -> ()) else e.cdr <- value
  | _ ->
      if t.size > length_of t.buckets * 2 then grow t;
      let at = slot t key in
      let held =
        if t.weakness = 1 then begin
          entries := !entries + 1;
          cons (of_int !entries) value
        end
        else value
      in
      set t.buckets at (cons (cons key held) (get t.buckets at));
      t.size <- t.size + 1

let table_ref_default place v key default =
  let t = table_of place "hash-table-ref/default" v in
  match find_entry t key with Pair e -> value_of t e.cdr | _ -> default

let table_ref_absent place v key = table_ref_default place v key Absent

let table_has place v key =
  let t = table_of place "hash-table-contains?" v in
  match find_entry t key with Pair _ -> true | _ -> false

let table_delete place v key =
  let t = table_of place "hash-table-delete!" v in
  match find_entry t key with
  | Pair _ as entry ->
      let at = slot t key in
      let rec without l = match l with Pair p -> if p.car == entry then p.cdr else cons p.car (without p.cdr) | _ -> Nil in
      set t.buckets at (without (get t.buckets at));
      t.size <- t.size - 1
  | _ -> ()

let table_size place v = (table_of place "hash-table-size" v).size

(* Keys and values in the order in which the table was filled. *)
let[@inline never] in_order t =
  let all = make t.size (Nil, 0) in
  let next = ref 0 in
  let rec add l =
    match l with
    | Pair { car = Pair e as entry; cdr } ->
        set all !next (entry, to_int (first e.cdr));
        next := !next + 1;
        add cdr
    | _ -> ()
  in
  for i = 0 to length_of t.buckets - 1 do
    add (get t.buckets i)
  done;
  Array.stable_sort (fun (_, m) (_, n) -> if m < n then -1 else if m > n then 1 else 0) all;
  let rec list i acc =
    if i < 0 then acc
    else match get all i with Pair e, _ -> list (i - 1) (cons (cons e.car (rest e.cdr)) acc) | _ -> list (i - 1) acc
  in
  list (t.size - 1) Nil

let table_to_alist place v =
  let t = table_of place "hash-table->alist" v in
  if t.weakness = 1 then in_order t
  else
    let rec copy l acc = match l with Pair { car = Pair e; cdr } -> copy cdr (cons (cons e.car e.cdr) acc) | _ -> acc in
    let rec go i acc = if i < 0 then acc else go (i - 1) (copy (get t.buckets i) acc) in
    go (length_of t.buckets - 1) Nil

let table_clear place v =
  let t = table_of place "hash-table-clear!" v in
  t.buckets <- make 16 Nil;
  t.size <- 0

let table_copy place v _mutable =
  let t = table_of place "hash-table-copy" v in
  let made = make_table t.weakness in
  let rec add l = match l with Pair { car = Pair e; cdr } -> table_set place made e.car e.cdr; add cdr | _ -> () in
  add (table_to_alist place v);
  made

let hash place v limit =
  let h = hash_value v 0 in
  match limit with Absent -> of_int h | _ -> of_int (int_unsafe_mod h (let n = natural place "hash" limit in if n = 0 then 1 else n))

(* Promises and parameters, as objects *)

(* What a promise holds: a procedure that gives the value ([delay]), one that gives another promise for
   it ([delay-force]), the value, or the promise that took over its procedure and will have the value. *)
let delayed = 0
let delayed_force = 1
let forced = 2
let moved = 3
let make_delay thunk = Promise { state = delayed; content = thunk }
let make_delay_force thunk = Promise { state = delayed_force; content = thunk }
let make_promise v = match v with Promise _ -> v | _ -> Promise { state = forced; content = v }
let is_promise v = match v with Promise _ -> true | _ -> false
let rec promise_root v = match v with Promise p -> if p.state = moved then promise_root p.content else v | _ -> v
let promise_done v = match v with Promise p -> p.state = forced | _ -> true
let promise_goes_on v = match v with Promise p -> p.state = delayed_force | _ -> false
let promise_content v = match v with Promise p -> p.content | _ -> v

let promise_resolve v x = match v with Promise p -> p.state <- forced; p.content <- x | _ -> ()

(* [v] takes over what [next] has left to do, and [next] will find the value there: forced once. *)
let promise_chain v next =
  match (v, promise_root next) with
  | Promise p, (Promise q as root) ->
      p.state <- q.state;
      p.content <- q.content;
      if root != v && q.state <> forced then begin
        q.state <- moved;
        q.content <- v
      end
  | _ -> ()

let make_param value converter = Param { value; converter }
let param_value place v = match v with Param p -> p.value | _ -> wrong place "parameterize" "a parameter" v
let param_set v x = match v with Param p -> p.value <- x | _ -> ()
let param_converter place v = match v with Param p -> p.converter | _ -> wrong place "parameterize" "a parameter" v

(* Random numbers: a linear generator of 48 bits *)
let random_state = ref 0x1234ABCD330E

let random_bits () =
  random_state := ((!random_state * 0x5DEECE66D) + 0xB) land 0xFFFFFFFFFFFF;
  !random_state lsr 16

let random_float () = (float_of_int ((random_bits () lsl 21) lxor random_bits ()) +. 0.5) /. 9007199254740992.0

let random place v =
  match v with
  | Absent -> flo (random_float ())
  | _ ->
      if is_flo v then flo (flo_of v *. random_float ())
      else if is_int v && to_int v > 0 then
        let n = to_int v in
        of_int (int_unsafe_mod (((random_bits () lsl 28) lxor random_bits ()) land 0xFFFFFFFFFFFFFF) n)
      else
        match v with
        | Big (false, m) ->
            let made = make (length_of m + 1) 0 in
            for i = 0 to length_of m do set made i (random_bits () land Eshkol_big.mask) done;
            Eshkol_num.integer false (snd (Eshkol_big.div_mod (Eshkol_big.trim made) m))
        | _ -> wrong place "random" "a positive number" v

let random_seed place v = random_state := (natural place "random-seed" v * 25214903917) land 0xFFFFFFFFFFFF

let spread_list place args = spread place args
