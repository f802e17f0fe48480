(* Pretty-printing: [Oxbow_formatter] decides where lines end. *)

[@@@hidden "token box_kind open_box_state is_continuation utf_8_length width_of text_width blanks"]
[@@@hidden "put_text put_blanks put_spaces put_indent put_newline grow add_item print_text"]
[@@@hidden "print_affix new_line same_line open_now must_break break_now custom_break_now tab_now"]
[@@@hidden "tab_break_now print_item advance add_at_once end_break end_box add_break is_open"]
[@@@hidden "enqueue_text enqueue_string open_box_of reset close_all_tags flush_queue check_part"]
[@@@hidden "limit set_min_space_left problem_of_geometry set_whole_geometry default_stags flushed_at_exit"]
[@@@hidden "buffer_text separated description_of open_described_box output_mark output_pieces"]
[@@@hidden "string_pieces text_of text_of_strings is_blank fold_words spread_piece spread_pieces"]
[@@@hidden "end_of_directive spread_text"]
[@@@abstract "formatter symbolic_output_buffer token box_kind open_box_state"]

include Oxbow_formatter

(* Printing *)

let pp_print_as ppf size text = if is_open ppf then enqueue_text ppf size text

let pp_print_string ppf text =
  if is_open ppf then enqueue_string ppf text

let check_part pos len text =
  if pos < 0 || len < 0 || pos > String.length text - len then invalid_arg "index out of bounds"

let pp_print_substring_as ~pos ~len ppf size text =
  if is_open ppf then begin
    check_part pos len text;
    add_at_once ppf size (Part (text, pos, len))
  end

let pp_print_substring ~pos ~len ppf text =
  if is_open ppf then begin
    check_part pos len text;
    add_at_once ppf (width_of ppf text pos len) (Part (text, pos, len))
  end

let pp_print_bytes ppf bytes = pp_print_string ppf (Bytes.to_string bytes)
let pp_print_int ppf n = pp_print_string ppf (string_of_int n)
let pp_print_float ppf x = pp_print_string ppf (string_of_float x)
let pp_print_bool ppf b = pp_print_string ppf (string_of_bool b)
let pp_print_char ppf c = pp_print_string ppf (String.make 1 c)
let pp_print_nothing (_ : formatter) () = ()

let pp_print_newline ppf () =
  flush_queue ppf;
  put_newline ppf;
  reset ppf;
  ppf.to_flush ()

let pp_print_flush ppf () =
  flush_queue ppf;
  reset ppf;
  ppf.to_flush ()

let pp_force_newline ppf () = if is_open ppf then add_at_once ppf 0 Newline
let pp_print_if_newline ppf () = if is_open ppf then add_at_once ppf 0 If_newline

let pp_print_break ppf width offset =
  if is_open ppf then add_break ppf width (Break (width, offset))

let pp_print_custom_break ppf ~fits ~breaks =
  let before, width, after = fits in
  if is_open ppf then
    add_break ppf
      (text_width ppf before + width + text_width ppf after)
      (Custom_break (fits, breaks))

let pp_print_space ppf () = pp_print_break ppf 1 0
let pp_print_cut ppf () = pp_print_break ppf 0 0

(* Tabulation boxes *)

let pp_open_tbox ppf () =
  ppf.depth <- ppf.depth + 1;
  if is_open ppf then add_at_once ppf 0 Open_tabs

let pp_close_tbox ppf () =
  if ppf.depth > 1 && is_open ppf then begin
    add_at_once ppf 0 Close_tabs;
    ppf.depth <- ppf.depth - 1
  end

let pp_print_tbreak ppf width offset =
  if is_open ppf then add_break ppf width (Tab_break (width, offset))

let pp_print_tab ppf () = pp_print_tbreak ppf 0 0
let pp_set_tab ppf () = if is_open ppf then add_at_once ppf 0 Set_tab

(* Limits *)

