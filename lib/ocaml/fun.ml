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
      traced_note 0 "Stdlib__Fun.protect\000fun.ml\00034\0008\00015\00034\00015" failure;
      let trace = Printexc.get_raw_backtrace () in
      (try finally () with error -> finally_failed error);
      Printexc.restore_backtrace failure trace;
      traced_note 2 "Stdlib__Fun.protect\000fun.ml\00039\0006\00052\00039\00052" failure;
      raise failure
