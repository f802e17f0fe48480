(* Suspensions *)

type 'a t = 'a lazy_t

exception Undefined = CamlinternalLazy.Undefined

let force = lazy_force
let force_val = lazy_force
let from_val value = { lazy_state = 3; lazy_value = value; lazy_compute = no_value () }
let from_fun compute = { lazy_state = 0; lazy_value = no_value (); lazy_compute = compute }
(* As in OCaml, true while it is being forced. *)
let is_val suspension = suspension.lazy_state > 0
let map f suspension = lazy (f (force suspension))

let map_val f suspension =
  if is_val suspension then from_val (f (force suspension)) else map f suspension

let lazy_from_val = from_val
let lazy_from_fun = from_fun
let lazy_is_val = is_val