let pp_set_max_boxes ppf n = if n > 1 then ppf.max_boxes <- n
let pp_get_max_boxes ppf () = ppf.max_boxes
let pp_over_max_boxes ppf () = ppf.depth = ppf.max_boxes
let pp_set_ellipsis_text ppf text = ppf.ellipsis <- text
let pp_get_ellipsis_text ppf () = ppf.ellipsis
let limit n = if n < pp_infinity then n else pp_infinity - 1

let set_min_space_left ppf n =
  if n >= 1 then begin
    ppf.min_space_left <- limit n;
    ppf.indent_limit <- ppf.line_margin - ppf.min_space_left;
    reset ppf
  end

let pp_set_max_indent ppf n = if n > 1 then set_min_space_left ppf (ppf.line_margin - n)
let pp_get_max_indent ppf () = ppf.indent_limit

let pp_set_margin ppf n =
  if n >= 1 then begin
    ppf.line_margin <- limit n;
    let indent =
      if ppf.indent_limit <= ppf.line_margin then ppf.indent_limit
      else max (max (ppf.line_margin - ppf.min_space_left) (ppf.line_margin / 2)) 1
    in
    pp_set_max_indent ppf indent
  end

let pp_get_margin ppf () = ppf.line_margin

let problem_of_geometry { max_indent; margin } =
  if max_indent < 2 then Some "max_indent < 2"
  else if margin <= max_indent then Some "margin <= max_indent"
  else if margin >= pp_infinity then Some "margin >= pp_infinity"
  else None

let check_geometry geometry = problem_of_geometry geometry = None
let pp_get_geometry ppf () = { margin = ppf.line_margin; max_indent = ppf.indent_limit }

let set_whole_geometry ppf { margin; max_indent } =
  pp_set_margin ppf margin;
  pp_set_max_indent ppf max_indent

let pp_set_geometry ppf ~max_indent ~margin =
  let geometry = { max_indent; margin } in
  match problem_of_geometry geometry with
  | Some problem -> invalid_arg ("Format.pp_set_geometry: " ^ problem)
  | None -> set_whole_geometry ppf geometry

let pp_safe_set_geometry ppf ~max_indent ~margin =
  let geometry = { max_indent; margin } in
  if check_geometry geometry then set_whole_geometry ppf geometry

let pp_update_geometry ppf update =
  let geometry = update (pp_get_geometry ppf ()) in
  match problem_of_geometry geometry with
  | Some problem -> invalid_arg ("Format.pp_update_geometry: " ^ problem)
  | None -> set_whole_geometry ppf geometry

(* Where the output goes *)

let pp_set_formatter_out_functions ppf functions =
  ppf.to_string <- functions.out_string;
  ppf.to_width <- Some functions.out_width;
  ppf.to_flush <- functions.out_flush;
  ppf.to_newline <- Some functions.out_newline;
  ppf.to_spaces <- Some functions.out_spaces;
  ppf.to_indent <- Some functions.out_indent

let pp_get_formatter_out_functions ppf () =
  {
    out_string = ppf.to_string;
    out_width = (match ppf.to_width with None -> utf_8_scalar_width | Some width -> width);
    out_flush = ppf.to_flush;
    out_newline =
      (match ppf.to_newline with None -> fun () -> ppf.to_string "\n" 0 1 | Some put -> put);
    out_spaces = (match ppf.to_spaces with None -> fun n -> put_blanks ppf n | Some put -> put);
    out_indent = (match ppf.to_indent with None -> fun n -> put_blanks ppf n | Some put -> put);
  }

let pp_set_formatter_output_functions ppf put flush =
  ppf.to_string <- put;
  ppf.to_flush <- flush

let pp_get_formatter_output_functions ppf () = (ppf.to_string, ppf.to_flush)

let pp_set_formatter_out_channel ppf channel =
  ppf.to_string <- (fun text pos len -> output_substring channel text pos len);
  ppf.to_flush <- (fun () -> flush channel)

(* Formatters *)

