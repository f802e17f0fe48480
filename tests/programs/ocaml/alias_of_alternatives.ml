(* A name for one of several constructors may have other parameters than what was matched. *)
type 'a directive = Message of int | Value of 'a | Files | Restart

let to_text : int directive -> string directive = function
  | (Message _ | Files as other) -> other
  | Value n -> Value (string_of_int n)
  | Restart as r -> r

let show = function
  | Message n -> "message " ^ string_of_int n
  | Value v -> "value " ^ v
  | Files -> "files"
  | Restart -> "restart"

let outcome (type a b) (r : (a, string) result) (other : b) : (b, string) result =
  match r with Error _ as e -> e | Ok _ -> Ok other

let () =
  List.iter (fun d -> print_endline (show (to_text d))) [ Message 3; Value 4; Files; Restart ];
  (match outcome (Ok 1) "b" with Ok s -> print_endline s | Error e -> print_endline e);
  match outcome (Error "no") 2.5 with Ok f -> print_float f | Error e -> print_endline e
