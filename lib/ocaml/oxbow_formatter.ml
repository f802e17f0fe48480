(* The part of [Format] that decides where lines end

   Text and break hints go into a queue until it is known whether the box that they stand in
   fits on the line. Every item has a length, what it takes up on a line, and a size, what
   decides about it: for text its length; for a box or a break what stands between it and the
   end of the box or the next break. While a size is not known it holds minus the length of all
   that came before, so that adding the length of all that has come by its end gives it. The item
   waits until then, unless what waits behind it is wider than the line already.

     "f(@[a,@ b@])"   text f(   open box   text a,   break   text b   close   text )
                      length 2  0          2         1       1        0       1
                      size   2  4          2         2       1        0       1           *)

[@@@part_of "Format"]

type stag = ..
type tag = string
type stag += String_tag of tag

type token =
  | Text of string
  | Part of string * int * int
  | Open_box of int * format_box
  | Close_box
  | Break of int * int
  | Custom_break of (string * int * string) * (string * int * string)
  | Newline
  | If_newline
  | Open_tabs
  | Close_tabs
  | Set_tab
  | Tab_break of int * int
  | Open_tag of stag
  | Close_tag

(* How the breaks of an open box are treated: [Fits] if all of it is on one line. *)
type box_kind = Fits | Kind of format_box

type open_box_state = { kind : box_kind; width : int }

type formatter_out_functions = {
  out_string : string -> int -> int -> unit;
  out_width : string -> pos:int -> len:int -> int;
  out_flush : unit -> unit;
  out_newline : unit -> unit;
  out_spaces : int -> unit;
  out_indent : int -> unit;
}

type formatter_stag_functions = {
  mark_open_stag : stag -> string;
  mark_close_stag : stag -> string;
  print_open_stag : stag -> unit;
  print_close_stag : stag -> unit;
}

type geometry = { max_indent : int; margin : int }

type formatter = {
  (* The queue: items [first] up to [next], at these numbers modulo the length of the arrays. *)
  mutable sizes : int array;
  mutable lengths : int array;
  mutable tokens : token array;
  mutable first : int;
  mutable next : int;
  (* Numbers of boxes and breaks whose sizes are not known, the latest first. *)
  mutable unknown : int list;
  mutable boxes : open_box_state list;
  mutable tabs : int list ref list;
  mutable tags : stag list;
  mutable marks : stag list;
  mutable line_margin : int;
  mutable min_space_left : int;
  mutable indent_limit : int;
  mutable space_left : int;
  mutable current_indent : int;
  mutable is_new_line : bool;
  (* The lengths of all that left the queue, and of all that came. *)
  mutable left_total : int;
  mutable right_total : int;
  mutable depth : int;
  mutable max_boxes : int;
  mutable ellipsis : string;
  mutable print_tags : bool;
  mutable mark_tags : bool;
  mutable to_string : string -> int -> int -> unit;
  mutable to_flush : unit -> unit;
  (* What is given for these by [to_string] unless somebody asks for something else. *)
  mutable to_width : (string -> pos:int -> len:int -> int) option;
  mutable to_newline : (unit -> unit) option;
  mutable to_spaces : (int -> unit) option;
  mutable to_indent : (int -> unit) option;
  mutable stags : formatter_stag_functions;
}

let pp_infinity = 1000000010

(* Width of text *)

let ascii_width (_ : string) ~pos:(_ : int) ~len = len

let is_continuation text i stop lowest highest =
  i < stop
  &&
  let c = Char.code (String.unsafe_get text i) in
  c >= lowest && c <= highest

(* How many bytes at [i] are one character, or stand for one that is not valid. *)
let utf_8_length text i stop =
  let tail from count lowest highest =
    if not (is_continuation text from stop lowest highest) then 1
    else
      let rec more n =
        if n = count || not (is_continuation text (from + n) stop 0x80 0xBF) then n + 1
        else more (n + 1)
      in
      more 1
  in
  match Char.code (String.unsafe_get text i) with
  | c when c < 0xC2 || c > 0xF4 -> 1
  | c when c < 0xE0 -> tail (i + 1) 1 0x80 0xBF
  | 0xE0 -> tail (i + 1) 2 0xA0 0xBF
  | 0xED -> tail (i + 1) 2 0x80 0x9F
  | c when c < 0xF0 -> tail (i + 1) 2 0x80 0xBF
  | 0xF0 -> tail (i + 1) 3 0x90 0xBF
  | 0xF4 -> tail (i + 1) 3 0x80 0x8F
  | _ -> tail (i + 1) 3 0x80 0xBF