let default_stags =
  {
    mark_open_stag = (function String_tag tag -> "<" ^ tag ^ ">" | _ -> "");
    mark_close_stag = (function String_tag tag -> "</" ^ tag ^ ">" | _ -> "");
    print_open_stag = (fun (_ : stag) -> ());
    print_close_stag = (fun (_ : stag) -> ());
  }

let make_formatter to_string to_flush =
  let ppf =
    {
      sizes = Array.make 8 0;
      lengths = Array.make 8 0;
      tokens = Array.make 8 Close_box;
      first = 0;
      next = 0;
      unknown = [];
      boxes = [];
      tabs = [];
      tags = [];
      marks = [];
      line_margin = 78;
      min_space_left = 10;
      indent_limit = 68;
      space_left = 78;
      current_indent = 0;
      is_new_line = true;
      left_total = 1;
      right_total = 1;
      depth = 0;
      max_boxes = max_int;
      ellipsis = ".";
      print_tags = false;
      mark_tags = false;
      to_string;
      to_flush;
      to_width = None;
      to_newline = None;
      to_spaces = None;
      to_indent = None;
      stags = default_stags;
    }
  in
  open_box_of ppf 0 Box_hov;
  ppf

let formatter_of_out_channel channel =
  make_formatter
    (fun text pos len -> output_substring channel text pos len)
    (fun () -> flush channel)

let formatter_of_buffer buffer =
  make_formatter (fun text pos len -> Buffer.add_substring buffer text pos len) (fun () -> ())

let formatter_of_out_functions functions =
  let ppf = make_formatter functions.out_string functions.out_flush in
  pp_set_formatter_out_functions ppf functions;
  ppf

(* What waits in a standard formatter is put out at the end of the program: by its definition,
   which is there in programs that use it. The last one to be defined is the first to be flushed. *)
let flushed_at_exit channel =
  let ppf = formatter_of_out_channel channel in
  at_exit (fun () -> pp_print_flush ppf ());
  ppf

let err_formatter = flushed_at_exit stderr
let std_formatter = flushed_at_exit stdout
let stdbuf = Buffer.create 512
let str_formatter = formatter_of_buffer stdbuf
let get_std_formatter () = std_formatter
let get_err_formatter () = err_formatter
let get_stdbuf () = stdbuf
let get_str_formatter () = str_formatter

let buffer_text buffer ppf =
  flush_queue ppf;
  reset ppf;
  let text = Buffer.contents buffer in
  Buffer.reset buffer;
  text

let flush_str_formatter () = buffer_text stdbuf str_formatter

(* Symbolic output *)

type symbolic_output_item =
  | Output_flush
  | Output_newline
  | Output_string of string
  | Output_spaces of int
  | Output_indent of int

type symbolic_output_buffer = { mutable items : symbolic_output_item list }

let make_symbolic_output_buffer () = { items = [] }
let clear_symbolic_output_buffer buffer = buffer.items <- []
let get_symbolic_output_buffer buffer = List.rev buffer.items

let flush_symbolic_output_buffer buffer =
  let items = get_symbolic_output_buffer buffer in
  clear_symbolic_output_buffer buffer;
  items

let add_symbolic_output_item buffer item = buffer.items <- item :: buffer.items

let formatter_of_symbolic_output_buffer buffer =
  let add item = buffer.items <- item :: buffer.items in
  formatter_of_out_functions
    {
      out_string = (fun text pos len -> add (Output_string (String.sub text pos len)));
      out_width = utf_8_scalar_width;
      out_flush = (fun () -> add Output_flush);
      out_newline = (fun () -> add Output_newline);
      out_spaces = (fun n -> add (Output_spaces n));
      out_indent = (fun n -> add (Output_indent n));
    }

(* Printers of values *)

let separated pp_sep ppf =
  let is_first = ref true in
  fun () -> if !is_first then is_first := false else pp_sep ppf ()

