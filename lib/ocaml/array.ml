(* Arrays *)

[@@@hidden "unsafe_make unsafe_uninit unsafe_blit unsafe_sub guarded_get guarded_set"]

type 'a t = 'a array

external length : 'a array -> int = "%array.length"
external unsafe_get : 'a array -> int -> 'a = "%array.unsafe_get"
external unsafe_set : 'a array -> int -> 'a -> unit = "%array.unsafe_set"
external unsafe_make : int -> 'a -> 'a array = "%array.unsafe_make"
external unsafe_uninit : int -> 'a array = "%array.unsafe_uninit"
external unsafe_blit : 'a array -> int -> 'a array -> int -> int -> unit = "%array.unsafe_blit"

let[@inline] get a i =
  if int_ult i (length a) then unsafe_get a i else primitive_fault "index out of bounds"

let[@inline] set a i x =
  if int_ult i (length a) then unsafe_set a i x else primitive_fault "index out of bounds"

(* Without a test, unless domains may change what the position was computed from. *)
let[@inline] guarded_get a i = if domain_any () then get a i else unsafe_get a i
let[@inline] guarded_set a i x = if domain_any () then set a i x else unsafe_set a i x

let make n x =
  if not (int_ult n small_array) then check_array n "Array.make";
  unsafe_make n x

let create = make

let create_float n : float array =
  if not (int_ult n small_array) then check_array n "Array.create_float";
  unsafe_make n 0.0

let make_float = create_float

let init n f =
  if n = 0 then [||]
  else if n < 0 then invalid_arg "Array.init"
  else begin
    (* The first element comes before the array, so that a huge length fails as late. *)
    let first = f 0 in
    let a = make n first in
    for i = 1 to n - 1 do
      unsafe_set a i (f i)
    done;
    a
  end

let make_matrix rows columns x =
  if columns < 0 then invalid_arg "Array.make_matrix";
  let a = make rows [||] in
  for i = 0 to rows - 1 do
    unsafe_set a i (make columns x)
  done;
  a

let create_matrix = make_matrix

(* [count] elements from [start], which are within the array. *)
let unsafe_sub a start count =
  if count = 0 then [||]
  else begin
    if count > small_array then check_memory (count * 8);
    let b = unsafe_uninit count in
    unsafe_blit a start b 0 count;
    b
  end

let copy a = unsafe_sub a 0 (length a)

let sub a start count =
  if start < 0 || count < 0 || start > length a - count then invalid_arg "Array.sub"
  else unsafe_sub a start count

let append a b =
  let n = length a and m = length b in
  if n = 0 then copy b
  else if m = 0 then copy a
  else begin
    if n + m > small_array then check_memory ((n + m) * 8);
    let c = unsafe_uninit (n + m) in
    unsafe_blit a 0 c 0 n;
    unsafe_blit b 0 c n m;
    c
  end

let concat arrays =
  let rec total n = function [] -> n | a :: rest -> total (n + length a) rest in
  let n = total 0 arrays in
  if n = 0 then [||]
  else begin
    if n > small_array then check_memory (n * 8);
    let result = unsafe_uninit n in
    let rec place start = function
      | [] -> ()
      | a :: rest ->
          unsafe_blit a 0 result start (length a);
          place (start + length a) rest
    in
    place 0 arrays;
    result
  end

let fill a start count x =
  if start < 0 || count < 0 || start > length a - count then invalid_arg "Array.fill"
  else
    for i = start to start + count - 1 do
      unsafe_set a i x
    done

let blit a from b into count =
  if
    count < 0 || from < 0
    || from > length a - count
    || into < 0
    || into > length b - count
  then invalid_arg "Array.blit"
  else unsafe_blit a from b into count

