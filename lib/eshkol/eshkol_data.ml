(* Pairs, lists, equality, vectors, records, boxes, several values. *)

open Eshkol_value

(* Pairs *)

let[@inline] is_pair v = match v with Pair _ -> true | _ -> false
let[@inline] is_null v = v == Nil
let[@inline] car place v = match v with Pair p -> p.car | _ -> wrong place "car" "a pair" v
let[@inline] cdr place v = match v with Pair p -> p.cdr | _ -> wrong place "cdr" "a pair" v
let set_car place v x = match v with Pair p -> p.car <- x | _ -> wrong place "set-car!" "a pair" v
let set_cdr place v x = match v with Pair p -> p.cdr <- x | _ -> wrong place "set-cdr!" "a pair" v

(* The part of [v] that is no pair on the way of [path], which is read from its end: "ad" is the car of the cdr. *)
let[@inline never] [@cold] cxr place name path v =
  let rec go i v =
    match v with
    | Pair p -> if i < 0 then wrong place name "a long enough list" v else go (i - 1) (if string_unsafe_get path i = 'a' then p.car else p.cdr)
    | _ -> wrong place name "a long enough list" v
  in
  go (string_length path - 1) v

let[@inline] cadr place v = match v with Pair { cdr = Pair p; _ } -> p.car | _ -> cxr place "cadr" "ad" v
let[@inline] cddr place v = match v with Pair { cdr = Pair p; _ } -> p.cdr | _ -> cxr place "cddr" "dd" v
let[@inline] caar place v = match v with Pair { car = Pair p; _ } -> p.car | _ -> cxr place "caar" "aa" v
let[@inline] cdar place v = match v with Pair { car = Pair p; _ } -> p.cdr | _ -> cxr place "cdar" "da" v
let[@inline] caddr place v = match v with Pair { cdr = Pair { cdr = Pair p; _ }; _ } -> p.car | _ -> cxr place "caddr" "add" v
let[@inline] cdddr place v = match v with Pair { cdr = Pair { cdr = Pair p; _ }; _ } -> p.cdr | _ -> cxr place "cdddr" "ddd" v
let[@inline] caaar place v = match v with Pair { car = Pair { car = Pair p; _ }; _ } -> p.car | _ -> cxr place "caaar" "aaa" v
let[@inline] caadr place v = match v with Pair { cdr = Pair { car = Pair p; _ }; _ } -> p.car | _ -> cxr place "caadr" "aad" v
let[@inline] cadar place v = match v with Pair { car = Pair { cdr = Pair p; _ }; _ } -> p.car | _ -> cxr place "cadar" "ada" v
let[@inline] cdaar place v = match v with Pair { car = Pair { car = Pair p; _ }; _ } -> p.cdr | _ -> cxr place "cdaar" "daa" v
let[@inline] cdadr place v = match v with Pair { cdr = Pair { car = Pair p; _ }; _ } -> p.cdr | _ -> cxr place "cdadr" "dad" v
let[@inline] cddar place v = match v with Pair { car = Pair { cdr = Pair p; _ }; _ } -> p.cdr | _ -> cxr place "cddar" "dda" v
(* For what the compiler knows to be pairs; the first step of a path may still fail. *)
let[@inline] known_car v = match v with Pair p -> p.car | _ -> unreachable ()
let[@inline] known_cdr v = match v with Pair p -> p.cdr | _ -> unreachable ()
let[@inline] known_set_car v x = match v with Pair p -> p.car <- x | _ -> unreachable ()
let[@inline] known_set_cdr v x = match v with Pair p -> p.cdr <- x | _ -> unreachable ()
let[@inline] first_car place name path v = match v with Pair p -> p.car | _ -> cxr place name path v
let[@inline] first_cdr place name path v = match v with Pair p -> p.cdr | _ -> cxr place name path v

