(* Formats whose text is known when the program runs, and what reading makes of formats.

   A literal says its type by a shape, made of the functions below:

     "%d: %s"   int (string finish)

   [shape_run] takes the arguments as [format_run] does, for any text of that type, which is a
   list of parts. [shape_read] takes the readers of [%r], then hands them on with a function that
   applies another one to the values that were found. *)

(* Parsing *)

let quoted text = "\"" ^ String.escaped text ^ "\""

let invalid text at message =
  failwith
    ("invalid format " ^ quoted text ^ ": at character number " ^ string_of_int at ^ ", " ^ message)

let is_integer_letter c =
  match c with 'd' | 'i' | 'u' | 'x' | 'X' | 'o' -> true | _ -> false

(* Where [%)] or [%}] of the format that begins at [i] stands. *)
let rec end_of_inner text i close =
  let stop = String.length text in
  if i + 1 >= stop then
    failwith
      ("invalid format " ^ quoted text ^ ": unclosed sub-format, expected \"%"
     ^ String.make 1 close ^ "\" at character number " ^ string_of_int stop)
  else if text.[i] <> '%' then end_of_inner text (i + 1) close
  else
    let at = if text.[i + 1] = '_' then i + 2 else i + 1 in
    let c = if at < stop then text.[at] else ' ' in
    if c = close then i
    else if c = '(' then end_of_inner text (end_of_inner text (at + 1) ')' + 2) close
    else if c = '{' then end_of_inner text (end_of_inner text (at + 1) '}' + 2) close
    else end_of_inner text (at + 1) close

(* Behind the conversion that begins at [i]. *)
let end_of_conversion text i =
  let stop = String.length text in
  let at i =
    if i < stop then String.unsafe_get text i else invalid text i "unexpected end of format"
  in
  let rec letter i =
    match at i with
    | '-' | '+' | ' ' | '#' | '0' .. '9' | '.' | '*' -> letter (i + 1)
    | '(' -> end_of_inner text (i + 1) ')' + 2
    | '{' -> end_of_inner text (i + 1) '}' + 2
    | '[' ->
        let start = if at (i + 1) = '^' then i + 2 else i + 1 in
        let rec close i = if at i = ']' then i + 1 else close (i + 1) in
        close (if at start = ']' then start + 1 else start)
    | 'l' | 'L' | 'n' -> if i + 1 < stop && is_integer_letter text.[i + 1] then i + 2 else i + 1
    | 'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'f' | 'e' | 'E' | 'g' | 'G' | 'F' | 'h' | 'H' | 's' | 'S'
    | 'c' | 'C' | 'b' | 'B' | 'a' | 't' | 'r' | 'N' | '%' | '@' | ',' | '!' ->
        i + 1
    | c -> invalid text i ("invalid conversion \"%" ^ String.make 1 c ^ "\"")
  in
  letter (if at (i + 1) = '_' then i + 2 else i + 1)

(* The number at [i], if there is one, and what follows it. *)
let number text i =
  let stop = String.length text in
  let start = if i < stop && text.[i] = '-' then i + 1 else i in
  let rec digits i = if i < stop && text.[i] >= '0' && text.[i] <= '9' then digits (i + 1) else i in
  let last = digits start in
  if last = start then None
  else
    match int_of_string_opt (String.sub text i (last - i)) with
    | Some value -> Some (value, last)
    | None -> None

let rec skip_spaces text i =
  if i < String.length text && text.[i] = ' ' then skip_spaces text (i + 1) else i

let is_at text i c = i < String.length text && text.[i] = c

(* [<n>] or [<n m>] at [i]. *)
let break_numbers text i =
  if not (is_at text i '<') then None
  else
    match number text (skip_spaces text (i + 1)) with
    | None -> None
    | Some (width, i) -> (
        let i = skip_spaces text i in
        if is_at text i '>' then Some (width, 0, i + 1)
        else
          match number text i with
          | None -> None
          | Some (offset, i) ->
              let i = skip_spaces text i in
              if is_at text i '>' then Some (width, offset, i + 1) else None)

