(* Suspensions *)

type 'a t = 'a lazy_t

exception Undefined = CamlinternalLazy.Undefined

let force = lazy_force
let force_val = lazy_force
let from_val value =
  { lazy_known = true; lazy_value = value; lazy_compute = lazy_undefined }
let from_fun compute = lazy (compute ())
let is_val suspension = suspension.lazy_known
let map f suspension = from_fun (fun () -> f (force suspension))

let map_val f suspension =
  if is_val suspension then from_val (f (force suspension)) else map f suspension

let lazy_from_val = from_val
let lazy_from_fun = from_fun
let lazy_is_val = is_val
