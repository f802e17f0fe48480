(* Values as text, for Clef: what `%A` and `string` print. The compiler generates for each type a
   function that puts texts of its parts together by these.

   Items of lists, tuples, records and constructors come as one text, each ended by the byte 1. *)

let separator = '\001'
let width = 80

(* The items of an ended text. *)
let split text =
  let rec go from at acc =
    if at >= String.length text then List.rev acc
    else if String.get text at = separator then
      go (at + 1) (at + 1) (String.sub text from (at - from) :: acc)
    else go from (at + 1) acc
  in
  go 0 0 []

let column text =
  let rec go at =
    if at < 0 then String.length text
    else if String.get text at = '\n' then String.length text - at - 1
    else go (at - 1)
  in
  go (String.length text - 1)

(* Later lines of a text moved to the right. *)
let indented text by =
  if not (String.contains text '\n') then text
  else String.concat ("\n" ^ String.make by ' ') (String.split_on_char '\n' text)

let place out item = out ^ indented item (column out)

let first_line text =
  match String.split_on_char '\n' text with [] -> "" | first :: _ -> first

let number value suffix = Int64.to_string value ^ suffix
let unsigned value suffix = Printf.sprintf "%Lu" value ^ suffix

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

let float32 value = float value ^ "f"
let quoted text = "\"" ^ text ^ "\""
let character c = "'" ^ String.make 1 c ^ "'"

let tuple text =
  let rec go out first = function
    | [] -> out ^ ")"
    | item :: rest -> go (place (if first then out else out ^ ", ") item) false rest
  in
  go "(" true (split text)

let is_application text =
  String.length text > 0
  && (match String.get text 0 with 'a' .. 'z' | 'A' .. 'Z' -> true | _ -> false)
  && String.contains text ' '

let application name text =
  match split text with
  | [] -> name
  | [ one ] ->
    let one = if is_application one then "(" ^ indented one 1 ^ ")" else one in
    place (name ^ " ") one
  | _ -> place (name ^ " ") (tuple text)

(* Fields come as `name = value`. *)
let record text =
  let rec go out first = function
    | [] -> out ^ " }"
    | item :: rest ->
      let out = if first then out else out ^ "\n  " in
      let at = match String.index_opt item '=' with Some at -> at | None -> 0 in
      let name = String.sub item 0 (at + 2) in
      let value = String.sub item (at + 2) (String.length item - at - 2) in
      go (place (out ^ name) value) false rest
  in
  go "{ " true (split text)

(* Items after each other; a new line where one would go over the edge. *)
let list opening closing text =
  let rec go out first = function
    | [] -> out ^ closing
    | item :: rest ->
      let out =
        if first then out
        else
          let out = out ^ ";" in
          if column out + 1 + String.length (first_line item) > width - 2 then
            out ^ "\n" ^ String.make (String.length opening) ' '
          else out ^ " "
      in
      go (place out item) false rest
  in
  go opening true (split text)

(* The shortest text of some digits that means the value; an exponent from [most] on. *)
let shortest value least last most means =
  if value <> value then "NaN"
  else if value = infinity then "Infinity"
  else if value = neg_infinity then "-Infinity"
  else
    let rec choose digits =
      let text = Printf.sprintf "%.*e" digits value in
      if digits >= last || means text then text else choose (digits + 1)
    in
    let text = choose least in
    let at = match String.index_opt text 'e' with Some at -> at | None -> String.length text in
    let exponent = int_of_string
        (let e = String.sub text (at + 1) (String.length text - at - 1) in
         if String.get e 0 = '+' then String.sub e 1 (String.length e - 1) else e) in
    let negative = String.get text 0 = '-' in
    let start = if negative then 1 else 0 in
    let digits = String.concat "" (String.split_on_char '.' (String.sub text start (at - start))) in
    let rec trimmed length =
      if length > 1 && String.get digits (length - 1) = '0' then trimmed (length - 1) else length
    in
    let digits = String.sub digits 0 (trimmed (String.length digits)) in
    let count = String.length digits in
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
    if negative then "-" ^ body else body

let text_float value = shortest value 14 16 15 (fun text -> float_of_string text = value)

let text_float32 value =
  let round x = Int32.float_of_bits (Int32.bits_of_float x) in
  shortest value 5 8 7 (fun text -> round (float_of_string text) = value)

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
  let missing = size - String.length text in
  if missing > 0 then String.make missing ' ' ^ text else text

let pad_right text size =
  let missing = size - String.length text in
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

(* `0.00`, `#,##0.0`: as many places behind the point as there are marks. *)
let custom spec value =
  let places =
    match String.index_opt spec '.' with
    | Some at -> String.length spec - at - 1
    | None -> 0
  in
  let text = Printf.sprintf "%.*f" places value in
  if String.contains spec ',' then with_groups text else text

(* The formats of `{x:F2}` for numbers. *)
let spec_float spec value =
  if spec = "" then text_float value
  else match String.get spec 0 with
    | 'F' | 'f' -> Printf.sprintf "%.*f" (spec_digits spec 2) value
    | 'N' | 'n' -> with_groups (Printf.sprintf "%.*f" (spec_digits spec 2) value)
    | 'E' ->
      let text = fix_exponent (Printf.sprintf "%.*E" (spec_digits spec 6) value) in text
    | 'e' -> fix_exponent (Printf.sprintf "%.*e" (spec_digits spec 6) value)
    | 'P' | 'p' ->
      with_groups (Printf.sprintf "%.*f" (spec_digits spec 2) (value *. 100.)) ^ "%"
    | 'G' | 'g' when String.length spec > 1 ->
      Printf.sprintf "%.*g" (spec_digits spec 15) value
    | '0' | '#' -> custom spec value
    | _ -> text_float value

let spec_int spec value =
  if spec = "" then Int64.to_string value
  else
    let zeros size text =
      let negative = String.length text > 0 && String.get text 0 = '-' in
      let digits = if negative then String.sub text 1 (String.length text - 1) else text in
      let missing = size - String.length digits in
      let digits = if missing > 0 then String.make missing '0' ^ digits else digits in
      if negative then "-" ^ digits else digits
    in
    match String.get spec 0 with
    | 'D' | 'd' -> zeros (spec_digits spec 1) (Int64.to_string value)
    | 'X' -> zeros (spec_digits spec 1) (Printf.sprintf "%LX" value)
    | 'x' -> zeros (spec_digits spec 1) (Printf.sprintf "%Lx" value)
    | 'N' | 'n' ->
      let places = spec_digits spec 2 in
      with_groups (Int64.to_string value) ^ (if places > 0 then "." ^ String.make places '0' else "")
    | '0' when not (String.contains spec '.') -> zeros (String.length spec) (Int64.to_string value)
    | 'F' | 'f' | 'E' | 'e' | 'P' | 'p' | '0' | '#' -> spec_float spec (Int64.to_float value)
    | _ -> Int64.to_string value
