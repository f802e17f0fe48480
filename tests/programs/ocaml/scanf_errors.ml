(* What reading refuses, with its messages, and formats from strings. *)
let t name f = print_string (name ^ ": "); (try f () with e -> print_string (Printexc.to_string e)); print_newline ()
open Scanf
let () =
  let ff s = t (Printf.sprintf "ff %S" s) (fun () -> print_string (string_of_format (format_from_string s "%d"))) in
  ff "%i"; ff "%z"; ff "%"; ff "%s"; ff "%5"; ff "%d%"; ff "%(%d"; ff "%["; ff "a%-%"; ff "%5%"; ff "%_d %d"; ff "%ld"; ff "%d %l"; ff "%.3d"; ff "%-d"; ff "%+ d"; ff "%0-5d"; ff "@[<v>%u@]"; ff "%{%d%}"; ff "%,%d"; ff "%!%x"; ff "%5,"; ff "%"; ff "%lz%d"; ff "%."; ff "%5.s"; ff "%.s"; ff "%#s"; ff "%_"; ff "%0c"; ff "%*d"; ff "%5c"; ff "%ab%a";
  t "a" (fun () -> sscanf "12 ab" "%d %s" (Printf.printf "%d|%s"));
  t "b" (fun () -> sscanf "x" "%d" (Printf.printf "%d"));
  t "c" (fun () -> sscanf "" "%d" (Printf.printf "%d"));
  t "d" (fun () -> sscanf "12x" "%dy" (Printf.printf "%d"));
  t "e" (fun () -> sscanf "99999999999999999999" "%d" (Printf.printf "%d"));
  t "f" (fun () -> sscanf "tru" "%B" (Printf.printf "%b"));
  t "g" (fun () -> sscanf "xrue" "%B" (Printf.printf "%b"));
  t "h" (fun () -> sscanf "1" "%a" (fun _ _ -> ()));
  t "i" (fun () -> sscanf "1" "%-5d" (fun _ -> ()));
  t "j" (fun () -> sscanf "1" "%*d" (fun _ _ -> ()));
  t "k" (fun () -> sscanf "1 2" "%d%!" (fun _ -> ()));
  t "l" (fun () -> sscanf "\"abc" "%S" print_string);
  t "m" (fun () -> sscanf "\"ab\\qc\"" "%S" print_string);
  t "n" (fun () -> sscanf "\"ab\\999c\"" "%S" print_string);
  t "o" (fun () -> sscanf "\"a\\x4\"" "%S" print_string);
  t "p" (fun () -> sscanf "'ab'" "%C" print_char);
  t "q" (fun () -> sscanf "1" "%f" print_float);
  t "r" (fun () -> sscanf "abc" "%f" print_float);
  t "s" (fun () -> sscanf "1" "%F" print_float);
  t "t" (fun () -> sscanf "zz" "%h" print_float);
  t "u" (fun () -> sscanf "g" "%x" print_int);
  t "v" (fun () -> sscanf "9" "%o" print_int);
  t "w" (fun () -> sscanf "-" "%d" print_int);
  t "x" (fun () -> sscanf "\"%d\" 5" "%(%i%) %d" (fun f a b -> ()));
  t "y" (fun () -> sscanf "\"%4d\"1234.00" "%(%i%)" (fun f a -> Printf.printf "%s %d" (string_of_format f) a));
  t "z" (fun () -> sscanf "\"%s\"1234.00" "%{%i%}" (fun f -> Printf.printf "%s" (string_of_format f)));
  t "A" (fun () -> sscanf "\"%4d\"1234.00" "%_(%i%)" (fun a -> Printf.printf "%d" a));
  t "C" (fun () -> sscanf "abc" "%0c%c" (fun a b -> Printf.printf "%c%c" a b));
  t "D" (fun () -> sscanf "\r\nx" "\n%c" (fun b -> Printf.printf "%c" b));
  t "E" (fun () -> ignore (unescaped "a\\"));
  t "F" (fun () -> print_string (unescaped "a\\n\\065\\x42\\\"\\\n   z"));
  t "G" (fun () -> sscanf "1:2" "%d%d" (fun a b -> ()));
  t "H" (fun () -> print_string (Scanning.name_of_input Scanning.stdin ^ Scanning.name_of_input (Scanning.from_string "") ^ Scanning.name_of_input (Scanning.from_function (fun () -> 'x')) ^ Scanning.name_of_input (Scanning.from_channel stdin)));
  t "I" (fun () -> sscanf "a\nb c d" "%s %s %n %l %N %s" (fun a b c d e f -> Printf.printf "%s %s %d %d %d %s" a b c d e f));
  t "J" (fun () -> sscanf "0x" "%i" print_int)