let pp_print_iter ?(pp_sep = pp_print_cut) iter print ppf values =
  let separate = separated pp_sep ppf in
  iter
    (fun value ->
      separate ();
      print ppf value)
    values

let pp_print_list ?(pp_sep = pp_print_cut) print ppf list =
  let rec rest = function
    | [] -> ()
    | value :: values ->
        pp_sep ppf ();
        print ppf value;
        rest values
  in
  match list with
  | [] -> ()
  | value :: values ->
      print ppf value;
      rest values

let pp_print_array ?(pp_sep = pp_print_cut) print ppf array =
  for i = 0 to Array.length array - 1 do
    if i > 0 then pp_sep ppf ();
    print ppf array.(i)
  done

let pp_print_seq ?(pp_sep = pp_print_cut) print ppf seq =
  let rec rest seq =
    match seq () with
    | Seq.Nil -> ()
    | Seq.Cons (value, seq) ->
        pp_sep ppf ();
        print ppf value;
        rest seq
  in
  match seq () with
  | Seq.Nil -> ()
  | Seq.Cons (value, seq) ->
      print ppf value;
      rest seq

let pp_print_text ppf text =
  let stop = String.length text in
  let rec from start i =
    if i = stop then (if start <> stop then pp_print_string ppf (String.sub text start (i - start)))
    else
      match String.unsafe_get text i with
      | ('\n' | ' ') as c ->
          pp_print_string ppf (String.sub text start (i - start));
          if c = ' ' then pp_print_space ppf () else pp_force_newline ppf ();
          from (i + 1) (i + 1)
      | _ -> from start (i + 1)
  in
  from 0 0

let pp_print_option ?(none = fun _ () -> ()) print ppf = function
  | None -> none ppf ()
  | Some value -> print ppf value

let pp_print_result ~ok ~error ppf = function
  | Ok value -> ok ppf value
  | Error value -> error ppf value

let pp_print_either ~left ~right ppf = function
  | Either.Left value -> left ppf value
  | Either.Right value -> right ppf value

(* The standard formatter *)

let open_hbox () = pp_open_hbox std_formatter ()
let open_vbox indent = pp_open_vbox std_formatter indent
let open_hvbox indent = pp_open_hvbox std_formatter indent
let open_hovbox indent = pp_open_hovbox std_formatter indent
let open_box indent = pp_open_box std_formatter indent
let close_box () = pp_close_box std_formatter ()
let open_stag tag = pp_open_stag std_formatter tag
let close_stag () = pp_close_stag std_formatter ()
let print_as size text = pp_print_as std_formatter size text
let print_string text = pp_print_string std_formatter text
let print_substring ~pos ~len text = pp_print_substring ~pos ~len std_formatter text

let print_substring_as ~pos ~len size text =
  pp_print_substring_as ~pos ~len std_formatter size text

let print_bytes bytes = pp_print_bytes std_formatter bytes
let print_int n = pp_print_int std_formatter n
let print_float x = pp_print_float std_formatter x
let print_char c = pp_print_char std_formatter c
let print_bool b = pp_print_bool std_formatter b
let print_break width offset = pp_print_break std_formatter width offset
let print_cut () = pp_print_cut std_formatter ()
let print_space () = pp_print_space std_formatter ()
let force_newline () = pp_force_newline std_formatter ()
let print_flush () = pp_print_flush std_formatter ()
let print_newline () = pp_print_newline std_formatter ()
let print_if_newline () = pp_print_if_newline std_formatter ()
let open_tbox () = pp_open_tbox std_formatter ()
let close_tbox () = pp_close_tbox std_formatter ()
let print_tbreak width offset = pp_print_tbreak std_formatter width offset
let set_tab () = pp_set_tab std_formatter ()
let print_tab () = pp_print_tab std_formatter ()
let set_margin n = pp_set_margin std_formatter n
let get_margin () = pp_get_margin std_formatter ()
let set_max_indent n = pp_set_max_indent std_formatter n
let get_max_indent () = pp_get_max_indent std_formatter ()
let set_geometry ~max_indent ~margin = pp_set_geometry std_formatter ~max_indent ~margin
let safe_set_geometry ~max_indent ~margin = pp_safe_set_geometry std_formatter ~max_indent ~margin
let get_geometry () = pp_get_geometry std_formatter ()
let update_geometry update = pp_update_geometry std_formatter update
let set_max_boxes n = pp_set_max_boxes std_formatter n
let get_max_boxes () = pp_get_max_boxes std_formatter ()
let over_max_boxes () = pp_over_max_boxes std_formatter ()
let set_ellipsis_text text = pp_set_ellipsis_text std_formatter text
let get_ellipsis_text () = pp_get_ellipsis_text std_formatter ()
let set_formatter_out_channel channel = pp_set_formatter_out_channel std_formatter channel

