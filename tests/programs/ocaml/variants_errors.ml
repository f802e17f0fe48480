let ( let* ) = Result.bind
type parse_error = [ `Not_a_number of string | `Empty ]
type math_error = [ `Div_by_zero | `Negative of int ]
let parse s : (int, [> parse_error ]) result =
  if s = "" then Error `Empty
  else match int_of_string_opt s with Some n -> Ok n | None -> Error (`Not_a_number s)
let div a b = if b = 0 then Error `Div_by_zero else Ok (a / b)
let root n = if n < 0 then Error (`Negative n) else Ok (int_of_float (sqrt (float_of_int n)))
let compute a b =
  let* x = parse a in
  let* y = parse b in
  let* q = div x y in
  root q
let describe = function
  | `Empty -> "empty" | `Not_a_number s -> "not a number: " ^ s
  | `Div_by_zero -> "division by zero" | `Negative n -> "negative: " ^ string_of_int n
let show = function Ok n -> "ok " ^ string_of_int n | Error e -> "error " ^ describe e
let recover = function Error (#math_error) -> Ok 0 | (Ok _ | Error #parse_error) as r -> r
let () =
  List.iter (fun (a, b) -> print_endline (show (compute a b)))
    [ "100", "4"; "", "1"; "x", "1"; "1", "0"; "-9", "1" ];
  List.iter (fun (a, b) -> match recover (compute a b) with
    | Ok n -> Printf.printf "%d\n" n | Error e -> print_endline (describe (e :> [ parse_error | math_error ])))
    [ "100", "4"; "", "1"; "x", "1"; "1", "0"; "-9", "1" ]
