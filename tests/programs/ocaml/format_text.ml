(* Text of formats that is filled, breaks with text of their own, and if-newline. *)
open Format

let () =
  set_margin 30;
  printf (format_text "The  quick brown fox jumps\nover the %s dog.\n\nA new paragraph begins here\nand ends.") "lazy old";
  printf "@.";
  printf "@[<hov 2>%a@]@." pp_print_text "words that are\nfilled into lines of thirty characters at most";
  printf "@[<v>[@;<0 2>%a@,]@]@."
    (pp_print_list ~pp_sep:(fun ppf () -> pp_print_custom_break ppf ~fits:(";", 1, "") ~breaks:("", 0, "; ")) pp_print_int)
    [ 1; 2; 3 ];
  printf "@[<hv>%a@]@."
    (pp_print_list ~pp_sep:(fun ppf () -> pp_print_custom_break ppf ~fits:(" ", 1, "| ") ~breaks:(" \\", 4, "| ")) pp_print_string)
    [ "alternative one"; "two"; "three"; "four" ];
  printf "@[<v>a@ ";
  print_if_newline ();
  printf "only on a new line@ x";
  print_if_newline ();
  printf "not here@ z@]@.";
  let b ppf = pp_open_box ppf 2 in
  printf "%t@[<b 1>if condition then begin@ something@ end else@ @[<b 2>begin@ other things@ @]end@]@]@." b;
  printf "@[<h>one@ two@ three@ four@ five@ six@ seven@]@.";
  printf "%s@." (string_of_format (format_text "a b\n\nc %d @ e"));
  open_hovbox 3; print_as 5 "x"; print_break 1 2; print_bytes (Bytes.of_string "y"); print_cut ();
  print_bool true; print_space (); print_char 'c'; force_newline (); print_float 2.5;
  close_box (); print_newline ();
  set_max_indent 10;
  printf "@[<v 4>a@,@[<v 4>b@,@[<v 4>c@,@[<v 4>d@,e@]@]@]@]@.";
  printf "%d %d@." (get_margin ()) (get_max_indent ())