let cadddr place v = match v with Pair { cdr = Pair { cdr = Pair { cdr = Pair p; _ }; _ }; _ } -> p.car | _ -> cxr place "cadddr" "addd" v
let cddddr place v = match v with Pair { cdr = Pair { cdr = Pair { cdr = Pair p; _ }; _ }; _ } -> p.cdr | _ -> cxr place "cddddr" "dddd" v
let caaaar place v = match v with Pair { car = Pair { car = Pair { car = Pair p; _ }; _ }; _ } -> p.car | _ -> cxr place "caaaar" "aaaa" v
let caaadr place v = match v with Pair { cdr = Pair { car = Pair { car = Pair p; _ }; _ }; _ } -> p.car | _ -> cxr place "caaadr" "aaad" v
let caadar place v = match v with Pair { car = Pair { cdr = Pair { car = Pair p; _ }; _ }; _ } -> p.car | _ -> cxr place "caadar" "aada" v
let caaddr place v = match v with Pair { cdr = Pair { cdr = Pair { car = Pair p; _ }; _ }; _ } -> p.car | _ -> cxr place "caaddr" "aadd" v
let cadaar place v = match v with Pair { car = Pair { car = Pair { cdr = Pair p; _ }; _ }; _ } -> p.car | _ -> cxr place "cadaar" "adaa" v
let cadadr place v = match v with Pair { cdr = Pair { car = Pair { cdr = Pair p; _ }; _ }; _ } -> p.car | _ -> cxr place "cadadr" "adad" v
let caddar place v = match v with Pair { car = Pair { cdr = Pair { cdr = Pair p; _ }; _ }; _ } -> p.car | _ -> cxr place "caddar" "adda" v
let cdaaar place v = match v with Pair { car = Pair { car = Pair { car = Pair p; _ }; _ }; _ } -> p.cdr | _ -> cxr place "cdaaar" "daaa" v
let cdaadr place v = match v with Pair { cdr = Pair { car = Pair { car = Pair p; _ }; _ }; _ } -> p.cdr | _ -> cxr place "cdaadr" "daad" v
let cdadar place v = match v with Pair { car = Pair { cdr = Pair { car = Pair p; _ }; _ }; _ } -> p.cdr | _ -> cxr place "cdadar" "dada" v
let cdaddr place v = match v with Pair { cdr = Pair { cdr = Pair { car = Pair p; _ }; _ }; _ } -> p.cdr | _ -> cxr place "cdaddr" "dadd" v
let cddaar place v = match v with Pair { car = Pair { car = Pair { cdr = Pair p; _ }; _ }; _ } -> p.cdr | _ -> cxr place "cddaar" "ddaa" v
let cddadr place v = match v with Pair { cdr = Pair { car = Pair { cdr = Pair p; _ }; _ }; _ } -> p.cdr | _ -> cxr place "cddadr" "ddad" v
let cdddar place v = match v with Pair { car = Pair { cdr = Pair { cdr = Pair p; _ }; _ }; _ } -> p.cdr | _ -> cxr place "cdddar" "ddda" v

let is_list v =
  let rec go slow fast =
    match fast with
    | Nil -> true
    | Pair { cdr = Nil; _ } -> true
    | Pair { cdr = Pair { cdr = next; _ }; _ } -> (
        match slow with
        | Pair { cdr = slow; _ } -> if slow == next then (match next with Pair _ -> false | _ -> go slow next) else go slow next
        | _ -> false)
    | _ -> false
  in
  go v v

(* [slow] follows, and moves at powers of two: who meets it goes round. *)
let length place v =
  let rec go x n slow next =
    match x with
    | Pair p ->
        if p.cdr == slow then wrong place "length" "a proper list" v
        else if n = next then go p.cdr (n + 1) x (next * 2)
        else go p.cdr (n + 1) slow next
    | Nil -> n
    | _ -> wrong place "length" "a proper list" v
  in
  go v 0 v 64

let rec is_proper v = match v with Pair p -> is_proper p.cdr | Nil -> true | _ -> false

(* The elements of a list, turned round before [tail]. Nobody else is told of the list, so that its pairs
   are used again where they have no other owner. *)
let rec turn_onto v tail =
  match v with
  | Pair p ->
      let first = p.car and rest = p.cdr in
      turn_onto rest (cons first tail)
  | _ -> tail

(* Appends a copy of a proper list before [tail], in a loop. *)
let append2 place a tail =
  if is_proper a then turn_onto (turn_onto a Nil) tail
  else match a with Pair _ -> wrong place "append" "a proper list" a | _ -> wrong place "append" "a list" a

let rec append place lists =
  match lists with
  | Nil -> Nil
  | Pair { car = last; cdr = Nil } -> last
  | Pair { car = a; cdr = rest } -> append2 place a (append place rest)
  | _ -> Nil

