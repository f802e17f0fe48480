(* One of two values *)

type ('a, 'b) t =
  | Left of 'a
  | Right of 'b

let left value = Left value
let right value = Right value
let is_left = function Left _ -> true | Right _ -> false
let is_right = function Left _ -> false | Right _ -> true
let find_left = function Left value -> Some value | Right _ -> None
let find_right = function Left _ -> None | Right value -> Some value
let map_left f = function Left value -> Left (f value) | Right value -> Right value
let map_right f = function Left value -> Left value | Right value -> Right (f value)

let map ~left ~right = function
  | Left value -> Left (left value)
  | Right value -> Right (right value)

let fold ~left ~right = function
  | Left value -> left value
  | Right value -> right value

let iter = fold
let for_all = fold

let equal ~left ~right first second =
  match (first, second) with
  | Left a, Left b -> left a b
  | Right a, Right b -> right a b
  | Left _, Right _ | Right _, Left _ -> false

let compare ~left ~right first second =
  match (first, second) with
  | Left a, Left b -> left a b
  | Right a, Right b -> right a b
  | Left _, Right _ -> -1
  | Right _, Left _ -> 1

let get_left = function
  | Left value -> value
  | Right _ -> invalid_arg "Either.t is Right _"

let get_right = function
  | Right value -> value
  | Left _ -> invalid_arg "Either.t is Left _"

let retract = function Left value | Right value -> value
