(* Suspensions *)

type 'a t = 'a lazy_t

exception Undefined = CamlinternalLazy.Undefined

let force = lazy_force
let force_val = lazy_force
let from_val value = { lazy_state = Lazy_value value }
let from_fun compute = { lazy_state = Lazy_delayed compute }
let is_val suspension = match suspension.lazy_state with Lazy_value _ -> true | _ -> false
let map f suspension = from_fun (fun () -> f (force suspension))

let map_val f suspension =
  match suspension.lazy_state with
  | Lazy_value value -> from_val (f value)
  | _ -> map f suspension

let lazy_from_val = from_val
let lazy_from_fun = from_fun
let lazy_is_val = is_val