let box_of text =
  let stop = String.length text in
  let start = skip_spaces text 0 in
  let rec letters i =
    if i < stop && text.[i] >= 'a' && text.[i] <= 'z' then letters (i + 1) else i
  in
  let last = letters start in
  let kind =
    match String.sub text start (last - start) with
    | "" | "b" -> Some Box_plain
    | "h" -> Some Box_h
    | "v" -> Some Box_v
    | "hv" -> Some Box_hv
    | "hov" -> Some Box_hov
    | _ -> None
  in
  let i = skip_spaces text last in
  match (kind, if i = stop then Some (0, i) else number text i) with
  | Some kind, Some (indent, i) when skip_spaces text i = stop -> Some (Mark_open_box (kind, indent))
  | _ -> None

(* The parts of a format, in order. *)
let rec parts_of text =
  let stop = String.length text in
  let literal start i rest =
    if i > start then Part_text (String.sub text start (i - start)) :: rest else rest
  in
  let rec from start i =
    if i >= stop then literal start i []
    else
      match text.[i] with
      | '%' -> literal start i (conversion i)
      | '@' -> literal start i (mark i)
      | _ -> from start (i + 1)
  and conversion i =
    let last = end_of_conversion text i in
    match text.[last - 1] with
    | ('%' | '@') as c -> Part_text (String.make 1 c) :: from last last
    | ',' -> from last last
    | '!' -> Part_flush :: from last last
    | _ -> Part_convert (String.sub text i (last - i)) :: from last last
  and mark i =
    let plain last kind = Part_mark (String.sub text i (last - i), kind) :: from last last in
    if i + 1 >= stop then [ Part_text "@" ]
    else
      match text.[i + 1] with
      | '%' ->
          if is_at text (i + 2) '%' then Part_mark ("@%", Mark_char '%') :: from (i + 3) (i + 3)
          else Part_text "@" :: from (i + 1) (i + 1)
      | '[' -> opening i false
      | '{' -> opening i true
      | ']' -> plain (i + 2) Mark_close_box
      | '}' -> plain (i + 2) Mark_close_tag
      | ',' -> plain (i + 2) (Mark_break (0, 0))
      | ' ' -> plain (i + 2) (Mark_break (1, 0))
      | ';' -> (
          match break_numbers text (i + 2) with
          | Some (width, offset, last) -> plain last (Mark_break (width, offset))
          | None -> plain (i + 2) (Mark_break (1, 0)))
      | '?' -> plain (i + 2) Mark_flush
      | '\n' -> plain (i + 2) Mark_newline
      | '.' -> plain (i + 2) Mark_end_line
      | '@' -> plain (i + 2) (Mark_char '@')
      | '<' -> (
          match number text (skip_spaces text (i + 2)) with
          | Some (size, last) when is_at text (skip_spaces text last) '>' ->
              plain (skip_spaces text last + 1) (Mark_size size)
          | _ -> plain (i + 2) (Mark_indication '<'))
      | c -> plain (i + 2) (Mark_indication c)
  and opening i is_tag =
    let last =
      if not (is_at text (i + 2) '<') then i + 2
      else match String.index_from_opt text (i + 2) '>' with Some last -> last + 1 | None -> i + 2
    in
    let inner = String.sub text (i + 2) (last - i - 2) in
    let content = if inner = "" then "" else String.sub inner 1 (String.length inner - 2) in
    let parts = parts_of inner in
    let is_plain = List.for_all (function Part_text _ -> true | _ -> false) parts in
    let known =
      if not is_plain then None else if is_tag then Some (Mark_open_tag content) else box_of content
    in
    match known with
    | Some kind -> Part_mark (String.sub text i (last - i), kind) :: from last last
    | None -> (Part_open is_tag :: parts) @ (Part_close :: from last last)
  in
  from 0 0

let has_star text = String.contains text '*'
let is_ignored text = text.[1] = '_'

(* Where the letter of a conversion stands. *)
let letter text =
  let rec find i =
    match text.[i] with
    | '_' | '-' | '+' | ' ' | '#' | '0' .. '9' | '.' | '*' -> find (i + 1)
    | _ -> i
  in
  find 1

(* The format inside of [%(…%)] or [%{…%}]. *)
let inner_of text =
  let i = letter text in
  String.sub text (i + 1) (String.length text - i - 3)