let utf_8_scalar_width text ~pos ~len =
  let stop = pos + len in
  let rec count i n = if i >= stop then n else count (i + utf_8_length text i stop) (n + 1) in
  let rec ascii i =
    if i >= stop then len
    else if Char.code (String.unsafe_get text i) < 0x80 then ascii (i + 1)
    else count i (i - pos)
  in
  ascii pos

let width_of ppf text pos len =
  match ppf.to_width with
  | None -> utf_8_scalar_width text ~pos ~len
  | Some width -> width text ~pos ~len

let text_width ppf text = width_of ppf text 0 (String.length text)

(* Output *)

let blanks = String.make 80 ' '

let put_text ppf text = ppf.to_string text 0 (String.length text)

let rec put_blanks ppf n =
  if n > 0 then
    if n <= 80 then ppf.to_string blanks 0 n
    else begin
      ppf.to_string blanks 0 80;
      put_blanks ppf (n - 80)
    end

let put_spaces ppf n = match ppf.to_spaces with None -> put_blanks ppf n | Some put -> put n
let put_indent ppf n = match ppf.to_indent with None -> put_blanks ppf n | Some put -> put n

let put_newline ppf =
  match ppf.to_newline with None -> ppf.to_string "\n" 0 1 | Some put -> put ()

(* The queue *)

let grow ppf =
  let size = Array.length ppf.sizes in
  let twice = 2 * size in
  let sizes = Array.make twice 0 in
  let lengths = Array.make twice 0 in
  let tokens = Array.make twice Close_box in
  for i = ppf.first to ppf.next - 1 do
    let from = i land (size - 1) in
    let into = i land (twice - 1) in
    sizes.(into) <- ppf.sizes.(from);
    lengths.(into) <- ppf.lengths.(from);
    tokens.(into) <- ppf.tokens.(from)
  done;
  ppf.sizes <- sizes;
  ppf.lengths <- lengths;
  ppf.tokens <- tokens

let add_item ppf size length token =
  if ppf.next - ppf.first >= Array.length ppf.sizes then grow ppf;
  let at = ppf.next land (Array.length ppf.sizes - 1) in
  ppf.right_total <- ppf.right_total + length;
  ppf.sizes.(at) <- size;
  ppf.lengths.(at) <- length;
  ppf.tokens.(at) <- token;
  ppf.next <- ppf.next + 1

(* Lines *)

let print_text ppf size text pos len =
  ppf.space_left <- ppf.space_left - size;
  ppf.to_string text pos len;
  ppf.is_new_line <- false

let print_affix ppf text =
  if text <> "" then print_text ppf (text_width ppf text) text 0 (String.length text)

(* Ends the line; the next one begins so much further in than the box. *)
let new_line ppf offset width =
  put_newline ppf;
  ppf.is_new_line <- true;
  let indent = ppf.line_margin - width + offset in
  let indent = if indent < ppf.indent_limit then indent else ppf.indent_limit in
  ppf.current_indent <- indent;
  ppf.space_left <- ppf.line_margin - indent;
  put_indent ppf indent

let same_line ppf width =
  ppf.space_left <- ppf.space_left - width;
  put_spaces ppf width

(* A box must not begin too far to the right. *)
let open_now ppf size indent kind =
  if ppf.line_margin - ppf.space_left > ppf.indent_limit then begin
    match ppf.boxes with
    | [] -> put_newline ppf
    | { kind; width } :: _ -> (
        if width > ppf.space_left then
          match kind with
          | Fits | Kind Box_h -> ()
          | Kind (Box_plain | Box_v | Box_hv | Box_hov) -> new_line ppf 0 width)
  end;
  let width = ppf.space_left - indent in
  let kind = if kind = Box_v || size > ppf.space_left then Kind kind else Fits in
  ppf.boxes <- { kind; width } :: ppf.boxes

(* Does a break become a new line? [size] includes what a break puts before the end of the line. *)
let must_break ppf size offset { kind; width } =
  match kind with
  | Fits | Kind Box_h -> false
  | Kind (Box_v | Box_hv) -> true
  | Kind Box_hov -> size > ppf.space_left
  | Kind Box_plain ->
      (not ppf.is_new_line)
      && (size > ppf.space_left || ppf.current_indent > ppf.line_margin - width + offset)

