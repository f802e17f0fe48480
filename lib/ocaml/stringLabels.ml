(* [String] with labelled arguments *)

include String

let init x ~f = String.init x f
let concat ~sep x = String.concat sep x
let sub x ~pos ~len = String.sub x pos len
let split_on_char ~sep x = String.split_on_char sep x
let map ~f x = String.map f x
let mapi ~f x = String.mapi f x
let fold_left ~f ~init x = String.fold_left f init x
let fold_right ~f x ~init = String.fold_right f x init
let for_all ~f x = String.for_all f x
let exists ~f x = String.exists f x
let iter ~f x = String.iter f x
let iteri ~f x = String.iteri f x
let blit ~src ~src_pos ~dst ~dst_pos ~len = String.blit src src_pos dst dst_pos len
let fill a ~pos ~len b = String.fill a pos len b
let unsafe_blit ~src ~src_pos ~dst ~dst_pos ~len = String.unsafe_blit src src_pos dst dst_pos len
let unsafe_fill a ~pos ~len b = String.unsafe_fill a pos len b
