(* Names for parts of patterns whose types are free in what was matched. *)
type ('a, 'b) pair = { left : 'a; right : 'b }
let open_error = function Ok _ as r -> r | Error (`Msg _) as r -> r
let swap = function ((None, n) as p) -> (p, n) | (Some x, n) -> ((Some (string_of_int x), n), n)
let record = function { left = None; right } as r -> (r, right) | { left = Some n; right } -> ({ left = Some (float n); right }, right)
let nested = function [ (Error e as x) ] -> Some (x, e) | _ -> None
let tags = function Some (`A n) as x -> (x, n) | Some (`B n) -> (Some (`C n), n) | None as x -> (x, 0)
let () =
  (match open_error (Error (`Msg "a") : (int, [ `Msg of string ]) result) with
   | Error (`Msg m) -> print_endline m | Error `Other -> print_endline "other" | Ok n -> print_int n);
  (match swap (None, 3) with ((None, n), m) -> Printf.printf "none %d %d\n" n m | ((Some s, _), _) -> print_endline s);
  (match swap (Some 4, 3) with ((None, n), m) -> Printf.printf "none %d %d\n" n m | ((Some s, _), _) -> print_endline s);
  (match record { left = None; right = "r" } with ({ left = None; right }, _) -> print_endline right | ({ left = Some f; _ }, _) -> Printf.printf "%g\n" f);
  (match record { left = Some 2; right = "r" } with ({ left = None; right }, _) -> print_endline right | ({ left = Some f; _ }, _) -> Printf.printf "%g\n" f);
  (match nested [ (Error "e" : (int, string) result) ] with Some ((Ok f : (float, string) result), _) -> Printf.printf "%g\n" f | Some (Error e, _) -> print_endline e | None -> ());
  List.iter (fun x -> match tags x with (Some (`A a), n) -> Printf.printf "A %d %d\n" a n | (Some (`C c), n) -> Printf.printf "C %d %d\n" c n | (Some `D, _) -> () | (None, n) -> Printf.printf "none %d\n" n)
    [ Some (`A 1); Some (`B 2); None ]
