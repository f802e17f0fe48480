(* `%F` and `%h` read floats in hexadecimal notation, and say what is wrong with others. *)
let try_ name f = match f () with
  | s -> Printf.printf "%s: %s\n" name s
  | exception Scanf.Scan_failure m -> Printf.printf "%s: Scan_failure %s\n" name m
  | exception Failure m -> Printf.printf "%s: Failure %s\n" name m
  | exception End_of_file -> Printf.printf "%s: End_of_file\n" name
let () = List.iter (fun s ->
    List.iter (fun w ->
    try_ (string_of_int w ^ "F " ^ s) (fun () -> Scanf.sscanf s (Scanf.format_from_string (Printf.sprintf "%%%dF%%n" w) "%F%n") (fun x n -> Printf.sprintf "%h %d" x n));
    try_ (string_of_int w ^ "h " ^ s) (fun () -> Scanf.sscanf s (Scanf.format_from_string (Printf.sprintf "%%%dh%%n" w) "%h%n") (fun x n -> Printf.sprintf "%h %d" x n));
    try_ (string_of_int w ^ "f " ^ s) (fun () -> Scanf.sscanf s (Scanf.format_from_string (Printf.sprintf "%%%df%%n" w) "%f%n") (fun x n -> Printf.sprintf "%h %d" x n)))
    [1;2;3;4;5;6;7;8;20];
    try_ (".2F " ^ s) (fun () -> Scanf.sscanf s "%.2F%n" (fun x n -> Printf.sprintf "%h %d" x n));
    try_ (".0F " ^ s) (fun () -> Scanf.sscanf s "%.0F%n" (fun x n -> Printf.sprintf "%h %d" x n));
    try_ ("6.2F " ^ s) (fun () -> Scanf.sscanf s "%6.2F%n" (fun x n -> Printf.sprintf "%h %d" x n)))
  [ "0x1.8p"; "0x1.p"; "0x1p"; "0x1."; "0x1.8p+"; "0x1p+2"; "0x1.p4"; "0x1.8p4"; "0xp3"; "0x.p"; "0x.8p1"; "-0x1.8"; "0x1.8e3"; "0x1.x"; "0x1px"; "1.5e+3"; "1.e"; "1.ex"; "1.5e+x"; "12.345678"; "nan"; "nanx"; "infinity"; "inf"; "infx"; "-infinity"; "+nan"; "i"; "in"; "n" ]