let break_now ppf size width offset =
  match ppf.boxes with
  | [] -> ()
  | box :: _ ->
      if must_break ppf size offset box then new_line ppf offset box.width
      else same_line ppf width

let custom_break_now ppf size (before, width, after) (end_of_line, offset, start_of_line) =
  match ppf.boxes with
  | [] -> ()
  | box :: _ ->
      if must_break ppf (size + text_width ppf end_of_line) offset box then begin
        print_affix ppf end_of_line;
        new_line ppf offset box.width;
        print_affix ppf start_of_line
      end
      else begin
        print_affix ppf before;
        same_line ppf width;
        print_affix ppf after
      end

let tab_now ppf =
  match ppf.tabs with
  | [] -> ()
  | tabs :: _ ->
      let here = ppf.line_margin - ppf.space_left in
      let rec insert = function
        | tab :: rest when tab <= here -> tab :: insert rest
        | tabs -> here :: tabs
      in
      tabs := insert !tabs

let tab_break_now ppf width offset =
  match ppf.tabs with
  | [] -> ()
  | tabs :: _ ->
      let here = ppf.line_margin - ppf.space_left in
      let rec following first = function
        | [] -> first
        | tab :: rest -> if tab >= here then tab else following first rest
      in
      let tab = match !tabs with [] -> here | first :: _ as all -> following first all in
      if tab >= here then same_line ppf (tab - here + width)
      else new_line ppf (tab + offset) ppf.line_margin

let print_item ppf size token =
  match token with
  | Text text -> print_text ppf size text 0 (String.length text)
  | Part (text, pos, len) -> print_text ppf size text pos len
  | Break (width, offset) -> break_now ppf size width offset
  | Open_box (indent, kind) -> open_now ppf size indent kind
  | Close_box -> ( match ppf.boxes with [] -> () | _ :: rest -> ppf.boxes <- rest)
  | Custom_break (fits, breaks) -> custom_break_now ppf size fits breaks
  | Newline -> (
      match ppf.boxes with [] -> put_newline ppf | { width } :: _ -> new_line ppf 0 width)
  | If_newline ->
      (* What follows is for a line that has just begun. *)
      if ppf.current_indent <> ppf.line_margin - ppf.space_left && ppf.first < ppf.next then begin
        let at = ppf.first land (Array.length ppf.sizes - 1) in
        ppf.first <- ppf.first + 1;
        ppf.left_total <- ppf.left_total - ppf.lengths.(at);
        ppf.space_left <- ppf.space_left + ppf.sizes.(at)
      end
  | Open_tabs -> ppf.tabs <- ref [] :: ppf.tabs
  | Close_tabs -> ( match ppf.tabs with [] -> () | _ :: rest -> ppf.tabs <- rest)
  | Set_tab -> tab_now ppf
  | Tab_break (width, offset) -> tab_break_now ppf width offset
  | Open_tag tag ->
      put_text ppf (ppf.stags.mark_open_stag tag);
      ppf.marks <- tag :: ppf.marks
  | Close_tag -> (
      match ppf.marks with
      | [] -> ()
      | tag :: rest ->
          put_text ppf (ppf.stags.mark_close_stag tag);
          ppf.marks <- rest)

(* Prints what need not wait any longer. *)
let rec advance ppf =
  if ppf.first < ppf.next then begin
    let at = ppf.first land (Array.length ppf.sizes - 1) in
    let size = ppf.sizes.(at) in
    if size >= 0 || ppf.right_total - ppf.left_total >= ppf.space_left then begin
      let length = ppf.lengths.(at) in
      ppf.first <- ppf.first + 1;
      print_item ppf (if size < 0 then pp_infinity else size) ppf.tokens.(at);
      ppf.left_total <- ppf.left_total + length;
      advance ppf
    end
  end

let add_at_once ppf length token =
  add_item ppf length length token;
  advance ppf

(* The latest break ends here. *)
let end_break ppf =
  match ppf.unknown with
  | [] -> ()
  | at :: rest -> (
      if at < ppf.first then ppf.unknown <- []
      else
        let at = at land (Array.length ppf.sizes - 1) in
        match ppf.tokens.(at) with
        | Break _ | Custom_break _ | Tab_break _ ->
            ppf.sizes.(at) <- ppf.right_total + ppf.sizes.(at);
            ppf.unknown <- rest
        | _ -> ())