(* [v] is not kept for the message, but put together again: its pairs would have another owner. *)
let reverse_onto place v tail =
  let rec back turned v =
    if turned == tail then v else match turned with Pair p -> back p.cdr (cons p.car v) | _ -> v
  in
  let rec go v turned =
    match v with
    | Pair p ->
        let first = p.car and rest = p.cdr in
        go rest (cons first turned)
    | Nil -> turned
    | _ -> wrong place "reverse" "a proper list" (back turned v)
  in
  go v tail

let reverse place v = reverse_onto place v Nil

(* Of a list that has just been made. *)
let reverse_fresh v = turn_onto v Nil

let list_tail place v k =
  let rec go x n =
    if n <= 0 then x
    else match x with Pair p -> go p.cdr (n - 1) | _ -> domain place "list-tail" "the list is too short for the index" k
  in
  if is_int k && to_int k >= 0 then go v (to_int k) else wrong place "list-tail" "an index" k

let list_ref place v k =
  let rec go x n =
    match x with
    | Pair p -> if n <= 0 then p.car else go p.cdr (n - 1)
    | _ -> domain place "list-ref" "the list is too short for the index" k
  in
  if is_int k && to_int k >= 0 then go v (to_int k) else wrong place "list-ref" "an index" k

let list_copy v =
  let rec last x = match x with Pair p -> last p.cdr | _ -> x in
  let rec copy x acc = match x with Pair p -> copy p.cdr (cons p.car acc) | _ -> acc in
  match v with Pair _ -> turn_onto (copy v Nil) (last v) | _ -> v

let array_of_list place who v =
  let rec count x n = match x with Pair p -> count p.cdr (n + 1) | Nil -> n | _ -> wrong place who "a proper list" v in
  let n = count v 0 in
  let made = make n Nil in
  let rec fill x i = match x with Pair p -> set made i p.car; fill p.cdr (i + 1) | _ -> () in
  fill v 0;
  made

let list_of_array a from until =
  let rec go i acc = if i < from then acc else go (i - 1) (cons (get a i) acc) in
  go (until - 1) Nil

(* Equality *)

let same_text a aw b bw =
  let n = text_length a aw in
  n = text_length b bw
  &&
  let rec go i = i >= n || (text_get a aw i = text_get b bw i && go (i + 1)) in
  go 0

let[@inline] is_eq a b = a == b

(* Objects that are not the same can be equal numbers, or empty strings. *)
let rec is_eqv_object a b =
  if is_flo a then
    if is_flo b then
      let x = flo_of a and y = flo_of b in
      (x = y && 1.0 /. x = 1.0 /. y) || (x <> x && y <> y)
    else is_active b && eqv_parts a (ground b)
  else
  match a with
  | Big (s, m) -> ( match b with Big (t, n) -> s = t && Eshkol_big.compare_mag m n = 0 | _ -> false)
  | Complex (n, d) -> ( match b with Complex (p, q) -> eqv_parts n p && eqv_parts d q | _ -> false)
  | Rat (n, d) -> ( match b with Rat (p, q) -> eqv_parts n p && eqv_parts d q | _ -> is_active b && eqv_parts a (ground b))
  | Dual _ | Traced _ | Series _ -> eqv_parts (ground a) (ground b)
  | Str s -> ( match b with Str t -> text_length s.text s.wide = 0 && text_length t.text t.wide = 0 | _ -> false)
  | _ -> false

and eqv_parts a b = a == b || ((not (is_int a)) && is_eqv_object a b)

let[@inline] is_eqv a b = a == b || ((not (is_int a)) && (not (is_mark a)) && is_eqv_object a b)

(* [equal?] goes down both objects at once. One that has not come to an end after many steps may be inside of an object that
   contains itself: then pairs of objects that are being compared are taken to be equal, which ends. *)
let steps = ref 0
let most_steps = 1000000

exception Long

