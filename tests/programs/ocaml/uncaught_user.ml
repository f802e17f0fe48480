(* An uncaught user exception with a payload, raised from a nested call inside a handler. *)

exception Config_error of { line : int; reason : string }

let parse lines =
  List.iteri (fun i l ->
      if not (String.contains l '=') then
        raise (Config_error { line = i + 1; reason = "missing '='" })) lines

let () =
  at_exit (fun () -> print_endline "at_exit runs");
  parse [ "a=1"; "b=2" ];
  print_endline "first file ok";
  try parse [ "a=1"; "oops" ] with
  | Not_found -> print_endline "never"