let set_formatter_out_functions functions =
  pp_set_formatter_out_functions std_formatter functions

let get_formatter_out_functions () = pp_get_formatter_out_functions std_formatter ()

let set_formatter_output_functions put flush =
  pp_set_formatter_output_functions std_formatter put flush

let get_formatter_output_functions () = pp_get_formatter_output_functions std_formatter ()
let set_formatter_stag_functions stags = pp_set_formatter_stag_functions std_formatter stags
let get_formatter_stag_functions () = pp_get_formatter_stag_functions std_formatter ()
let set_print_tags b = pp_set_print_tags std_formatter b
let get_print_tags () = pp_get_print_tags std_formatter ()
let set_mark_tags b = pp_set_mark_tags std_formatter b
let get_mark_tags () = pp_get_mark_tags std_formatter ()
let set_tags b = pp_set_tags std_formatter b

(* Formats *)

(* What stands between [<] and [>]. *)
let description_of text =
  let n = String.length text in
  if n < 2 then text else String.sub text 1 (n - 2)

let open_described_box ppf text =
  let stop = String.length text in
  let wrong () = failwith ("invalid box description " ^ "\"" ^ String.escaped text ^ "\"") in
  let rec skip test i =
    if i < stop && test (String.unsafe_get text i) then skip test (i + 1) else i
  in
  let is_space c = c = ' ' || c = '\t' in
  let start = skip is_space 0 in
  let stop_name = skip (fun c -> c >= 'a' && c <= 'z') start in
  let start_number = skip is_space stop_name in
  let stop_number = skip (fun c -> (c >= '0' && c <= '9') || c = '-') start_number in
  let indent =
    if start_number = stop_number then 0
    else
      match int_of_string_opt (String.sub text start_number (stop_number - start_number)) with
      | Some n -> n
      | None -> wrong ()
  in
  if skip is_space stop_number <> stop then wrong ();
  open_box_of ppf indent
    (match String.sub text start (stop_name - start) with
    | "" | "b" -> Box_plain
    | "h" -> Box_h
    | "v" -> Box_v
    | "hv" -> Box_hv
    | "hov" -> Box_hov
    | _ -> wrong ())

let output_mark ppf = function
  | Mark_open_box (kind, indent) -> open_box_of ppf indent kind
  | Mark_close_box -> pp_close_box ppf ()
  | Mark_open_tag tag -> pp_open_stag ppf (String_tag tag)
  | Mark_close_tag -> pp_close_stag ppf ()
  | Mark_break (width, offset) -> pp_print_break ppf width offset
  | Mark_flush -> pp_print_flush ppf ()
  | Mark_newline -> pp_force_newline ppf ()
  | Mark_end_line -> pp_print_newline ppf ()
  | Mark_size _ -> ()
  | Mark_char c -> pp_print_char ppf c
  | Mark_indication c ->
      pp_print_char ppf '@';
      pp_print_char ppf c