let rec equal_parts a b =
  is_eqv a b
  || (not (is_int a))
     &&
     match a with
     | Pair p -> (
         match b with
         | Pair q ->
             if !steps = 0 then raise Long;
             steps := !steps - 1;
             equal_parts p.car q.car && equal_parts p.cdr q.cdr
         | _ -> false)
     | Str s -> ( match b with Str t -> same_text s.text s.wide t.text t.wide | _ -> false)
     | Vec v -> (
         match b with
         | Vec w ->
             let n = length_of v in
             if !steps = 0 then raise Long;
             steps := !steps - 1;
             n = length_of w
             &&
             let rec go i = i >= n || (equal_parts (get v i) (get w i) && go (i + 1)) in
             go 0
         | _ -> false)
     | Bytes v -> ( match b with Bytes w -> same_text v false w false | _ -> false)
     | Box v -> (
         match b with
         | Box w ->
             if !steps = 0 then raise Long;
             steps := !steps - 1;
             equal_parts v.held w.held
         | _ -> false)
     | Tensor _ -> ( match b with Tensor _ -> equal_parts (!tensor_view a) (!tensor_view b) | _ -> false)
     | _ -> false

(* The object that stands for all that are taken to be equal to this one. *)
let[@inline never] [@rare] rec stands_for classes v =
  match Eshkol_identity.mark classes v with
  | Nil -> v
  | next ->
      let last = stands_for classes next in
      if last != next then Eshkol_identity.set_mark classes v last;
      last

(* Takes two objects to be equal; false if they were taken to be already. *)
let[@inline never] [@rare] unite classes a b =
  let a = stands_for classes a and b = stands_for classes b in
  a != b
  && begin
       Eshkol_identity.set_mark classes a b;
       true
     end

let[@inline never] [@rare] rec equal_long classes todo =
  match todo with
  | [] -> true
  | (a, b) :: rest ->
      if is_eqv a b then equal_long classes rest
      else if is_int a then false
      else (
        match (a, b) with
        | Pair p, Pair q ->
            equal_long classes (if unite classes a b then (p.car, q.car) :: (p.cdr, q.cdr) :: rest else rest)
        | Vec v, Vec w ->
            let rec items i todo = if i < 0 then todo else items (i - 1) ((get v i, get w i) :: todo) in
            length_of v = length_of w
            && equal_long classes (if unite classes a b then items (length_of v - 1) rest else rest)
        | Box v, Box w -> equal_long classes (if unite classes a b then (v.held, w.held) :: rest else rest)
        | Str s, Str t -> same_text s.text s.wide t.text t.wide && equal_long classes rest
        | Bytes v, Bytes w -> same_text v false w false && equal_long classes rest
        | Tensor _, Tensor _ -> equal_long classes ((!tensor_view a, !tensor_view b) :: rest)
        | _ -> false)

let is_equal a b =
  is_eqv a b
  || (not (is_int a))
     &&
     match a with
     | Pair _ | Vec _ | Box _ | Tensor _ -> (
         steps := most_steps;
         try equal_parts a b with Long -> equal_long (Eshkol_identity.marks ()) [ (a, b) ])
     | Str s -> ( match b with Str t -> same_text s.text s.wide t.text t.wide | _ -> false)
     | Bytes v -> ( match b with Bytes w -> same_text v false w false | _ -> false)
     | _ -> false

let memq place x v =
  let rec go l = match l with Pair p -> if is_eq p.car x then l else go p.cdr | Nil -> False | _ -> wrong place "memq" "a proper list" v in
  go v

let memv place x v =
  let rec go l = match l with Pair p -> if is_eqv p.car x then l else go p.cdr | Nil -> False | _ -> wrong place "memv" "a proper list" v in
  go v

let member place x v =
  let rec go l = match l with Pair p -> if is_equal p.car x then l else go p.cdr | Nil -> False | _ -> wrong place "member" "a proper list" v in
  go v

let assoc_by place who same x v =
  let rec go l =
    match l with
    | Pair { car = Pair e as entry; cdr = rest } -> if same e.car x then entry else go rest
    | Nil -> False
    | _ -> wrong place who "an association list" v
  in
  go v

let assq place x v = assoc_by place "assq" is_eq x v
let assv place x v = assoc_by place "assv" is_eqv x v
let assoc place x v = assoc_by place "assoc" is_equal x v

(* The same for what the compiler knows to be an association list. *)
let assoc_known_by same x v =
  let rec go l =
    match l with
    | Pair { car = Pair e as entry; cdr = rest } -> if same e.car x then entry else go rest
    | Nil -> False
    | _ -> unreachable ()
  in
  go v

let assq_known x v = assoc_known_by is_eq x v
let assv_known x v = assoc_known_by is_eqv x v
let assoc_known x v = assoc_known_by is_equal x v

