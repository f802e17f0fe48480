(* Arrays that do not change; they are arrays, of which nobody else knows. *)

[@@@hidden "same_length"]

type 'a t = 'a iarray

let length = Array.length
let get = Array.get
let unsafe_get = Array.unsafe_get
let init = Array.init
let append = Array.append
let concat = Array.concat

let sub a ~pos ~len =
  if pos < 0 || len < 0 || pos > length a - len then invalid_arg "Iarray.sub"
  else Array.sub a pos len

let to_list = Array.to_list
let of_list = Array.of_list
let to_array a = Array.copy a
let of_array a = Array.copy a
let equal = Array.equal
let compare = Array.compare
let iter = Array.iter
let iteri = Array.iteri
let map = Array.map
let mapi = Array.mapi
let fold_left = Array.fold_left
let fold_left_map = Array.fold_left_map
let fold_right = Array.fold_right

let same_length fault a b = if length a <> length b then invalid_arg fault

let iter2 f a b =
  same_length "Iarray.iter2: arrays must have the same length" a b;
  Array.iter2 f a b

let map2 f a b =
  same_length "Iarray.map2: arrays must have the same length" a b;
  Array.map2 f a b

let for_all = Array.for_all
let exists = Array.exists

let for_all2 p a b =
  same_length "Iarray.for_all2" a b;
  Array.for_all2 p a b

let exists2 p a b =
  same_length "Iarray.exists2" a b;
  Array.exists2 p a b

let mem = Array.mem
let memq = Array.memq
let find_opt = Array.find_opt
let find_index = Array.find_index
let find_map = Array.find_map
let find_mapi = Array.find_mapi
let split = Array.split

let combine a b =
  same_length "Iarray.combine" a b;
  Array.combine a b

let sort cmp a =
  let sorted = Array.copy a in
  Array.sort cmp sorted;
  sorted

let stable_sort cmp a =
  let sorted = Array.copy a in
  Array.stable_sort cmp sorted;
  sorted

let fast_sort = stable_sort
let to_seq = Array.to_seq
let to_seqi = Array.to_seqi
let of_seq = Array.of_seq