(* Puts out pieces that are listed last one first. *)
let rec output_pieces ppf = function
  | [] -> ()
  | (Piece_text text | Piece_string text) :: Piece_mark (_, Mark_size size) :: earlier ->
      output_pieces ppf earlier;
      pp_print_as ppf size text
  | piece :: earlier -> (
      output_pieces ppf earlier;
      match piece with
      | Piece_text text | Piece_string text -> pp_print_string ppf text
      | Piece_mark (_, mark) -> output_mark ppf mark
      | Piece_fun f -> f ppf
      | Piece_flush -> pp_print_flush ppf ()
      | Piece_open (is_tag, pieces) ->
          let buffer = Buffer.create 16 in
          let inner = formatter_of_buffer buffer in
          output_pieces inner pieces;
          let text = description_of (buffer_text buffer inner) in
          if is_tag then pp_open_stag ppf (String_tag text) else open_described_box ppf text)

(* The same where [%a] and [%t] give strings. *)
let rec string_pieces ppf = function
  | [] -> ()
  | (Piece_text text | Piece_string text) :: Piece_mark (_, Mark_size size) :: earlier ->
      string_pieces ppf earlier;
      pp_print_as ppf size text
  | piece :: earlier -> (
      string_pieces ppf earlier;
      match piece with
      | Piece_text text | Piece_string text -> pp_print_string ppf text
      | Piece_mark (_, mark) -> output_mark ppf mark
      | Piece_fun f -> pp_print_string ppf (f ())
      | Piece_flush -> pp_print_flush ppf ()
      | Piece_open (is_tag, pieces) ->
          let buffer = Buffer.create 16 in
          let inner = formatter_of_buffer buffer in
          string_pieces inner pieces;
          let text = description_of (buffer_text buffer inner) in
          if is_tag then pp_open_stag ppf (String_tag text) else open_described_box ppf text)