let iter (f : 'a -> unit) a =
  for i = 0 to length a - 1 do
    f (unsafe_get a i)
  done

let iteri (f : int -> 'a -> unit) a =
  for i = 0 to length a - 1 do
    f i (unsafe_get a i)
  done

let iter2 (f : 'a -> 'b -> unit) a b =
  if length a <> length b then invalid_arg "Array.iter2: arrays must have the same length"
  else
    for i = 0 to length a - 1 do
      f (unsafe_get a i) (unsafe_get b i)
    done

let map f a =
  let n = length a in
  if n = 0 then [||]
  else begin
    let b = unsafe_uninit n in
    for i = 0 to n - 1 do
      unsafe_set b i (f (unsafe_get a i))
    done;
    b
  end

let mapi f a =
  let n = length a in
  if n = 0 then [||]
  else begin
    let b = unsafe_uninit n in
    for i = 0 to n - 1 do
      unsafe_set b i (f i (unsafe_get a i))
    done;
    b
  end

let map2 f a b =
  let n = length a in
  if n <> length b then invalid_arg "Array.map2: arrays must have the same length"
  else if n = 0 then [||]
  else begin
    let c = unsafe_uninit n in
    for i = 0 to n - 1 do
      unsafe_set c i (f (unsafe_get a i) (unsafe_get b i))
    done;
    c
  end

let to_list a =
  let rec loop i list = if i < 0 then list else loop (i - 1) (unsafe_get a i :: list) in
  loop (length a - 1) []

let of_list list =
  let rec count n = function [] -> n | _ :: rest -> count (n + 1) rest in
  match list with
  | [] -> [||]
  | _ ->
      let a = unsafe_uninit (count 0 list) in
      let rec place i = function
        | [] -> a
        | x :: rest ->
            unsafe_set a i x;
            place (i + 1) rest
      in
      place 0 list

let fold_left f start a =
  let n = length a in
  let rec loop total i = if i >= n then total else loop (f total (unsafe_get a i)) (i + 1) in
  loop start 0

let fold_right f a start =
  let rec loop i total = if i < 0 then total else loop (i - 1) (f (unsafe_get a i) total) in
  loop (length a - 1) start

let fold_left_map f start a =
  let n = length a in
  if n = 0 then (start, [||])
  else begin
    let b = unsafe_uninit n in
    let rec loop total i =
      if i >= n then total
      else begin
        let total, x = f total (unsafe_get a i) in
        unsafe_set b i x;
        loop total (i + 1)
      end
    in
    let total = loop start 0 in
    (total, b)
  end

let exists p a =
  let n = length a in
  let rec loop i = i < n && (p (unsafe_get a i) || loop (i + 1)) in
  loop 0

let for_all p a =
  let n = length a in
  let rec loop i = i >= n || (p (unsafe_get a i) && loop (i + 1)) in
  loop 0

let for_all2 p a b =
  let n = length a in
  if n <> length b then invalid_arg "Array.for_all2"
  else
    let rec loop i = i >= n || (p (unsafe_get a i) (unsafe_get b i) && loop (i + 1)) in
    loop 0

let exists2 p a b =
  let n = length a in
  if n <> length b then invalid_arg "Array.exists2"
  else
    let rec loop i = i < n && (p (unsafe_get a i) (unsafe_get b i) || loop (i + 1)) in
    loop 0

let mem x a =
  let n = length a in
  let rec loop i = i < n && (compare (unsafe_get a i) x = 0 || loop (i + 1)) in
  loop 0

let memq x a =
  let n = length a in
  let rec loop i = i < n && (unsafe_get a i == x || loop (i + 1)) in
  loop 0

let find_opt p a =
  let n = length a in
  let rec loop i =
    if i >= n then None
    else
      let x = unsafe_get a i in
      if p x then Some x else loop (i + 1)
  in
  loop 0

let find_map f a =
  let n = length a in
  let rec loop i =
    if i >= n then None
    else match f (unsafe_get a i) with None -> loop (i + 1) | Some _ as found -> found
  in
  loop 0

let split pairs =
  let n = length pairs in
  if n = 0 then ([||], [||])
  else begin
    let a = unsafe_uninit n and b = unsafe_uninit n in
    for i = 0 to n - 1 do
      let x, y = unsafe_get pairs i in
      unsafe_set a i x;
      unsafe_set b i y
    done;
    (a, b)
  end

let combine a b =
  let n = length a in
  if n <> length b then invalid_arg "Array.combine"
  else if n = 0 then [||]
  else begin
    let c = unsafe_uninit n in
    for i = 0 to n - 1 do
      unsafe_set c i (unsafe_get a i, unsafe_get b i)
    done;
    c
  end

(* A heap sort with three children to a node, which moves elements exactly as OCaml's
   does: elements that compare equal end in the same order. *)
let sort cmp a =
  (* The greatest child of [i] in the heap of [size] elements, or -1. *)
  let greatest_child size i =
    let child = (3 * i) + 1 in
    if child + 2 < size then begin
      let best =
        if cmp (unsafe_get a child) (unsafe_get a (child + 1)) < 0 then child + 1 else child
      in
      if cmp (unsafe_get a best) (unsafe_get a (child + 2)) < 0 then child + 2 else best
    end
    else if child + 1 < size && cmp (unsafe_get a child) (unsafe_get a (child + 1)) < 0 then
      child + 1
    else if child < size then child
    else -1
  in
  let rec sift_down size i x =
    let child = greatest_child size i in
    if child >= 0 && cmp (unsafe_get a child) x > 0 then begin
      unsafe_set a i (unsafe_get a child);
      sift_down size child x
    end
    else unsafe_set a i x
  in
  (* Moves greatest children up; the place that becomes free at the bottom. *)
  let rec pull_up size i =
    let child = greatest_child size i in
    if child < 0 then i
    else begin
      unsafe_set a i (unsafe_get a child);
      pull_up size child
    end
  in
  let rec sift_up i x =
    let parent = int_unsafe_div (i - 1) 3 in
    if cmp (unsafe_get a parent) x < 0 then begin
      unsafe_set a i (unsafe_get a parent);
      if parent > 0 then sift_up parent x else unsafe_set a 0 x
    end
    else unsafe_set a i x
  in
  let n = length a in
  for i = int_unsafe_div (n + 1) 3 - 1 downto 0 do
    sift_down n i (unsafe_get a i)
  done;
  for i = n - 1 downto 2 do
    let x = unsafe_get a i in
    unsafe_set a i (unsafe_get a 0);
    sift_up (pull_up i 0) x
  done;
  if n > 1 then begin
    let x = unsafe_get a 1 in
    unsafe_set a 1 (unsafe_get a 0);
    unsafe_set a 0 x
  end

(* A merge sort that needs room for half of the elements. It makes the comparisons of
   OCaml's in the same order: programs can count them. *)
let stable_sort cmp a =
  let insertion_sort start stop =
    for i = start + 1 to stop - 1 do
      let x = unsafe_get a i in
      let rec shift i =
        if i > start && cmp (unsafe_get a (i - 1)) x > 0 then begin
          unsafe_set a i (unsafe_get a (i - 1));
          shift (i - 1)
        end
        else unsafe_set a i x
      in
      shift i
    done
  in
  let n = length a in
  if n <= 5 then insertion_sort 0 n
  else begin
    let spare = unsafe_uninit (n / 2) in
    (* Merges the [count] elements in [spare] with those of [a] in [right, stop) to
       [into], which leaves room for exactly the former. *)
    let merge count right stop into =
      let rec loop left x right y into =
        if cmp x y <= 0 then begin
          unsafe_set a into x;
          let left = left + 1 in
          if left < count then loop left (unsafe_get spare left) right y (into + 1)
        end
        else begin
          unsafe_set a into y;
          let right = right + 1 in
          if right < stop then loop left x right (unsafe_get a right) (into + 1)
          else unsafe_blit spare left a (into + 1) (count - left)
        end
      in
      loop 0 (unsafe_get spare 0) right (unsafe_get a right) into
    in
    let rec sort start stop =
      if stop - start <= 5 then insertion_sort start stop
      else begin
        let middle = start + ((stop - start) / 2) in
        sort middle stop;
        sort start middle;
        unsafe_blit a start spare 0 (middle - start);
        merge (middle - start) middle stop start
      end
    in
    sort 0 n
  end

let fast_sort = stable_sort

let to_seq a =
  let rec from i () = if i < length a then Seq.Cons (unsafe_get a i, from (i + 1)) else Seq.Nil in
  from 0

let to_seqi a =
  let rec from i () =
    if i < length a then Seq.Cons ((i, unsafe_get a i), from (i + 1)) else Seq.Nil
  in
  from 0

let of_seq seq =
  let n, reversed = Seq.fold_left (fun (n, list) x -> (n + 1, x :: list)) (0, []) seq in
  if n = 0 then [||]
  else begin
    let a = unsafe_uninit n in
    let rec place i = function
      | [] -> a
      | x :: rest ->
          unsafe_set a i x;
          place (i - 1) rest
    in
    place (n - 1) reversed
  end

(* Added by OCaml 5 *)

let equal eq a b =
  let n = length a in
  let rec same i = i >= n || (eq (unsafe_get a i) (unsafe_get b i) && same (i + 1)) in
  n = length b && same 0

let compare cmp a b =
  let n = length a in
  let rec search i =
    if i >= n then 0
    else
      let order = cmp (unsafe_get a i) (unsafe_get b i) in
      if order <> 0 then order else search (i + 1)
  in
  if n <> length b then if n < length b then -1 else 1 else search 0

let find_index p a =
  let n = length a in
  let rec search i = if i >= n then None else if p (unsafe_get a i) then Some i else search (i + 1) in
  search 0

let find_mapi f a =
  let n = length a in
  let rec search i =
    if i >= n then None
    else match f i (unsafe_get a i) with None -> search (i + 1) | found -> found
  in
  search 0

let map_inplace f a =
  for i = 0 to length a - 1 do
    unsafe_set a i (f (unsafe_get a i))
  done

let mapi_inplace f a =
  for i = 0 to length a - 1 do
    unsafe_set a i (f i (unsafe_get a i))
  done

let init_matrix rows columns f =
  if columns < 0 then invalid_arg "Array.init_matrix"
  else if rows < 0 then invalid_arg "Array.make"
  else init rows (fun i -> init columns (fun j -> f i j))

(* From the last element on, each changes places with one before it or with itself. *)
let shuffle ~rand a =
  for i = length a - 1 downto 1 do
    let j = rand (i + 1) in
    let last = unsafe_get a i in
    unsafe_set a i (get a j);
    unsafe_set a j last
  done

module Floatarray = struct
  let create = create_float
  let length (a : float array) = length a
  let get (a : float array) i = get a i
  let set (a : float array) i x = set a i x
  let unsafe_get (a : float array) i = unsafe_get a i
  let unsafe_set (a : float array) i x = unsafe_set a i x
end
