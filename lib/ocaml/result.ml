(* Values or errors *)

type ('a, 'e) t = ('a, 'e) result =
  | Ok of 'a
  | Error of 'e

let ok value = Ok value
let error e = Error e
let[@inline] value result ~default = match result with Ok value -> value | Error _ -> default
let get_ok = function Ok value -> value | Error _ -> invalid_arg "result is Error _"
let get_error = function Error e -> e | Ok _ -> invalid_arg "result is Ok _"
let[@inline] bind result f = match result with Ok value -> f value | Error e -> Error e
let join = function Ok result -> result | Error e -> Error e
let[@inline] map f result = match result with Ok value -> Ok (f value) | Error e -> Error e
let[@inline] map_error f result = match result with Error e -> Error (f e) | Ok value -> Ok value
let fold ~ok ~error = function Ok value -> ok value | Error e -> error e
let iter f = function Ok value -> f value | Error _ -> ()
let iter_error f = function Error e -> f e | Ok _ -> ()
let is_ok = function Ok _ -> true | Error _ -> false
let is_error = function Error _ -> true | Ok _ -> false

let equal ~ok ~error first second =
  match (first, second) with
  | Ok a, Ok b -> ok a b
  | Error a, Error b -> error a b
  | Ok _, Error _ | Error _, Ok _ -> false

let compare ~ok ~error first second =
  match (first, second) with
  | Ok a, Ok b -> ok a b
  | Error a, Error b -> error a b
  | Ok _, Error _ -> -1
  | Error _, Ok _ -> 1

let to_option = function Ok value -> Some value | Error _ -> None
let to_list = function Ok value -> [ value ] | Error _ -> []
let to_seq = function Ok value -> Seq.return value | Error _ -> Seq.empty
let error_to_failure = function Ok value -> value | Error text -> failwith text
let get_ok' = function Ok value -> value | Error text -> invalid_arg text
let retract = function Ok value | Error value -> value

let product first second =
  match (first, second) with
  | Error e, _ -> Error e
  | Ok _, Error e -> Error e
  | Ok a, Ok b -> Ok (a, b)

module Syntax = struct
  let ( let* ) = bind
  let ( and* ) = product
  let ( let+ ) result f = map f result
  let ( and+ ) = product
end