let kfprintf (finish : formatter -> 'd) (ppf : formatter)
    (format : ('a, formatter, unit, 'd) format4) : 'a =
  format.format_run
    (fun pieces ->
      output_pieces ppf pieces;
      finish ppf)
    []

let ikfprintf (finish : formatter -> 'd) (ppf : formatter)
    (format : ('a, formatter, unit, 'd) format4) : 'a =
  format.format_run (fun _ -> finish ppf) []

let fprintf (ppf : formatter) (format : ('a, formatter, unit) format) : 'a =
  format.format_run (fun pieces -> output_pieces ppf pieces) []

let ifprintf (_ : formatter) (format : ('a, formatter, unit) format) : 'a =
  format.format_run (fun _ -> ()) []

let printf (format : ('a, formatter, unit) format) : 'a =
  format.format_run (fun pieces -> output_pieces std_formatter pieces) []

let eprintf (format : ('a, formatter, unit) format) : 'a =
  format.format_run (fun pieces -> output_pieces err_formatter pieces) []

let kdprintf (finish : (formatter -> unit) -> 'd)
    (format : ('a, formatter, unit, 'd) format4) : 'a =
  format.format_run (fun pieces -> finish (fun ppf -> output_pieces ppf pieces)) []

let dprintf (format : ('a, formatter, unit, formatter -> unit) format4) : 'a =
  format.format_run (fun pieces ppf -> output_pieces ppf pieces) []

let text_of pieces =
  let buffer = Buffer.create 64 in
  let ppf = formatter_of_buffer buffer in
  output_pieces ppf pieces;
  buffer_text buffer ppf

let kasprintf (finish : string -> 'd) (format : ('a, formatter, unit, 'd) format4) : 'a =
  format.format_run (fun pieces -> finish (text_of pieces)) []

let asprintf (format : ('a, formatter, unit, string) format4) : 'a =
  format.format_run (fun pieces -> text_of pieces) []

let text_of_strings pieces =
  let buffer = Buffer.create 64 in
  let ppf = formatter_of_buffer buffer in
  string_pieces ppf pieces;
  buffer_text buffer ppf

let ksprintf (finish : string -> 'd) (format : ('a, unit, string, 'd) format4) : 'a =
  format.format_run (fun pieces -> finish (text_of_strings pieces)) []

let sprintf (format : ('a, unit, string) format) : 'a =
  format.format_run (fun pieces -> text_of_strings pieces) []

(* Spaces and line ends in the text of a format as break hints and new lines. *)

let is_blank c = c = ' ' || c = '\n'

(* [word] and [gap] get the parts of a text with the value so far. *)
let fold_words word gap value text =
  let stop = String.length text in
  let rec skip test i =
    if i < stop && test (String.unsafe_get text i) then skip test (i + 1) else i
  in
  let rec count c i last =
    if i = last then 0 else (if text.[i] = c then 1 else 0) + count c (i + 1) last
  in
  let rec from i value =
    if i = stop then value
    else
      let last = skip (fun c -> not (is_blank c)) i in
      if last > i then from last (word value (String.sub text i (last - i)))
      else
        let last = skip is_blank i in
        from last (gap value (count ' ' i last) (count '\n' i last))
  in
  let value = if stop > 1 && is_blank (String.unsafe_get text 0) then word value "" else value in
  from 0 value

let spread_piece pieces = function
  | Piece_text text ->
      fold_words
        (fun pieces word -> Piece_text word :: pieces)
        (fun pieces spaces lines ->
          if lines < 2 then Piece_mark ("", Mark_break (max 1 spaces, 0)) :: pieces
          else
            let rec add n pieces =
              if n = 0 then pieces else add (n - 1) (Piece_mark ("@\n", Mark_newline) :: pieces)
            in
            add lines pieces)
        pieces text
  | piece -> piece :: pieces

let rec spread_pieces before = function
  | [] -> before
  | piece :: earlier -> spread_piece (spread_pieces before earlier) piece

(* Where the conversion or indication at [i] ends. *)
let end_of_directive text i =
  let stop = String.length text in
  let rec find c i = if i >= stop then stop else if text.[i] = c then i + 1 else find c (i + 1) in
  let at i = if i < stop then String.unsafe_get text i else ' ' in
  if text.[i] = '@' then
    match at (i + 1) with
    | '%' when at (i + 2) <> '%' -> i + 1
    | '%' -> i + 3
    | ('[' | '{' | ';') when at (i + 2) = '<' -> find '>' (i + 2)
    | '<' -> find '>' (i + 2)
    | _ -> min stop (i + 2)
  else
    let rec letter i =
      match at i with
      | '0' .. '9' | '-' | '+' | ' ' | '#' | '.' | '*' | '_' when i < stop -> letter (i + 1)
      | '(' -> find ')' i
      | '{' -> find '}' i
      | '[' -> find ']' (if at (i + 1) = '^' then i + 3 else i + 2)
      | 'l' | 'L' | 'n' -> (
          match at (i + 1) with 'd' | 'i' | 'u' | 'x' | 'X' | 'o' -> i + 2 | _ -> i + 1)
      | _ -> min stop (i + 1)
    in
    letter (i + 1)

let spread_text text =
  let stop = String.length text in
  let result = Buffer.create (stop + 8) in
  let words part =
    fold_words
      (fun () word -> Buffer.add_string result word)
      (fun () _ lines ->
        if lines >= 2 then
          for _ = 1 to lines do
            Buffer.add_string result "@\n"
          done)
      () part
  in
  let rec from start i =
    if i = stop then words (String.sub text start (i - start))
    else
      match String.unsafe_get text i with
      | '%' | '@' ->
          words (String.sub text start (i - start));
          let last = end_of_directive text i in
          Buffer.add_substring result text i (last - i);
          from last last
      | _ -> from start (i + 1)
  in
  from 0 0;
  Buffer.contents result

let format_text (format : ('a, 'b, 'c, 'd, 'e, 'f) format6) : ('a, 'b, 'c, 'd, 'e, 'f) format6 =
  {
    format_text = spread_text format.format_text;
    format_run =
      (fun finish pieces ->
        format.format_run (fun found -> finish (spread_pieces pieces found)) []);
    format_shape = format.format_shape;
  }
