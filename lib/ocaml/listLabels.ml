(* [List] with labelled arguments *)

include List

let compare_length_with x ~len = List.compare_length_with x len
let init ~len ~f = List.init len f
let equal ~eq a b = List.equal eq a b
let compare ~cmp a b = List.compare cmp a b
let iter ~f x = List.iter f x
let iteri ~f x = List.iteri f x
let map ~f x = List.map f x
let mapi ~f x = List.mapi f x
let rev_map ~f x = List.rev_map f x
let filter_map ~f x = List.filter_map f x
let concat_map ~f x = List.concat_map f x
let fold_left_map ~f ~init x = List.fold_left_map f init x
let fold_left ~f ~init x = List.fold_left f init x
let fold_right ~f x ~init = List.fold_right f x init
let iter2 ~f a b = List.iter2 f a b
let map2 ~f a b = List.map2 f a b
let rev_map2 ~f a b = List.rev_map2 f a b
let fold_left2 ~f ~init a b = List.fold_left2 f init a b
let fold_right2 ~f a b ~init = List.fold_right2 f a b init
let for_all ~f x = List.for_all f x
let exists ~f x = List.exists f x
let for_all2 ~f a b = List.for_all2 f a b
let exists2 ~f a b = List.exists2 f a b
let mem x ~set = List.mem x set
let memq x ~set = List.memq x set
let find ~f x = List.find f x
let find_opt ~f x = List.find_opt f x
let find_map ~f x = List.find_map f x
let filter ~f x = List.filter f x
let find_all ~f x = List.find_all f x
let filteri ~f x = List.filteri f x
let partition ~f x = List.partition f x
let partition_map ~f x = List.partition_map f x
let mem_assoc x ~map = List.mem_assoc x map
let mem_assq x ~map = List.mem_assq x map
let sort ~cmp x = List.sort cmp x
let stable_sort ~cmp x = List.stable_sort cmp x
let fast_sort ~cmp x = List.fast_sort cmp x
let sort_uniq ~cmp x = List.sort_uniq cmp x
let merge ~cmp a b = List.merge cmp a b
let find_index ~f x = List.find_index f x
let find_mapi ~f x = List.find_mapi f x
let take_while ~f x = List.take_while f x
let drop_while ~f x = List.drop_while f x
