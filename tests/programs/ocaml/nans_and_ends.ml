(* `nan` is quiet, so that functions of C ignore it where they may; ends of file names *)
let nan = Sys.opaque_identity nan

let () =
  Printf.printf "%Lx %Lx\n" (Int64.bits_of_float nan) (Int64.bits_of_float Float.signaling_nan);
  Printf.printf "%h %h %h %h %h\n" (1. ** nan) (nan ** 0.) (nan ** -0.) (hypot nan infinity) (hypot neg_infinity nan);
  Printf.printf "%h %h %h\n" (Float.min_num nan 1.) (Float.max_num 1. nan) (Float.rem nan 1.);
  Printf.printf "%d %b\n" (Hashtbl.hash nan) (compare nan Float.signaling_nan = 0)

let () =
  List.iter
    (fun (name, suffix) -> print_endline (try Filename.chop_suffix name suffix with Invalid_argument m -> m))
    [ ("a.ml", ".ml"); ("a.ml", ".mli"); ("a.ml", ".ML"); ("a.ml", ""); ("", ""); ("", ".c");
      (".c", ".c"); ("x/y.c", "y.c") ]
