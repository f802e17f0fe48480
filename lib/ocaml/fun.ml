(* Functions *)

[@@@hidden "print_finally_raised printer_registered finally_failed"]

exception Finally_raised of exn

let[@inline] id x = x
let[@inline] const x _ = x
let[@inline] compose f g x = f (g x)
let[@inline] flip f x y = f y x
let[@inline] negate p x = not (p x)

let print_finally_raised = function
  | Finally_raised error -> Some ("Fun.Finally_raised: " ^ Printexc.to_string error)
  | _ -> None

let printer_registered = ref false

(* The printer is registered when such an exception first exists. *)
let finally_failed error =
  if not !printer_registered then begin
    printer_registered := true;
    (* Last: printers of the program come first. *)
    exn_printers := !exn_printers @ [ print_finally_raised ]
  end;
  raise (Finally_raised error)

let protect ~(finally : unit -> unit) work =
  match work () with
  | result ->
      (try finally () with error -> finally_failed error);
      result
  | exception failure ->
      (try finally () with error -> finally_failed error);
      raise failure
