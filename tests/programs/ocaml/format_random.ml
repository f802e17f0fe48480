(* Random boxes, breaks, tags and tabs at random margins. *)
let state = ref 1
let rnd n =
  state := (!state * 1103515245 + 12345) land 0x3fffffffffff;
  (!state lsr 16) mod n
let words = [| "a"; "bb"; "ccc"; "hello"; "x"; ""; "a longer text"; "é"; "été"; "日本語"; "(";")"; "f"; ";"; "supercalifragilistic"; "\xff\xfe"; "a\nb" |]
let word () = words.(rnd (Array.length words))
open Format
let show = function Output_flush -> "!" | Output_newline -> "N" | Output_string s -> Printf.sprintf "%S" s | Output_spaces n -> Printf.sprintf "s%d" n | Output_indent n -> Printf.sprintf "i%d" n
let rec ops ppf depth n =
  for _ = 1 to n do op ppf depth done
and op ppf depth =
  match rnd 60 with
  | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 -> pp_print_string ppf (word ())
  | 8 | 9 -> fprintf ppf "%s" (word ())
  | 10 -> fprintf ppf "%d" (rnd 100000)
  | 11 | 12 | 13 | 14 | 15 | 16 -> pp_print_space ppf ()
  | 17 | 18 -> pp_print_cut ppf ()
  | 19 | 20 -> pp_print_break ppf (rnd 4) (rnd 7 - 3)
  | 21 -> fprintf ppf "%s@ %s@,%s" (word ()) (word ()) (word ())
  | 22 -> fprintf ppf "@[%s@ %s@]" (word ()) (word ())
  | 23 -> fprintf ppf "@;<2 3>@[<hv 2>%s,@ %a@]" (word ()) (fun ppf n -> ops ppf (depth + 1) n) (rnd 5)
  | 24 -> fprintf ppf "@<3>%s@<0>x" (word ())
  | 25 -> pp_force_newline ppf ()
  | 26 -> pp_print_if_newline ppf ()
  | 27 -> if rnd 10 = 0 then fprintf ppf "@." else fprintf ppf "@\n"
  | 28 -> if rnd 8 = 0 then fprintf ppf "@?" 
  | 29 -> fprintf ppf "%a" (pp_print_list ~pp_sep:(fun ppf () -> fprintf ppf ",@ ") pp_print_int) (List.init (rnd 8) (fun i -> i * i))
  | 30 -> pp_print_text ppf "the quick brown\nfox  jumps"
  | 31 -> pp_print_custom_break ppf ~fits:("(", rnd 3, word ()) ~breaks:(word (), rnd 5 - 2, "|")
  | 32 -> pp_print_as ppf (rnd 6) (word ())
  | 33 -> pp_print_substring ~pos:1 ~len:3 ppf "abcdefg"
  | 34 -> fprintf ppf "@{<t%d>%s@}" (rnd 3) (word ())
  | 35 -> if rnd 3 = 0 then pp_close_box ppf ()
  | 36 -> if rnd 3 = 0 then pp_open_hovbox ppf (rnd 4)
  | 37 | 38 ->
     pp_open_tbox ppf ();
     for i = 0 to rnd 4 do pp_set_tab ppf (); fprintf ppf "%s " (word ()) done;
     for i = 0 to rnd 6 do (if rnd 2 = 0 then pp_print_tab ppf () else pp_print_tbreak ppf (rnd 3) (rnd 3)); fprintf ppf "%s" (word ()) done;
     pp_close_tbox ppf ()
  | 39 -> pp_set_max_boxes ppf (2 + rnd 8)
  | 40 -> fprintf ppf "@[<v>%s@,%s@;<0 2>%s@]" (word ()) (word ()) (word ())
  | 41 -> if rnd 3 = 0 then pp_set_margin ppf (1 + rnd 40)
  | 42 -> if rnd 5 = 0 then pp_set_max_boxes ppf 100
  | _ when depth > 6 -> pp_print_char ppf 'z'
  | k ->
    (match k mod 6 with
     | 0 -> pp_open_hbox ppf ()
     | 1 -> pp_open_vbox ppf (rnd 5)
     | 2 -> pp_open_hvbox ppf (rnd 5)
     | 3 -> pp_open_hovbox ppf (rnd 5)
     | 4 -> pp_open_box ppf (rnd 5)
     | _ -> pp_open_stag ppf (String_tag "q"));
    ops ppf (depth + 1) (rnd 9);
    if k mod 6 = 5 then pp_close_stag ppf () else pp_close_box ppf ()
let () =
  let seed = 77 and count = 60 in
  for i = 1 to count do
    state := seed * 7919 + i * 104729;
    for _ = 1 to 5 do ignore (rnd 2) done;
    let sob = make_symbolic_output_buffer () in
    let b = Buffer.create 100 in
    let ppf = if rnd 3 = 0 then formatter_of_symbolic_output_buffer sob else formatter_of_buffer b in
    if rnd 2 = 0 then pp_set_tags ppf true;
    (match rnd 3 with
     | 0 -> pp_set_geometry ppf ~max_indent:(2 + rnd 10) ~margin:(13 + rnd 40)
     | 1 -> pp_set_margin ppf (3 + rnd 60)
     | _ -> pp_set_margin ppf (20 + rnd 60); pp_set_max_indent ppf (rnd 30));
    ops ppf 0 (3 + rnd 20);
    pp_print_flush ppf ();
    Printf.printf "--- %d m%d i%d\n%s\n%s\n" i (pp_get_margin ppf ()) (pp_get_max_indent ppf ()) (Buffer.contents b)
      (String.concat ";" (List.map show (get_symbolic_output_buffer sob)))
  done
