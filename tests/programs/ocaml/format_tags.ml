(* Tags as colours, as markup, and of a type of one's own. *)
open Format

type stag += Link of string * int

let ansi = function
  | String_tag "red" -> "\027[31m"
  | String_tag "bold" -> "\027[1m"
  | Link (url, n) -> sprintf "[%d:%s|" n url
  | _ -> ""

let close = function String_tag _ -> "\027[0m" | Link _ -> "]" | _ -> "?"

let () =
  let depth = ref 0 in
  let functions ppf =
    {
      mark_open_stag = ansi;
      mark_close_stag = close;
      print_open_stag =
        (fun t ->
          incr depth;
          match t with String_tag s -> fprintf ppf "<%s:%d>" s !depth | _ -> ());
      print_close_stag = (fun _ -> decr depth; pp_print_char ppf '~');
    }
  in
  let text : (unit, formatter, unit) format = "@[<hov 2>@{<red>error:@} the @{<bold>value@ @{<red>x@}@} is@ not bound@]@." in
  printf text;
  set_mark_tags true;
  printf text;
  set_formatter_stag_functions (functions std_formatter);
  set_margin 24;
  printf text;
  set_print_tags true;
  printf text;
  set_mark_tags false;
  printf text;
  set_tags true;
  open_stag (Link ("here", 3));
  print_string "text";
  close_stag ();
  print_newline ();
  printf "@{<%s>dynamic@} @{<%d>number@}@." "bold" 42;
  (* A tag that is left open is closed by a flush. *)
  printf "@{<red>left open";
  print_newline ();
  printf "%b %b@." (get_print_tags ()) (get_mark_tags ());
  let old = pp_get_formatter_stag_functions err_formatter () in
  print_endline (old.mark_open_stag (String_tag "b") ^ old.mark_close_stag (String_tag "b"));
  print_endline (asprintf "@{<i>not shown@}")
