(* Tables: tabulation boxes, padded columns, and widths given by hand. *)
open Format

let rows = [ ("apple", 3, 1.25); ("fig", 120, 0.5); ("pomegranate", 7, 12.) ]

let () =
  printf "@[<v>";
  List.iter (fun (n, c, p) -> printf "%-12s|%5d|%8.2f@," n c p) rows;
  printf "@]@.";
  (* Tab stops are set by the first row. *)
  open_tbox ();
  set_tab ();
  printf "%-14s" "name";
  set_tab ();
  printf "%-8s" "count";
  set_tab ();
  printf "price";
  List.iter
    (fun (n, c, p) ->
      force_newline ();
      print_string n;
      print_tab ();
      print_int c;
      print_tab ();
      print_float p)
    rows;
  print_tbreak 2 3;
  print_string "end";
  close_tbox ();
  print_newline ();
  (* Colours and letters beyond ASCII take the room they are said to take. *)
  set_margin 20;
  printf "@[<hov>@<4>%s@ @<0>%s@ été@ naïve@ 日本@ x@]@." "\027[1mbold" "\027[0m";
  printf "@[<hov>%a@ %a@ %a@]@."
    (fun ppf s -> pp_print_as ppf 1 s) "wide as one"
    (fun ppf s -> pp_print_substring ~pos:1 ~len:3 ppf s) "abcdef"
    (fun ppf s -> pp_print_substring_as ~pos:0 ~len:2 ppf 9 s) "xyz";
  let f = get_formatter_out_functions () in
  set_formatter_out_functions { f with out_width = ascii_width };
  printf "@[<hov>été@ naïve@ 日本@ x@]@.";
  set_formatter_out_functions
    { f with
      out_newline = (fun () -> f.out_string "\\\n" 0 2);
      out_indent = (fun n -> f.out_string (String.make n '.') 0 n);
      out_spaces = (fun n -> f.out_string (String.make n '_') 0 n) };
  printf "@[<v 3>one two@ three@;<3 1>four@ @[<h>five six@ seven@ eight@]@]@."