let rec stars text i = if i < 0 then "" else (if text.[i] = '*' then "%i" else "") ^ stars text (i - 1)

(* The type of a format: one conversion for each argument. *)
let rec type_of_parts parts =
  match parts with
  | [] -> ""
  | Part_convert text :: rest -> conversion_type text ^ type_of_parts rest
  | _ :: rest -> type_of_parts rest

and conversion_type text =
  let i = letter text in
  let is_plain = i + 1 = String.length text in
  let inner () = type_of_parts (parts_of (inner_of text)) in
  match (text.[i], is_ignored text) with
  | 'r', true -> "%_r"
  | '(', true -> inner ()
  | _, true -> ""
  | '(', false -> "%(" ^ inner () ^ "%)"
  | '{', false -> "%{" ^ inner () ^ "%}"
  | c, false -> (
      stars text (i - 1)
      ^
      match c with
      | 'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'N' -> "%i"
      | 'l' -> if is_plain then "%i" else "%li"
      | 'n' -> if is_plain then "%i" else "%ni"
      | 'L' -> if is_plain then "%i" else "%Li"
      | 'f' | 'e' | 'E' | 'g' | 'G' | 'F' | 'h' | 'H' -> "%f"
      | 'c' | 'C' -> "%c"
      | 'b' | 'B' -> "%B"
      | 'a' -> "%a"
      | 't' -> "%t"
      | 'r' -> "%r"
      | _ -> "%s")

let mismatch text other =
  failwith ("bad input: format type mismatch between " ^ quoted text ^ " and " ^ quoted other)

(* Printing by parts *)

let refused message = Piece_fun (fun _ -> raise (Invalid_argument message))

(* Puts a description into the place of the mark where it began. *)
let close_open pieces =
  let rec collect inner = function
    | Piece_open (is_tag, []) :: rest -> Piece_open (is_tag, List.rev inner) :: rest
    | piece :: rest -> collect (piece :: inner) rest
    | [] -> assert false
  in
  collect [] pieces

(* Adds what stands before the next argument: its conversion, what follows, the pieces. *)
let rec skip parts pieces =
  match parts with
  | Part_text text :: rest -> skip rest (Piece_text text :: pieces)
  | Part_mark (text, mark) :: rest -> skip rest (Piece_mark (text, mark) :: pieces)
  | Part_flush :: rest -> skip rest (Piece_flush :: pieces)
  | Part_open is_tag :: rest -> skip rest (Piece_open (is_tag, []) :: pieces)
  | Part_close :: rest -> skip rest (close_open pieces)
  | Part_convert text :: rest when is_ignored text ->
      let rest =
        if text.[letter text] = '(' then parts_of (inner_of text) @ rest else rest
      in
      skip rest (refused "Printf: bad conversion %_" :: pieces)
  | Part_convert text :: rest -> (text, rest, pieces)
  | [] -> ("", [], pieces)

let finished parts pieces =
  let _, _, pieces = skip parts pieces in
  pieces

let show_int text n =
  match text.[String.length text - 1] with
  | 'l' | 'n' | 'L' | 'N' -> Oxbow_format.int "%u" n
  | _ -> Oxbow_format.int text n

let show_char text c =
  if text.[String.length text - 1] = 'C' then Oxbow_format.char_escaped text c
  else Oxbow_format.char text c

let string_piece text s =
  match text.[String.length text - 1] with
  | 'S' -> Piece_string (Oxbow_format.string_escaped text s)
  | ']' -> refused "Printf: bad conversion %["
  | _ -> Piece_string (Oxbow_format.string text s)

(* Values that were read *)

let next values =
  match values.format_values with
  | value :: rest ->
      values.format_values <- rest;
      value
  | [] -> assert false

let int_of = function Value_int n -> n | _ -> assert false
let int32_of = function Value_int32 n -> n | _ -> assert false
let int64_of = function Value_int64 n -> n | _ -> assert false
let nativeint_of = function Value_nativeint n -> n | _ -> assert false
let float_of = function Value_float x -> x | _ -> assert false
let char_of = function Value_char c -> c | _ -> assert false
let bool_of = function Value_bool b -> b | _ -> assert false
let string_of = function Value_string s -> s | _ -> assert false

(* Shapes *)