(* The latest box ends here. *)
let end_box ppf =
  match ppf.unknown with
  | [] -> ()
  | at :: rest -> (
      if at < ppf.first then ppf.unknown <- []
      else
        let at = at land (Array.length ppf.sizes - 1) in
        match ppf.tokens.(at) with
        | Open_box _ ->
            ppf.sizes.(at) <- ppf.right_total + ppf.sizes.(at);
            ppf.unknown <- rest
        | _ -> ())

let add_break ppf length token =
  let size = -ppf.right_total in
  let at = ppf.next in
  add_item ppf size length token;
  end_break ppf;
  ppf.unknown <- at :: ppf.unknown

(* Boxes *)

let is_open ppf = ppf.depth < ppf.max_boxes

let enqueue_text ppf size text =
  if ppf.first = ppf.next then begin
    (* Nothing waits. *)
    ppf.right_total <- ppf.right_total + size;
    print_text ppf size text 0 (String.length text);
    ppf.left_total <- ppf.left_total + size
  end
  else add_at_once ppf size (Text text)

let enqueue_string ppf text =
  enqueue_text ppf (text_width ppf text) text

let open_box_of ppf indent kind =
  ppf.depth <- ppf.depth + 1;
  if is_open ppf then begin
    let at = ppf.next in
    add_item ppf (-ppf.right_total) 0 (Open_box (indent, kind));
    ppf.unknown <- at :: ppf.unknown
  end
  else if ppf.depth = ppf.max_boxes then enqueue_string ppf ppf.ellipsis

let pp_open_hbox ppf () = open_box_of ppf 0 Box_h
let pp_open_vbox ppf indent = open_box_of ppf indent Box_v
let pp_open_hvbox ppf indent = open_box_of ppf indent Box_hv
let pp_open_hovbox ppf indent = open_box_of ppf indent Box_hov
let pp_open_box ppf indent = open_box_of ppf indent Box_plain

let pp_close_box ppf () =
  if ppf.depth > 1 then begin
    if is_open ppf then begin
      add_item ppf 0 0 Close_box;
      end_break ppf;
      end_box ppf
    end;
    ppf.depth <- ppf.depth - 1
  end

(* Tags *)

let pp_open_stag ppf tag =
  if ppf.print_tags then begin
    ppf.tags <- tag :: ppf.tags;
    ppf.stags.print_open_stag tag
  end;
  if ppf.mark_tags then add_item ppf 0 0 (Open_tag tag)

let pp_close_stag ppf () =
  if ppf.mark_tags then add_item ppf 0 0 Close_tag;
  if ppf.print_tags then
    match ppf.tags with
    | [] -> ()
    | tag :: rest ->
        ppf.stags.print_close_stag tag;
        ppf.tags <- rest

let pp_set_print_tags ppf b = ppf.print_tags <- b
let pp_set_mark_tags ppf b = ppf.mark_tags <- b
let pp_get_print_tags ppf () = ppf.print_tags
let pp_get_mark_tags ppf () = ppf.mark_tags

let pp_set_tags ppf b =
  pp_set_print_tags ppf b;
  pp_set_mark_tags ppf b

let pp_get_formatter_stag_functions ppf () = ppf.stags
let pp_set_formatter_stag_functions ppf stags = ppf.stags <- stags

(* The beginning of all: an empty queue, and a box around everything. *)
let reset ppf =
  ppf.left_total <- 1;
  ppf.right_total <- 1;
  ppf.first <- 0;
  ppf.next <- 0;
  ppf.unknown <- [];
  ppf.boxes <- [];
  ppf.tabs <- [];
  ppf.tags <- [];
  ppf.marks <- [];
  ppf.current_indent <- 0;
  ppf.depth <- 0;
  ppf.space_left <- ppf.line_margin;
  open_box_of ppf 0 Box_hov

let rec close_all_tags ppf = function
  | [] -> ()
  | _ :: rest ->
      pp_close_stag ppf ();
      close_all_tags ppf rest

let flush_queue ppf =
  close_all_tags ppf ppf.tags;
  while ppf.depth > 1 do
    pp_close_box ppf ()
  done;
  ppf.right_total <- pp_infinity;
  advance ppf
