(* [Array] with labelled arguments *)

include Array

let init x ~f = Array.init x f
let make_matrix ~dimx ~dimy x = Array.make_matrix dimx dimy x
let create_matrix ~dimx ~dimy x = Array.create_matrix dimx dimy x
let sub x ~pos ~len = Array.sub x pos len
let fill a ~pos ~len b = Array.fill a pos len b
let blit ~src ~src_pos ~dst ~dst_pos ~len = Array.blit src src_pos dst dst_pos len
let iter ~f x = Array.iter f x
let iteri ~f x = Array.iteri f x
let map ~f x = Array.map f x
let mapi ~f x = Array.mapi f x
let fold_left ~f ~init x = Array.fold_left f init x
let fold_left_map ~f ~init x = Array.fold_left_map f init x
let fold_right ~f x ~init = Array.fold_right f x init
let iter2 ~f a b = Array.iter2 f a b
let map2 ~f a b = Array.map2 f a b
let for_all ~f x = Array.for_all f x
let exists ~f x = Array.exists f x
let for_all2 ~f a b = Array.for_all2 f a b
let exists2 ~f a b = Array.exists2 f a b
let mem x ~set = Array.mem x set
let memq x ~set = Array.memq x set
let find_opt ~f x = Array.find_opt f x
let find_map ~f x = Array.find_map f x
let sort ~cmp x = Array.sort cmp x
let stable_sort ~cmp x = Array.stable_sort cmp x
let fast_sort ~cmp x = Array.fast_sort cmp x
let init_matrix ~dimx ~dimy ~f = Array.init_matrix dimx dimy f
let equal ~eq a b = Array.equal eq a b
let compare ~cmp a b = Array.compare cmp a b
let map_inplace ~f x = Array.map_inplace f x
let mapi_inplace ~f x = Array.mapi_inplace f x
let find_index ~f x = Array.find_index f x
let find_mapi ~f x = Array.find_mapi f x