(* Indices *)

let index place who k limit =
  if is_int k then
    let n = to_int k in
    if n >= 0 && n <= limit then n else domain place who "index out of range:" k
  else wrong place who "an index" k

(* An optional end or start. *)
let bound place who v limit default = match v with Absent -> default | _ -> index place who v limit

let range place who start until n =
  let until = bound place who until n n in
  let start = bound place who start n 0 in
  if start > until then domain place who "the range ends before it starts:" (of_int start) else (start, until)

let natural place who v =
  if is_int v && to_int v >= 0 then to_int v else wrong place who "a natural number" v

(* Vectors *)

let is_vector v = match v with Vec _ -> true | _ -> false
let vector_items place who v = match v with Vec a -> a | _ -> wrong place who "a vector" v

let[@inline never] length_of_other place v =
  match v with
  | Tensor t when length_of t.shape > 0 -> get t.shape 0
  | _ -> wrong place "vector-length" "a vector" v

let[@inline] vector_length place v = match v with Vec a -> length_of a | _ -> length_of_other place v

let[@inline never] bad_vector_ref place who v k =
  match v with
  | Vec _ -> if is_int k then domain place who "index out of range:" k else wrong place who "an index" k
  | _ -> wrong place who "a vector" v

let[@inline never] other_vector_ref place v k =
  match v with Tensor _ -> !tensor_item place "vector-ref" v k | _ -> bad_vector_ref place "vector-ref" v k

let[@inline] vector_ref place v k =
  match v with
  | Vec a ->
      if is_int k && int_ult (to_int k) (length_of a) then get a (to_int k)
      else bad_vector_ref place "vector-ref" v k
  | _ -> other_vector_ref place v k

(* The same in programs without tensors. *)
let[@inline] element_of_vector place v k =
  match v with
  | Vec a ->
      if is_int k && int_ult (to_int k) (length_of a) then get a (to_int k)
      else bad_vector_ref place "vector-ref" v k
  | _ -> bad_vector_ref place "vector-ref" v k

let[@inline] vector_set place v k x =
  match v with
  | Vec a ->
      if is_int k && int_ult (to_int k) (length_of a) then set a (to_int k) x
      else bad_vector_ref place "vector-set!" v k
  | _ -> bad_vector_ref place "vector-set!" v k

let make_vector place n fill =
  let fill = match fill with Absent -> of_int 0 | _ -> fill in
  Vec (make (natural place "make-vector" n) fill)

let vector place items = Vec (array_of_list place "vector" items)
let list_to_vector place v = Vec (array_of_list place "list->vector" v)

let vector_to_list place v start until =
  let a = vector_items place "vector->list" v in
  let start, until = range place "vector->list" start until (length_of a) in
  list_of_array a start until

let sub_array a start until =
  let n = until - start in
  let made = make n Nil in
  blit a start made 0 n;
  made

let vector_copy place v start until =
  let a = vector_items place "vector-copy" v in
  let start, until = range place "vector-copy" start until (length_of a) in
  Vec (sub_array a start until)

let vector_copy_to place into at from start until =
  let target = vector_items place "vector-copy!" into and a = vector_items place "vector-copy!" from in
  let start, until = range place "vector-copy!" start until (length_of a) in
  let at_n = index place "vector-copy!" at (length_of target) in
  if at_n + (until - start) > length_of target then domain place "vector-copy!" "no room from index" at
  else blit a start target at_n (until - start)

let vector_fill place v x start until =
  let a = vector_items place "vector-fill!" v in
  let start, until = range place "vector-fill!" start until (length_of a) in
  for i = start to until - 1 do
    set a i x
  done

let vector_append place vectors =
  let rec total l n = match l with Pair p -> total p.cdr (n + length_of (vector_items place "vector-append" p.car)) | _ -> n in
  let made = make (total vectors 0) Nil in
  let rec fill l at =
    match l with
    | Pair p ->
        let a = vector_items place "vector-append" p.car in
        blit a 0 made at (length_of a);
        fill p.cdr (at + length_of a)
    | _ -> ()
  in
  fill vectors 0;
  Vec made

(* Records *)

let make_record_type name fields = Rtype { type_name = symbol_name name; fields }

