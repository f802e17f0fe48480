(* Lists *)

type 'a t = 'a list = [] | (::) of 'a * 'a list

let length list =
  let rec loop n = function [] -> n | _ :: rest -> loop (n + 1) rest in
  loop 0 list

let cons x list = x :: list
let hd = function [] -> failwith "hd" | x :: _ -> x
let tl = function [] -> failwith "tl" | _ :: rest -> rest

let nth list n =
  let rec loop list n =
    match list with
    | [] -> failwith "nth"
    | x :: rest -> if n = 0 then x else loop rest (n - 1)
  in
  if n < 0 then invalid_arg "List.nth" else loop list n

let nth_opt list n =
  let rec loop list n =
    match list with
    | [] -> None
    | x :: rest -> if n = 0 then Some x else loop rest (n - 1)
  in
  if n < 0 then invalid_arg "List.nth" else loop list n

let append = ( @ )

let rec rev_append list onto =
  match list with
  | [] -> onto
  | x :: rest -> rev_append rest (x :: onto)

let rev list = rev_append list []

let init n f =
  let rec loop i =
    if i >= n then []
    else
      let x = f i in
      x :: loop (i + 1)
  in
  if n < 0 then invalid_arg "List.init" else loop 0

let rec flatten = function
  | [] -> []
  | list :: rest -> list @ flatten rest

let concat = flatten

let map f list =
  let rec loop = function
    | [] -> []
    | x :: rest ->
        let y = f x in
        y :: loop rest
  in
  loop list

let mapi f list =
  let rec loop i = function
    | [] -> []
    | x :: rest ->
        let y = f i x in
        y :: loop (i + 1) rest
  in
  loop 0 list

let rev_map f list =
  let rec loop result = function [] -> result | x :: rest -> loop (f x :: result) rest in
  loop [] list

