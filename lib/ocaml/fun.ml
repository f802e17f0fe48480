(* Functions *)

[@@@links_printexc "id"]
[@@@hidden "print_finally_raised finally_failed"]

exception Finally_raised of exn

let[@inline] id x = x
let[@inline] const x _ = x
let[@inline] compose f g x = f (g x)
let[@inline] flip f x y = f y x
let[@inline] negate p x = not (p x)

let print_finally_raised = function
  | Finally_raised error -> Some ("Fun.Finally_raised: " ^ Printexc.to_string error)
  | _ -> None

;;
exn_printers := print_finally_raised :: !exn_printers

let finally_failed error = raise (Finally_raised error)

let protect ~(finally : unit -> unit) work =
  match work () with
  | result ->
      (try finally () with error -> finally_failed error);
      result
  | exception failure ->
      (try finally () with error -> finally_failed error);
      raise failure