(* The front end makes records of at most four fields, with [Nil] for those that are missing. *)
let[@inline] small_record rtype slot0 slot1 slot2 slot3 =
  match rtype with Rtype t -> Record { rtype = t; slot0; slot1; slot2; slot3 } | _ -> Nil

let[@inline] large_record rtype slots = match rtype with Rtype t -> Large { large_type = t; slots } | _ -> Nil

let record place rtype items =
  let slots = array_of_list place "record" items in
  let n = length_of slots in
  let slot i = if i < n then get slots i else Nil in
  if n > 4 then large_record rtype slots else small_record rtype (slot 0) (slot 1) (slot 2) (slot 3)

let[@inline] record_type_of v = match v with Record r -> Some r.rtype | Large r -> Some r.large_type | _ -> None

let[@inline] record_of rtype v =
  match (record_type_of v, rtype) with Some found, Rtype t -> found == t | _ -> false

(* The content of a field, by its number. *)
let record_slot v i =
  match v with
  | Record r -> ( match i with 0 -> r.slot0 | 1 -> r.slot1 | 2 -> r.slot2 | _ -> r.slot3)
  | Large r -> get r.slots i
  | _ -> Nil

let record_size v = match record_type_of v with Some t -> list_length_from t.fields 0 | None -> 0

let[@inline never] bad_record place rtype v name =
  let what = match rtype with Rtype t -> t.type_name | _ -> "?" in
  wrong place (symbol_name name) ("a record of type " ^ what) v

let[@inline never] large_ref place rtype v k name =
  match (v, rtype) with
  | Large r, Rtype t when r.large_type == t -> get r.slots (to_int k)
  | _ -> bad_record place rtype v name

let[@inline never] large_set place rtype v k name x =
  match (v, rtype) with
  | Large r, Rtype t when r.large_type == t -> set r.slots (to_int k) x
  | _ -> bad_record place rtype v name

let[@inline] record_ref place rtype v k name =
  match v with
  | Record r when (match rtype with Rtype t -> r.rtype == t | _ -> false) -> (
      match to_int k with 0 -> r.slot0 | 1 -> r.slot1 | 2 -> r.slot2 | _ -> r.slot3)
  | _ -> large_ref place rtype v k name

let[@inline] record_set place rtype v k name x =
  match v with
  | Record r when (match rtype with Rtype t -> r.rtype == t | _ -> false) -> (
      match to_int k with 0 -> r.slot0 <- x | 1 -> r.slot1 <- x | 2 -> r.slot2 <- x | _ -> r.slot3 <- x)
  | _ -> large_set place rtype v k name x

(* Boxes *)

let make_box v = Box { held = v }
let is_box v = match v with Box _ -> true | _ -> false
let unbox place v = match v with Box b -> b.held | _ -> wrong place "unbox" "a box" v
let set_box place v x = match v with Box b -> b.held <- x | _ -> wrong place "set-box!" "a box" v

(* Several values *)

let values items =
  match items with
  | Pair { car = v; cdr = Nil } -> v
  | _ -> Values (array_of_list "" "values" items)

let[@inline] values2 a b = Values [| a; b |]
let values_to_list v = match v with Values a -> list_of_array a 0 (length_of a) | _ -> cons v Nil

let unpack place v count rest =
  let items = match v with Values a -> a | _ -> [| v |] in
  let n = length_of items and count = to_int count in
  let rest = truth rest in
  if n = count && not rest then Vec items
  else if n < count || (n > count && not rest) then
    fail (error_object place ("expected " ^ string_of_int count ^ " value" ^ plural count ^ ", but got " ^ string_of_int n) Nil)
  else begin
    let made = make (count + 1) Nil in
    blit items 0 made 0 count;
    set made count (list_of_array items count n);
    Vec made
  end

let is_boolean v = match v with True | False -> true | _ -> false
let not_ v = match v with False -> true | _ -> false
let boolean_eq place a b = if is_boolean a && is_boolean b then a == b else wrong place "boolean=?" "a boolean" (if is_boolean a then b else a)
let symbol_eq place a b = if is_symbol a && is_symbol b then a == b else wrong place "symbol=?" "a symbol" (if is_symbol a then b else a)
let is_default v = match v with Absent -> true | _ -> false
let eof () = Eof
let is_eof v = match v with Eof -> true | _ -> false
let unspecified () = Unspecified
