(* Values that may be missing *)

type 'a t = 'a option = None | Some of 'a

let none = None
let some value = Some value
let[@inline] value option ~default = match option with Some value -> value | None -> default
let get = function Some value -> value | None -> invalid_arg "option is None"
let[@inline] bind option f = match option with None -> None | Some value -> f value
let join = function Some option -> option | None -> None
let[@inline] map f option = match option with None -> None | Some value -> Some (f value)
let fold ~none ~some = function Some value -> some value | None -> none
let[@inline] iter f option = match option with Some value -> f value | None -> ()
let is_none = function None -> true | Some _ -> false
let is_some = function None -> false | Some _ -> true

let equal eq first second =
  match (first, second) with
  | Some a, Some b -> eq a b
  | None, None -> true
  | Some _, None | None, Some _ -> false

let compare cmp first second =
  match (first, second) with
  | Some a, Some b -> cmp a b
  | None, None -> 0
  | None, Some _ -> -1
  | Some _, None -> 1

let to_result ~none = function Some value -> Ok value | None -> Error none
let to_list = function None -> [] | Some value -> [ value ]
let to_seq = function None -> Seq.empty | Some value -> Seq.return value
