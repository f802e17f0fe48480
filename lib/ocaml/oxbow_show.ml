(* Values as text, for Clef: what `%A` and `string` print. The compiler generates for each type a
   function that puts layouts of its parts together by these.

   A layout is broken into lines as F# does it: at 80 columns, from outside inwards. *)

let width = 80

(* How two layouts stand beside each other. *)
type joint =
  | Together
  | Below of int  (* on a new line, so much to the right of where the first begins *)
  | Breakable of int  (* the same, but only where the line would be too long *)

type layout =
  | Leaf of string
  | Node of layout * layout * joint * int  (* and so many blanks between them *)
  | Applied of layout  (* in parentheses where it is the argument of a constructor *)

(* Bytes that continue a character take no room. *)
let room text =
  let count = ref 0 in
  String.iter (fun c -> if Char.code c land 0xc0 <> 0x80 then incr count) text;
  !count

(* The places where the line may be broken, the outermost first, each with what a break there saves; those before
   [unbroken] are broken. *)
type breaks = { mutable savings : int array; mutable count : int; mutable unbroken : int }

let push breaks saving =
  if breaks.count = Array.length breaks.savings then
    breaks.savings <- Array.append breaks.savings (Array.make breaks.count 0);
  breaks.savings.(breaks.count) <- saving;
  breaks.count <- breaks.count + 1

(* Was the innermost one broken? *)
let pop breaks =
  breaks.count <- breaks.count - 1;
  let broken = breaks.unbroken > breaks.count in
  if broken then breaks.unbroken <- breaks.count;
  broken

(* Decides where to break. A text that goes over the edge breaks the outermost place that is left, until it fits.
   The result has no [Breakable]; with it come the column behind it, and how wide its last line is. *)
let rec fit breaks column = function
  | Leaf text ->
    let size = room text in
    let rec place column =
      if column + size <= width || breaks.unbroken = breaks.count then column + size
      else begin
        let saving = breaks.savings.(breaks.unbroken) in
        breaks.unbroken <- breaks.unbroken + 1;
        place (column - saving)
      end
    in
    (Leaf text, place column, size)
  | Applied inner -> fit breaks column inner
  | Node (left, right, joint, blanks) ->
    let left, column, wide = fit breaks column left in
    let beside breaks =
      let right, column, wide' = fit breaks (column + blanks) right in
      (Node (left, right, Together, blanks), column, wide + blanks + wide')
    in
    (match joint with
     | Together -> beside breaks
     | Below by ->
       let right, column, wide' = fit breaks (column - wide + by) right in
       (Node (left, right, joint, 0), column, by + wide')
     | Breakable by ->
       let saving = wide + blanks - by in
       if saving <= 0 then beside breaks
       else begin
         push breaks saving;
         let right, column, wide' = fit breaks (column + blanks) right in
         if pop breaks then (Node (left, right, Below by, 0), column, by + wide')
         else (Node (left, right, Together, blanks), column, wide + blanks + wide')
       end)

let render layout =
  let out = Buffer.create 64 in
  (* Gives the column behind what was written. *)
  let rec write column = function
    | Leaf text ->
      Buffer.add_string out text;
      column + room text
    | Applied inner -> write column inner
    | Node (left, right, joint, blanks) ->
      let behind = write column left in
      (match joint with
       | Below by ->
         Buffer.add_char out '\n';
         Buffer.add_string out (String.make (column + by) ' ');
         write (column + by) right
       | Together | Breakable _ ->
         Buffer.add_string out (String.make blanks ' ');
         write (behind + blanks) right)
  in
  match layout with
  | Leaf text -> text
  | _ ->
    let layout, _, _ = fit { savings = Array.make 16 0; count = 0; unbroken = 0 } 0 layout in
    ignore (write 0 layout);
    Buffer.contents out
[@@known show_render]

let leaf text = Leaf text [@@known show_leaf]
let nothing () : layout list = [] [@@known show_nothing]
let cons (item : layout) items = item :: items [@@known show_cons]
let append (items : layout list) more = items @ more [@@known show_append]

let enclosed opening inner closing =
  Node (Leaf opening, Node (inner, Leaf closing, Together, 0), Together, 0)

(* Items behind each other, as many on a line as fit. *)
let series opening mark closing = function
  | [] -> Leaf (opening ^ closing)
  | first :: rest ->
    let add before item =
      Node (Node (before, Leaf mark, Together, 0), item, Breakable 0, 1)
    in
    enclosed opening (List.fold_left add first rest) closing

let list opening closing items = series opening ";" closing items [@@known show_list]
let tuple items = series "(" "," ")" items [@@known show_tuple]

(* Does the text of a value that made it itself look like an application? *)
let is_application text =
  String.length text > 0
  && (match String.get text 0 with 'a' .. 'z' | 'A' .. 'Z' -> true | _ -> false)
  && String.contains text ' '

let applied name argument = Applied (Node (Leaf name, argument, Breakable 2, 1))

let application name = function
  | [] -> Leaf name
  | [ (Applied _ as one) ] -> applied name (enclosed "(" one ")")
  | [ (Leaf text as one) ] when is_application text -> applied name (enclosed "(" one ")")
  | [ one ] -> applied name one
  | items -> applied name (tuple items)
[@@known show_application]

let field name value = Node (Node (Leaf name, Leaf "=", Together, 1), value, Breakable 1, 1) [@@known show_field]

let record = function
  | [] -> Leaf "{ }"
  | first :: rest ->
    enclosed "{ " (List.fold_left (fun before it -> Node (before, it, Below 0, 0)) first rest) " }"
[@@known show_record]

(* A map, a set: its name before the list of its elements. *)
let collection name items = applied name (list "[" "]" items) [@@known show_collection]

let number value suffix = Int64.to_string value ^ suffix [@@known show_number]
let unsigned value suffix = Printf.sprintf "%Lu" value ^ suffix [@@known show_unsigned]

let looks_whole text =
  let rec go at =
    at >= String.length text
    || (match String.get text at with '0' .. '9' | '-' -> go (at + 1) | _ -> false)
  in
  go 0

(* Ten digits, and at least one behind the point. *)
let float value =
  if value <> value then "nan"
  else if value = infinity then "infinity"
  else if value = neg_infinity then "-infinity"
  else
    let text = Printf.sprintf "%.10g" value in
    if looks_whole text then text ^ ".0" else text
[@@known show_float]

let float32 value = float value ^ "f" [@@known show_float32]
let quoted text = "\"" ^ text ^ "\"" [@@known show_quoted]
(* Quotes and control characters are escaped, which those of strings are not: as F# has it. *)
let character c =
  let inner =
    match c with
    | '\'' -> "\\'"
    | '\\' -> "\\\\"
    | '\b' -> "\\b"
    | '\000' .. '\031' | '\127' ->
        let digits = string_of_int (1000 + Char.code c) in
        "\\" ^ String.sub digits 1 3
    | _ -> String.make 1 c
  in
  "'" ^ inner ^ "'"
[@@known show_character]

external digits : float -> string = "%float.digits"
external digits32 : float -> string = "%float.digits32"

(* The shortest text that means the value; an exponent from [most] on. *)
let shortest value digits_of most =
  if value <> value then "NaN"
  else if value = infinity then "Infinity"
  else if value = neg_infinity then "-Infinity"
  else
    let text = digits_of value in
    let count = match String.index_opt text 'e' with Some at -> at | None -> String.length text in
    let digits = String.sub text 0 count in
    let exponent = int_of_string (String.sub text (count + 1) (String.length text - count - 1)) in
    let body =
      if exponent >= most || exponent < -4 then
        String.sub digits 0 1
        ^ (if count > 1 then "." ^ String.sub digits 1 (count - 1) else "")
        ^ Printf.sprintf "E%s%02d" (if exponent < 0 then "-" else "+") (abs exponent)
      else if exponent < 0 then "0." ^ String.make (-exponent - 1) '0' ^ digits
      else
        let whole = exponent + 1 in
        if count <= whole then digits ^ String.make (whole - count) '0'
        else String.sub digits 0 whole ^ "." ^ String.sub digits whole (count - whole)
    in
    if Float.sign_bit value then "-" ^ body else body

let text_float value = shortest value digits 15 [@@known text_float]
let text_float32 value = shortest value digits32 7 [@@known text_float32]

(* Conversions of printf whose result differs from C's. *)
let fix_exponent text =
  (* At least three digits of exponent. *)
  match String.index_opt text 'e', String.index_opt text 'E' with
  | None, None -> text
  | Some at, _ | None, Some at ->
    let head = String.sub text 0 (at + 2) in
    let tail = String.sub text (at + 2) (String.length text - at - 2) in
    let digits = String.length tail in
    if digits >= 3 then text else head ^ String.make (3 - digits) '0' ^ tail

let pad_left text size =
  let missing = size - room text in
  if missing > 0 then String.make missing ' ' ^ text else text

let pad_right text size =
  let missing = size - room text in
  if missing > 0 then text ^ String.make missing ' ' else text

(* `%-8s`: the flags and width of a conversion applied to a text. *)
let pad conversion text =
  let inner = String.sub conversion 1 (String.length conversion - 2) in
  if inner = "" then text
  else if String.get inner 0 = '-' then
    match int_of_string_opt (String.sub inner 1 (String.length inner - 1)) with
    | Some size -> pad_right text size
    | None -> text
  else match int_of_string_opt inner with Some size -> pad_left text size | None -> text

(* Digits in groups of three. *)
let grouped digits =
  let length = String.length digits in
  let rec go at acc =
    if at <= 3 then String.sub digits 0 at ^ acc
    else go (at - 3) ("," ^ String.sub digits (at - 3) 3 ^ acc)
  in
  if length = 0 then "" else go length ""

let with_groups text =
  let negative = String.length text > 0 && String.get text 0 = '-' in
  let text = if negative then String.sub text 1 (String.length text - 1) else text in
  let whole, rest =
    match String.index_opt text '.' with
    | Some at -> (String.sub text 0 at, String.sub text at (String.length text - at))
    | None -> (text, "")
  in
  (if negative then "-" else "") ^ grouped whole ^ rest

let spec_digits spec otherwise =
  if String.length spec < 2 then otherwise
  else match int_of_string_opt (String.sub spec 1 (String.length spec - 1)) with
    | Some digits -> digits
    | None -> otherwise

(* Infinities and what is no number, by a conversion such as `%-10.2f`: neither sign nor zeros are added. *)
let no_number conversion value =
  let text = text_float value in
  let size = ref 0 and left = ref false and fraction = ref false in
  String.iter (fun c ->
    if c = '-' then left := true
    else if c = '.' then fraction := true
    else if c >= '0' && c <= '9' && not !fraction then size := !size * 10 + Char.code c - 48) conversion;
  if !left then text ^ String.make (max 0 (!size - String.length text)) ' ' else pad_left text !size

(* What a format asks for: a letter with digits behind it, or a picture. *)
let is_picture spec =
  let size = String.length spec in
  let rec digits at = at >= size || (match String.get spec at with '0' .. '9' -> digits (at + 1) | _ -> false) in
  match String.get spec 0 with 'a' .. 'z' | 'A' .. 'Z' -> not (digits 1) | _ -> true

let unknown_format () = invalid_arg "Format specifier was invalid."

(* `G5`: so many digits, with an exponent where the number is too large or too small for them. *)
let general spec value =
  let size = max 1 (spec_digits spec 15) in
  let digits value =
    let text = Printf.sprintf "%.*e" (size - 1) (Float.abs value) in
    let at = match String.index_opt text 'e' with Some at -> at | None -> String.length text in
    let kept = if size = 1 then String.sub text 0 1 else String.sub text 0 1 ^ String.sub text 2 (at - 2) in
    let rec top n = if n > 1 && String.get kept (n - 1) = '0' then top (n - 1) else n in
    String.sub kept 0 (top (String.length kept)) ^ String.sub text at (String.length text - at)
  in
  let text = shortest value digits size in
  if String.get spec 0 = 'g' then String.map (fun c -> if c = 'E' then 'e' else c) text else text

let signed text = String.length text > 0 && String.get text 0 = '-'
let unsigned_part text = if signed text then String.sub text 1 (String.length text - 1) else text

(* Money, from the text of the amount with its places. *)
let money text = (if signed text then "-$" else "$") ^ with_groups (unsigned_part text)

(* The formats of `{x:F2}` for numbers. *)
let spec_float spec value =
  if spec = "" || value -. value <> 0. then text_float value
  else if is_picture spec then Oxbow_picture.text spec (Oxbow_picture.number_of_float value)
  else
    match String.get spec 0 with
    | 'F' | 'f' -> Printf.sprintf "%.*f" (spec_digits spec 2) value
    | 'N' | 'n' -> with_groups (Printf.sprintf "%.*f" (spec_digits spec 2) value)
    | 'C' | 'c' -> money (Printf.sprintf "%.*f" (spec_digits spec 2) value)
    | 'E' -> fix_exponent (Printf.sprintf "%.*E" (spec_digits spec 6) value)
    | 'e' -> fix_exponent (Printf.sprintf "%.*e" (spec_digits spec 6) value)
    | 'P' | 'p' -> with_groups (Printf.sprintf "%.*f" (spec_digits spec 2) (value *. 100.)) ^ "%"
    | 'G' | 'g' when spec_digits spec 0 > 0 -> general spec value
    | 'G' | 'g' | 'R' | 'r' -> text_float value
    | _ -> unknown_format ()

let rec binary value = 
  if Int64.unsigned_compare value 2L < 0 then Int64.to_string value
  else binary (Int64.shift_right_logical value 1) ^ Int64.to_string (Int64.logand value 1L)

let zeros size text =
  let digits = unsigned_part text in
  let missing = size - String.length digits in
  let digits = if missing > 0 then String.make missing '0' ^ digits else digits in
  if signed text then "-" ^ digits else digits

(* A whole number whose digits are known, with zeros behind the point. *)
let with_places text places = if places > 0 then text ^ "." ^ String.make places '0' else text

let spec_whole spec text value =
  if is_picture spec then Oxbow_picture.text spec (Oxbow_picture.number_of text)
  else
    match String.get spec 0 with
    | 'D' | 'd' -> zeros (spec_digits spec 1) text
    | 'N' | 'n' -> with_places (with_groups text) (spec_digits spec 2)
    | 'F' | 'f' -> with_places text (spec_digits spec 2)
    | 'C' | 'c' -> money (with_places text (spec_digits spec 2))
    | 'P' | 'p' -> with_places (with_groups (if value = 0. then text else text ^ "00")) (spec_digits spec 2) ^ "%"
    | 'E' | 'e' -> spec_float spec value
    | 'G' | 'g' when spec_digits spec 0 > 0 && spec_digits spec 0 < String.length (unsigned_part text) ->
        general spec value
    | 'G' | 'g' | 'R' | 'r' -> text
    | _ -> unknown_format ()

let spec_int spec value =
  if spec = "" then Int64.to_string value
  else if is_picture spec then spec_whole spec (Int64.to_string value) 0.
  else
    match String.get spec 0 with
    | 'X' -> zeros (spec_digits spec 1) (Printf.sprintf "%LX" value)
    | 'x' -> zeros (spec_digits spec 1) (Printf.sprintf "%Lx" value)
    | 'B' | 'b' -> zeros (spec_digits spec 1) (binary value)
    | _ -> spec_whole spec (Int64.to_string value) (Int64.to_float value)