let iter (f : 'a -> unit) list =
  let rec loop = function
    | [] -> ()
    | x :: rest ->
        f x;
        loop rest
  in
  loop list

let iteri (f : int -> 'a -> unit) list =
  let rec loop i = function
    | [] -> ()
    | x :: rest ->
        f i x;
        loop (i + 1) rest
  in
  loop 0 list

let fold_left f start list =
  let rec loop total = function [] -> total | x :: rest -> loop (f total x) rest in
  loop start list

let fold_right f list start =
  let rec loop = function [] -> start | x :: rest -> f x (loop rest) in
  loop list

let map2 f first second =
  let rec loop first second =
    match (first, second) with
    | [], [] -> []
    | x :: first, y :: second ->
        let z = f x y in
        z :: loop first second
    | _, _ -> invalid_arg "List.map2"
  in
  loop first second

let rev_map2 f first second =
  let rec loop result first second =
    match (first, second) with
    | [], [] -> result
    | x :: first, y :: second -> loop (f x y :: result) first second
    | _, _ -> invalid_arg "List.rev_map2"
  in
  loop [] first second

let iter2 (f : 'a -> 'b -> unit) first second =
  let rec loop first second =
    match (first, second) with
    | [], [] -> ()
    | x :: first, y :: second ->
        f x y;
        loop first second
    | _, _ -> invalid_arg "List.iter2"
  in
  loop first second

let fold_left2 f start first second =
  let rec loop total first second =
    match (first, second) with
    | [], [] -> total
    | x :: first, y :: second -> loop (f total x y) first second
    | _, _ -> invalid_arg "List.fold_left2"
  in
  loop start first second

let fold_right2 f first second start =
  let rec loop first second =
    match (first, second) with
    | [], [] -> start
    | x :: first, y :: second -> f x y (loop first second)
    | _, _ -> invalid_arg "List.fold_right2"
  in
  loop first second

let for_all p list =
  let rec loop = function [] -> true | x :: rest -> p x && loop rest in
  loop list

let exists p list =
  let rec loop = function [] -> false | x :: rest -> p x || loop rest in
  loop list

let for_all2 p first second =
  let rec loop first second =
    match (first, second) with
    | [], [] -> true
    | x :: first, y :: second -> p x y && loop first second
    | _, _ -> invalid_arg "List.for_all2"
  in
  loop first second

let exists2 p first second =
  let rec loop first second =
    match (first, second) with
    | [], [] -> false
    | x :: first, y :: second -> p x y || loop first second
    | _, _ -> invalid_arg "List.exists2"
  in
  loop first second

let mem x list =
  let rec loop = function [] -> false | y :: rest -> compare y x = 0 || loop rest in
  loop list

let memq x list =
  let rec loop = function [] -> false | y :: rest -> y == x || loop rest in
  loop list

let assoc key list =
  let rec loop = function
    | [] -> raise Not_found
    | (k, value) :: rest -> if compare k key = 0 then value else loop rest
  in
  loop list

let assoc_opt key list =
  let rec loop = function
    | [] -> None
    | (k, value) :: rest -> if compare k key = 0 then Some value else loop rest
  in
  loop list

let assq key list =
  let rec loop = function
    | [] -> raise Not_found
    | (k, value) :: rest -> if k == key then value else loop rest
  in
  loop list

let assq_opt key list =
  let rec loop = function
    | [] -> None
    | (k, value) :: rest -> if k == key then Some value else loop rest
  in
  loop list

let mem_assoc key list =
  let rec loop = function [] -> false | (k, _) :: rest -> compare k key = 0 || loop rest in
  loop list

let mem_assq key list =
  let rec loop = function [] -> false | (k, _) :: rest -> k == key || loop rest in
  loop list

let remove_assoc key list =
  let rec loop = function
    | [] -> []
    | ((k, _) as pair) :: rest -> if compare k key = 0 then rest else pair :: loop rest
  in
  loop list

let remove_assq key list =
  let rec loop = function
    | [] -> []
    | ((k, _) as pair) :: rest -> if k == key then rest else pair :: loop rest
  in
  loop list

let find p list =
  let rec loop = function
    | [] -> raise Not_found
    | x :: rest -> if p x then x else loop rest
  in
  loop list

let find_opt p list =
  let rec loop = function
    | [] -> None
    | x :: rest -> if p x then Some x else loop rest
  in
  loop list

let find_map f list =
  let rec loop = function
    | [] -> None
    | x :: rest -> ( match f x with None -> loop rest | Some _ as found -> found)
  in
  loop list

let filter p list =
  let rec loop = function
    | [] -> []
    | x :: rest -> if p x then x :: loop rest else loop rest
  in
  loop list

let find_all = filter

let filteri p list =
  let rec loop i = function
    | [] -> []
    | x :: rest -> if p i x then x :: loop (i + 1) rest else loop (i + 1) rest
  in
  loop 0 list

let filter_map f list =
  let rec loop = function
    | [] -> []
    | x :: rest -> ( match f x with None -> loop rest | Some y -> y :: loop rest)
  in
  loop list

let concat_map f list =
  let rec loop = function
    | [] -> []
    | x :: rest -> extend (f x) rest
  and extend part rest =
    match part with
    | [] -> loop rest
    | y :: part -> y :: extend part rest
  in
  loop list

let fold_left_map f start list =
  let rec loop total result = function
    | [] -> (total, rev result)
    | x :: rest ->
        let total, y = f total x in
        loop total (y :: result) rest
  in
  loop start [] list

let partition p list =
  let rec loop yes no = function
    | [] -> (rev yes, rev no)
    | x :: rest -> if p x then loop (x :: yes) no rest else loop yes (x :: no) rest
  in
  loop [] [] list

let partition_map f list =
  let rec loop lefts rights = function
    | [] -> (rev lefts, rev rights)
    | x :: rest -> (
        match f x with
        | Either.Left y -> loop (y :: lefts) rights rest
        | Either.Right y -> loop lefts (y :: rights) rest)
  in
  loop [] [] list

let split pairs =
  let rec loop = function
    | [] -> ([], [])
    | (x, y) :: rest ->
        let xs, ys = loop rest in
        (x :: xs, y :: ys)
  in
  loop pairs

let combine first second =
  let rec loop first second =
    match (first, second) with
    | [], [] -> []
    | x :: first, y :: second -> (x, y) :: loop first second
    | _, _ -> invalid_arg "List.combine"
  in
  loop first second

let merge cmp first second =
  let rec loop first second =
    match (first, second) with
    | [], rest | rest, [] -> rest
    | x :: first_rest, y :: second_rest ->
        if cmp x y <= 0 then x :: loop first_rest second else y :: loop first second_rest
  in
  loop first second

(* Through an array: a merge sort of the list itself would make as many new cells as it
   makes comparisons. It makes the comparisons of OCaml's in the same order, since programs
   can count them: halves are merged from the front and from the back in turn. *)
let stable_sort cmp list =
  match list with
  | [] | [ _ ] -> list
  | [ x; y ] -> if cmp x y <= 0 then list else [ y; x ]
  | _ ->
      let a = Array.of_list list in
      let n = Array.length a in
      let spare = Array.unsafe_uninit ((n + 1) / 2) in
      let[@inline] put i x y z =
        Array.unsafe_set a i x;
        Array.unsafe_set a (i + 1) y;
        Array.unsafe_set a (i + 2) z
      in
      (* The left half is in [spare]; the least element comes first. *)
      let merge_up left right stop into =
        let rec loop i x j y into =
          if cmp x y <= 0 then begin
            Array.unsafe_set a into x;
            let i = i + 1 in
            if i < left then loop i (Array.unsafe_get spare i) j y (into + 1)
          end
          else begin
            Array.unsafe_set a into y;
            let j = j + 1 in
            if j < stop then loop i x j (Array.unsafe_get a j) (into + 1)
            else Array.unsafe_blit spare i a (into + 1) (left - i)
          end
        in
        loop 0 (Array.unsafe_get spare 0) right (Array.unsafe_get a right) into
      in
      (* The right half is in [spare]; the greatest element comes first. *)
      let merge_down start left right into =
        let rec loop i x j y into =
          if cmp x y > 0 then begin
            Array.unsafe_set a into x;
            let i = i - 1 in
            if i >= start then loop i (Array.unsafe_get a i) j y (into - 1)
            else Array.unsafe_blit spare 0 a start (j + 1)
          end
          else begin
            Array.unsafe_set a into y;
            let j = j - 1 in
            if j >= 0 then loop i x j (Array.unsafe_get spare j) (into - 1)
          end
        in
        loop left (Array.unsafe_get a left) right (Array.unsafe_get spare right) into
      in
      let rec sort up start count =
        if count = 2 then begin
          let x = Array.unsafe_get a start and y = Array.unsafe_get a (start + 1) in
          if cmp x y > 0 then begin
            Array.unsafe_set a start y;
            Array.unsafe_set a (start + 1) x
          end
        end
        else if count = 3 then begin
          let x = Array.unsafe_get a start
          and y = Array.unsafe_get a (start + 1)
          and z = Array.unsafe_get a (start + 2) in
          let ordered = cmp x y <= 0 in
          if ordered = up then begin
            (* The middle one of the three is looked at first. *)
            if cmp y z <= 0 = up then (if up then () else put start z y x)
            else if cmp x z <= 0 = up then if up then put start x z y else put start y z x
            else if up then put start z x y
            else put start y x z
          end
          else if cmp x z <= 0 = up then if up then put start y x z else put start z x y
          else if cmp y z <= 0 = up then if up then put start y z x else put start x z y
          else if up then put start z y x
          else ()
        end
        else begin
          let half = count asr 1 in
          let rest = count - half in
          sort (not up) start half;
          sort (not up) (start + half) rest;
          if up then begin
            Array.unsafe_blit a (start + half) spare 0 rest;
            merge_down start (start + half - 1) (rest - 1) (start + count - 1)
          end
          else begin
            Array.unsafe_blit a start spare 0 half;
            merge_up half (start + half) (start + count) start
          end
        end
      in
      sort true 0 n;
      Array.to_list a

let sort = stable_sort
let fast_sort = stable_sort

(* Of elements that compare equal the first stays, and [cmp] is called for the same elements in the same order as by
   OCaml: sorts of halves take turns in their direction. A part that is sorted [up] lies at the end of its place, since
   it was written from its greatest element; one that is sorted down lies at the beginning. Both ascend. *)
let sort_uniq cmp list =
  match list with
  | [] | [ _ ] -> list
  | _ ->
      let a = Array.of_list list in
      let n = Array.length a in
      let spare = Array.unsafe_uninit ((n / 2) + 1) in
      (* The greater of the greatest of [a] from [least] to [i] and of [spare] up to [j] goes to [at]; how many elements
         there are at last below [stop]. *)
      let rec merge_up least i j at stop =
        if i < least then begin
          Array.unsafe_blit spare 0 a (at - j) (j + 1);
          stop - (at - j)
        end
        else if j < 0 then begin
          Array.unsafe_blit a least a (at - (i - least)) (i - least + 1);
          stop - (at - (i - least))
        end
        else begin
          let x = Array.unsafe_get a i and y = Array.unsafe_get spare j in
          let c = cmp x y in
          if c >= 0 then begin
            Array.unsafe_set a at x;
            merge_up least (i - 1) (if c = 0 then j - 1 else j) (at - 1) stop
          end
          else begin
            Array.unsafe_set a at y;
            merge_up least i (j - 1) (at - 1) stop
          end
        end
      in
      (* The lesser of the least of [spare] from [i] to [left] and of [a] from [j] to [stop] goes to [at]; how many
         elements there are at last from [start]. *)
      let rec merge_down i left j stop at start =
        if i >= left then begin
          Array.unsafe_blit a j a at (stop - j);
          at + (stop - j) - start
        end
        else if j >= stop then begin
          Array.unsafe_blit spare i a at (left - i);
          at + (left - i) - start
        end
        else begin
          let x = Array.unsafe_get spare i and y = Array.unsafe_get a j in
          let c = cmp x y in
          if c <= 0 then begin
            Array.unsafe_set a at x;
            merge_down (i + 1) left (if c = 0 then j + 1 else j) stop (at + 1) start
          end
          else begin
            Array.unsafe_set a at y;
            merge_down i left (j + 1) stop (at + 1) start
          end
        end
      in
      let one at x =
        Array.unsafe_set a at x;
        1
      in
      let two at x y =
        Array.unsafe_set a at x;
        Array.unsafe_set a (at + 1) y;
        2
      in
      let three at x y z =
        Array.unsafe_set a (at + 2) z;
        1 + two at x y
      in
      (* Sorts [count] elements at [start]; how many are left. *)
      let rec sort up start count =
        let x = Array.unsafe_get a start and y = Array.unsafe_get a (start + 1) in
        let place left = if up then start + count - left else start in
        if count = 2 then begin
          let c = cmp x y in
          if c = 0 then one (place 1) x else if c < 0 then two start x y else two start y x
        end
        else if count = 3 then begin
          let z = Array.unsafe_get a (start + 2) in
          let c = cmp x y in
          if c = 0 then begin
            let c = cmp x z in
            if c = 0 then one (place 1) x
            else if c < 0 then two (place 2) x z
            else two (place 2) z x
          end
          else begin
            let low, high = if c < 0 then (x, y) else (y, x) in
            (* With the one that would follow first. *)
            let last, other = if up then (high, low) else (low, high) in
            let c = cmp last z in
            if c = 0 then two (place 2) low high
            else if c < 0 = up then if up then three start low high z else three start z low high
            else begin
              let c = cmp other z in
              if c = 0 then two (place 2) low high
              else if c < 0 = up then three start low z high
              else if up then three start z low high
              else three start low high z
            end
          end
        end
        else begin
          let half = count asr 1 in
          let left = sort (not up) start half in
          let right = sort (not up) (start + half) (count - half) in
          let stop = start + count in
          if up then begin
            Array.unsafe_blit a (start + half) spare 0 right;
            merge_up start (start + left - 1) (right - 1) (stop - 1) stop
          end
          else begin
            Array.unsafe_blit a (start + half - left) spare 0 left;
            merge_down 0 left (stop - right) stop start start
          end
        end
      in
      let count = sort true 0 n in
      let rec collect i list =
        if i < n - count then list else collect (i - 1) (Array.unsafe_get a i :: list)
      in
      collect (n - 1) []

let rec compare_lengths first second =
  match (first, second) with
  | [], [] -> 0
  | [], _ -> -1
  | _, [] -> 1
  | _ :: first, _ :: second -> compare_lengths first second

let rec compare_length_with list n =
  match list with
  | [] -> if n = 0 then 0 else if n > 0 then -1 else 1
  | _ :: rest -> if n <= 0 then 1 else compare_length_with rest (n - 1)

let equal eq first second =
  let rec loop first second =
    match (first, second) with
    | [], [] -> true
    | x :: first, y :: second -> eq x y && loop first second
    | [], _ :: _ | _ :: _, [] -> false
  in
  loop first second

let compare cmp first second =
  let rec loop first second =
    match (first, second) with
    | [], [] -> 0
    | [], _ :: _ -> -1
    | _ :: _, [] -> 1
    | x :: first, y :: second ->
        let c = cmp x y in
        if c <> 0 then c else loop first second
  in
  loop first second

let to_seq list =
  let rec from list () =
    match list with
    | [] -> Seq.Nil
    | x :: rest -> Seq.Cons (x, from rest)
  in
  from list

let of_seq seq =
  let rec loop seq =
    match seq () with
    | Seq.Nil -> []
    | Seq.Cons (x, rest) -> x :: loop rest
  in
  loop seq

(* Added by OCaml 5 *)

let is_empty = function [] -> true | _ :: _ -> false
let singleton x = [ x ]

let find_index p list =
  let rec search i = function
    | [] -> None
    | x :: rest -> if p x then Some i else search (i + 1) rest
  in
  search 0 list

let find_mapi f list =
  let rec search i = function
    | [] -> None
    | x :: rest -> ( match f i x with None -> search (i + 1) rest | found -> found)
  in
  search 0 list

let take count list =
  let rec first count taken = function
    | x :: rest when count > 0 -> first (count - 1) (x :: taken) rest
    | _ -> rev taken
  in
  first count [] list

let drop count list =
  let rec skip count = function
    | _ :: rest when count > 0 -> skip (count - 1) rest
    | rest -> rest
  in
  skip count list

let take_while p list =
  let rec first taken = function
    | x :: rest when p x -> first (x :: taken) rest
    | _ -> rev taken
  in
  first [] list

let rec drop_while p = function
  | x :: rest when p x -> drop_while p rest
  | rest -> rest