let finish : ('f, 'b, 'c, 'e, 'e, 'f) format_shape =
  Shape_known
    {
      shape_type = (fun () -> "");
      shape_run = (fun finish parts pieces -> finish parts pieces);
      shape_read = (fun finish -> finish [] (fun _ f -> f));
    }

(* One argument: its type, the piece that shows it, and what it is among the values. *)
let one word piece value (rest : ('a, 'b, 'c, 'd, 'e, 'f) format_shape) :
    ('x -> 'a, 'b, 'c, 'd, 'e, 'f) format_shape =
  match rest with
  | Shape_unread -> Shape_unread
  | Shape_known rest ->
      Shape_known
        {
          shape_type = (fun () -> word ^ rest.shape_type ());
          shape_run =
            (fun finish parts pieces argument ->
              let text, parts, pieces = skip parts pieces in
              rest.shape_run finish parts (piece text argument :: pieces));
          shape_read =
            (fun finish ->
              rest.shape_read (fun readers apply ->
                  finish readers (fun values f ->
                      let found = value (next values) in
                      apply values (f found))));
        }

let int32 rest = one "%li" (fun text n -> Piece_string (Oxbow_format.int32 text n)) int32_of rest
let int64 rest = one "%Li" (fun text n -> Piece_string (Oxbow_format.int64 text n)) int64_of rest

let nativeint rest =
  one "%ni" (fun text n -> Piece_string (Oxbow_format.nativeint text n)) nativeint_of rest

let float rest = one "%f" (fun text x -> Piece_string (Oxbow_format.float text x)) float_of rest
let bool rest = one "%B" (fun text b -> Piece_string (Oxbow_format.bool text b)) bool_of rest
let char rest = one "%c" (fun text c -> Piece_string (show_char text c)) char_of rest
let string rest = one "%s" string_piece string_of rest

(* Reading refuses [%t] and [%a] before it asks for a value. *)
let action rest = one "%t" (fun _ action -> Piece_fun action) (fun _ -> assert false) rest

(* An integer may stand for a [*]. *)
let int (rest : ('a, 'b, 'c, 'd, 'e, 'f) format_shape) :
    (int -> 'a, 'b, 'c, 'd, 'e, 'f) format_shape =
  match rest with
  | Shape_unread -> Shape_unread
  | Shape_known rest ->
      Shape_known
        {
          shape_type = (fun () -> "%i" ^ rest.shape_type ());
          shape_run =
            (fun finish parts pieces n ->
              let text, parts, pieces = skip parts pieces in
              if has_star text then
                rest.shape_run finish (Part_convert (Oxbow_format.star text n) :: parts) pieces
              else rest.shape_run finish parts (Piece_string (show_int text n) :: pieces));
          shape_read =
            (fun finish ->
              rest.shape_read (fun readers apply ->
                  finish readers (fun values f ->
                      let found = int_of (next values) in
                      apply values (f found))));
        }

let printer (rest : ('a, 'b, 'c, 'd, 'e, 'f) format_shape) :
    (('b -> 'x -> 'c) -> 'x -> 'a, 'b, 'c, 'd, 'e, 'f) format_shape =
  match rest with
  | Shape_unread -> Shape_unread
  | Shape_known rest ->
      Shape_known
        {
          shape_type = (fun () -> "%a" ^ rest.shape_type ());
          shape_run =
            (fun finish parts pieces print value ->
              let _, parts, pieces = skip parts pieces in
              rest.shape_run finish parts (Piece_fun (fun out -> print out value) :: pieces));
          shape_read =
            (fun finish ->
              rest.shape_read (fun readers _ -> finish readers (fun _ _ -> assert false)));
        }

let reader (rest : ('a, 'b, 'c, 'd, 'e, 'f) format_shape) :
    ('x -> 'a, 'b, 'c, ('b -> 'x) -> 'd, 'e, 'f) format_shape =
  match rest with
  | Shape_unread -> Shape_unread
  | Shape_known rest ->
      Shape_known
        {
          shape_type = (fun () -> "%r" ^ rest.shape_type ());
          shape_run =
            (fun finish parts pieces _ ->
              let _, parts, pieces = skip parts pieces in
              rest.shape_run finish parts (refused "Printf: bad conversion %r" :: pieces));
          shape_read =
            (fun finish read ->
              let found = ref None in
              rest.shape_read (fun readers apply ->
                  finish
                    ((fun input -> found := Some (read input)) :: readers)
                    (fun values f ->
                      match !found with
                      | Some value -> apply values (f value)
                      | None -> assert false)));
        }

let no_reader (rest : ('a, 'b, 'c, 'd, 'e, 'f) format_shape) :
    ('a, 'b, 'c, ('b -> 'x) -> 'd, 'e, 'f) format_shape =
  match rest with
  | Shape_unread -> Shape_unread
  | Shape_known rest ->
      Shape_known
        {
          shape_type = (fun () -> "%_r" ^ rest.shape_type ());
          shape_run = rest.shape_run;
          shape_read =
            (fun finish read ->
              rest.shape_read (fun readers apply ->
                  finish ((fun input -> ignore (read input)) :: readers) apply));
        }

(* Formats from strings *)

let type_of (format : ('a, 'b, 'c, 'd, 'e, 'f) format6) =
  match format.format_shape () with
  | Shape_known shape -> shape.shape_type ()
  | Shape_unread -> type_of_parts (parts_of format.format_text)

(* The format with another text, of the same type. *)
let with_parts text parts (format : ('a, 'b, 'c, 'd, 'e, 'f) format6) :
    ('a, 'b, 'c, 'd, 'e, 'f) format6 =
  match format.format_shape () with
  | Shape_unread -> assert false
  | Shape_known shape ->
      {
        format_text = text;
        format_run =
          (fun finish pieces ->
            shape.shape_run (fun parts pieces -> finish (finished parts pieces)) parts pieces);
        format_shape = format.format_shape;
      }

let of_string text (format : ('a, 'b, 'c, 'd, 'e, 'f) format6) =
  let parts = parts_of text in
  if type_of_parts parts <> type_of format then mismatch text format.format_text;
  with_parts text parts format

let argument (inner : ('g, 'h, 'i, 'j, 'k, 'l) format6)
    (rest : ('a, 'b, 'c, 'd, 'e, 'f) format_shape) :
    (('g, 'h, 'i, 'j, 'k, 'l) format6 -> 'a, 'b, 'c, 'd, 'e, 'f) format_shape =
  let inner_type = type_of inner in
  one
    ("%{" ^ inner_type ^ "%}")
    (fun _ _ -> Piece_string inner_type)
    (fun value ->
      let text = string_of value in
      with_parts text (parts_of text) inner)
    rest

(* A format as one of another type: both inner formats have the same text. *)
let recast (format : ('g, 'h, 'i, 'j, 'k, 'l) format6) (_ : ('g, 'h, 'i, 'j, 'k, 'l) format6)
    (inner : ('a, 'b, 'c, 'd, 'e, 'f) format6) : ('a, 'b, 'c, 'd, 'e, 'f) format6 =
  with_parts format.format_text (parts_of format.format_text) inner

let substitute (own : ('g, 'h, 'i, 'j, 'k, 'l) format6)
    (inner : ('m, 'b, 'c, 'n, 'd, 'a) format6) (rest : ('a, 'b, 'c, 'd, 'e, 'f) format_shape) :
    (('g, 'h, 'i, 'j, 'k, 'l) format6 -> 'm, 'b, 'c, 'n, 'e, 'f) format_shape =
  match (inner.format_shape (), rest) with
  | Shape_known shape, Shape_known rest ->
      Shape_known
        {
          shape_type = (fun () -> "%(" ^ shape.shape_type () ^ "%)" ^ rest.shape_type ());
          shape_run =
            (fun finish parts pieces format ->
              let _, parts, pieces = skip parts pieces in
              Oxbow_format.run (recast format own inner)
                (fun pieces -> rest.shape_run finish parts pieces)
                pieces);
          shape_read =
            (fun finish ->
              shape.shape_read (fun readers apply ->
                  rest.shape_read (fun more apply_more ->
                      finish (readers @ more) (fun values f ->
                          let text = string_of (next values) in
                          let format = with_parts text (parts_of text) own in
                          apply_more values (apply values (f format))))));
        }
  | _ -> Shape_unread
