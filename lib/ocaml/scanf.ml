(* Formatted input

   The text of the format says what to read, step by step; what was found is a list of values, to
   which the shape of the format applies the receiver (see [Oxbow_scan]). *)

[@@@hidden "outcome bad quoted mismatch too_short ends_early"]
[@@@hidden "skip_blanks match_exactly match_char match_text store drop finish_token is_decimal"]
[@@@hidden "is_octal is_binary is_hexadecimal digits some_digits decimal_digits"]
[@@@hidden "some_decimal_digits hexadecimal_digits octal_digits sign signed_decimal any_integer"]
[@@@hidden "integer fraction exponent point_and_more plain_float bad_hexadecimal word goes_on"]
[@@@hidden "hexadecimal_float bad_float source_float_rest source_float text_to_blank text_to"]
[@@@hidden "inside a_char a_string value_of_digit escaped_char source_char source_string"]
[@@@hidden "set_chars boolean text_value"]
[@@@hidden "read_value read_format scan attempt scan_with report"]
[@@@hidden "Scanning.create Scanning.of_channel Scanning.has_char Scanning.current"]
[@@@hidden "Scanning.take Scanning.checked Scanning.line_count"]
[@@@abstract "outcome Scanning.in_channel"]

module Scanning = struct
  type in_channel = {
    mutable text : string;  (** what has come and not been taken begins at [at] *)
    mutable at : int;
    mutable limit : int;
    mutable is_seen : bool;  (** has somebody looked at the character at [at]? *)
    mutable chars : int;  (** how many were taken *)
    mutable lines : int;
    mutable tokens : int;
    more : in_channel -> bool;  (** gets some more text *)
    token : Buffer.t;
    name : string;
    source : Stdlib.in_channel option;
  }

  type scanbuf = in_channel
  type file_name = string

  let create text more name source =
    {
      text;
      at = 0;
      limit = String.length text;
      is_seen = false;
      chars = 0;
      lines = 0;
      tokens = 0;
      more;
      token = Buffer.create 16;
      name;
      source;
    }

  let from_string text = create text (fun _ -> false) "unnamed character string" None

  let from_function next =
    let more input =
      match next () with
      | c ->
          input.text <- String.make 1 c;
          input.at <- 0;
          input.limit <- 1;
          true
      | exception End_of_file -> false
    in
    create "" more "unnamed function" None

  let of_channel name channel at_end =
    let bytes = Bytes.create 1024 in
    let is_done = ref false in
    let more input =
      (not !is_done)
      &&
      let n = Stdlib.input channel bytes 0 1024 in
      if n = 0 then begin
        is_done := true;
        at_end channel;
        false
      end
      else begin
        input.text <- Bytes.sub_string bytes 0 n;
        input.at <- 0;
        input.limit <- n;
        true
      end
    in
    create "" more name (Some channel)

  let from_channel channel = of_channel "unnamed Stdlib input channel" channel ignore
  let stdin = of_channel "-" Stdlib.stdin ignore

  let open_in name =
    if name = "-" then stdin else of_channel name (Stdlib.open_in name) Stdlib.close_in

  let open_in_bin name =
    if name = "-" then stdin else of_channel name (Stdlib.open_in_bin name) Stdlib.close_in

  let from_file = open_in
  let from_file_bin = open_in_bin

  let close_in input =
    match input.source with None -> () | Some channel -> Stdlib.close_in channel

  let name_of_input input = input.name

  (* Is there a character to look at? *)
  let has_char input =
    if input.at < input.limit || input.more input then begin
      input.is_seen <- true;
      true
    end
    else false

  (* Only after [has_char]. *)
  let current input = String.unsafe_get input.text input.at

  let take input =
    if current input = '\n' then input.lines <- input.lines + 1;
    input.at <- input.at + 1;
    input.chars <- input.chars + 1;
    input.is_seen <- false

  let checked input = if has_char input then current input else raise End_of_file
  let end_of_input input = not (has_char input)

  (* One that was looked at counts. *)
  let beginning_of_input input = input.chars = 0 && not input.is_seen

  let line_count input =
    if input.is_seen && current input = '\n' then input.lines + 1 else input.lines
end

open Scanning
open Oxbow_scan_steps

type ('a, 'b, 'c, 'd) scanner = ('a, Scanning.in_channel, 'b, 'c, 'a -> 'd, 'd) format6 -> 'c

type ('a, 'b, 'c, 'd) scanner_opt =
  ('a, Scanning.in_channel, 'b, 'c, 'a -> 'd option, 'd) format6 -> 'c

exception Scan_failure of string

let bad text = raise (Scan_failure text)
let quoted c = "'" ^ Char.escaped c ^ "'"
let mismatch wanted found = bad ("looking for " ^ quoted wanted ^ ", found " ^ quoted found)

let too_short what =
  bad ("scanning of " ^ what ^ " failed: the specified length was too short for token")

let ends_early what =
  bad ("scanning of " ^ what ^ " failed: premature end of file occurred before end of token")

(* Plain characters *)

let rec skip_blanks input =
  if has_char input then
    match current input with
    | ' ' | '\t' | '\n' | '\r' ->
        take input;
        skip_blanks input
    | _ -> ()

let match_exactly input c =
  let found = checked input in
  if found = c then take input else mismatch c found

let match_char input c =
  match c with
  | ' ' -> skip_blanks input
  | '\n' -> (
      match checked input with
      | '\n' -> take input
      | '\r' ->
          take input;
          match_exactly input '\n'
      | found -> mismatch '\n' found)
  | c -> match_exactly input c

let match_text input text =
  for i = 0 to String.length text - 1 do
    match_char input (String.unsafe_get text i)
  done

(* Tokens. Functions that read part of one take the room that is left for it, and give what is
   left after them. *)

let store input width c =
  Buffer.add_char input.token c;
  take input;
  width - 1

let drop input width =
  take input;
  width - 1

let finish_token input =
  let text = Buffer.contents input.token in
  Buffer.clear input.token;
  input.tokens <- input.tokens + 1;
  text

let is_decimal c = c >= '0' && c <= '9'
let is_octal c = c >= '0' && c <= '7'
let is_binary c = c = '0' || c = '1'

let is_hexadecimal c =
  match c with '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> true | _ -> false

let rec digits is_digit input width =
  if width = 0 || not (has_char input) then width
  else
    let c = current input in
    if is_digit c then digits is_digit input (store input width c)
    else if c = '_' then digits is_digit input (drop input width)
    else width

let some_digits is_digit basis input width =
  if width = 0 then too_short "digits";
  let c = checked input in
  if is_digit c then digits is_digit input (store input width c)
  else bad ("character " ^ quoted c ^ " is not a valid " ^ basis ^ " digit")

let decimal_digits input width = digits is_decimal input width

let check_decimal input width =
  if width = 0 then too_short "decimal digits";
  let c = checked input in
  if not (is_decimal c) then bad ("character " ^ quoted c ^ " is not a decimal digit")

let some_decimal_digits input width =
  check_decimal input width;
  decimal_digits input (store input width (current input))

let hexadecimal_digits input width = some_digits is_hexadecimal "hexadecimal" input width
let octal_digits input width = some_digits is_octal "octal" input width

let sign input width =
  match checked input with ('+' | '-') as c -> store input width c | _ -> width

let signed_decimal input width = some_decimal_digits input (sign input width)

let any_integer input width =
  let width = sign input width in
  if checked input <> '0' then some_decimal_digits input width
  else
    let width = store input width '0' in
    if width = 0 || not (has_char input) then width
    else
      match current input with
      | ('x' | 'X') as c -> hexadecimal_digits input (store input width c)
      | 'o' as c -> octal_digits input (store input width c)
      | 'b' as c -> some_digits is_binary "binary" input (store input width c)
      | _ -> decimal_digits input width

(* The token of an integer conversion, as [int_of_string] reads it. *)
let integer input letter width =
  match letter with
  | 'd' ->
      ignore (signed_decimal input width);
      finish_token input
  | 'i' ->
      ignore (any_integer input width);
      finish_token input
  | 'u' ->
      ignore (some_decimal_digits input width);
      "0u" ^ finish_token input
  | 'o' ->
      ignore (octal_digits input width);
      "0o" ^ finish_token input
  | _ ->
      ignore (hexadecimal_digits input width);
      "0x" ^ finish_token input

(* The same number for [%d], without a token. It is built below zero, where there is one
   number more. *)
let decimal_int input width =
  let lowest = min_int / 10 in
  let rec more value width =
    if width = 0 || not (has_char input) then value
    else
      match current input with
      | '0' .. '9' as c ->
          let digit = Char.code c - 48 in
          let fits = value > lowest || (value = lowest && digit <= 4) in
          take input;
          (* One is no value of a number that is built below zero. *)
          more (if value <> 1 && fits then (value * 10) - digit else 1) (width - 1)
      | '_' ->
          take input;
          more value (width - 1)
      | _ -> value
  in
  check_decimal input width;
  let value = more 0 width in
  input.tokens <- input.tokens + 1;
  value

let plain_int input width =
  let sign = checked input in
  let width = if sign = '-' || sign = '+' then drop input width else width in
  let value = decimal_int input width in
  if value = 1 || (sign <> '-' && value = min_int) then failwith "int_of_string";
  if sign = '-' then value else -value

(* Floats *)

let fraction input width =
  if width = 0 || not (has_char input) then width
  else
    match current input with
    | '0' .. '9' as c -> decimal_digits input (store input width c)
    | _ -> width

let exponent input width =
  if width = 0 || not (has_char input) then width
  else
    match current input with
    | ('e' | 'E') as c -> signed_decimal input (store input width c)
    | _ -> width

(* Behind a point: at most [precision] digits. *)
let point_and_more after input width precision =
  let width = store input width '.' in
  let precision = min width precision in
  width - (precision - after input precision)

let plain_float input width precision =
  let width = decimal_digits input (sign input width) in
  if width = 0 || not (has_char input) then width
  else if current input = '.' then
    exponent input (point_and_more fraction input width precision)
  else exponent input width

let bad_hexadecimal () = bad "not a valid float in hexadecimal notation"

let rec word wrong text i input width =
  if i = String.length text then width
  else begin
    if not (has_char input) then wrong ();
    let c = current input in
    if Char.lowercase_ascii c <> text.[i] || width = 0 then wrong ();
    word wrong text (i + 1) input (store input width c)
  end

(* Is there room, and something to read? *)
let goes_on input width = width <> 0 && has_char input

let hexadecimal_float input width precision =
  let need width = if not (goes_on input width) then bad_hexadecimal () in
  need width;
  let width = sign input width in
  need width;
  match current input with
  | '0' as c -> (
      let width = store input width c in
      need width;
      let width = word bad_hexadecimal "x" 0 input width in
      let width =
        if not (goes_on input width) then width
        else match current input with '.' | 'p' | 'P' -> width | _ -> hexadecimal_digits input width
      in
      let width =
        if goes_on input width && current input = '.' then begin
          let width = store input width '.' in
          if not (goes_on input width) then width
          else
            match current input with
            | 'p' | 'P' -> width
            | _ ->
                let precision = min width precision in
                width - (precision - hexadecimal_digits input precision)
        end
        else width
      in
      if not (goes_on input width) then width
      else
        match current input with
        | ('p' | 'P') as c ->
            let width = store input width c in
            need width;
            signed_decimal input width
        | _ -> width)
  | ('n' | 'N') as c ->
      let width = store input width c in
      need width;
      word bad_hexadecimal "an" 0 input width
  | ('i' | 'I') as c ->
      let width = store input width c in
      need width;
      word bad_hexadecimal "nfinity" 0 input width
  | _ -> bad_hexadecimal ()

let bad_float () = bad "no dot or exponent part found in float token"

let source_float_rest input width precision =
  let need width = if not (goes_on input width) then bad_float () in
  need width;
  let width = decimal_digits input width in
  need width;
  match current input with
  | '.' -> exponent input (point_and_more fraction input width precision)
  | 'e' | 'E' -> exponent input width
  | _ -> bad_float ()

let source_float input width precision =
  let need width = if not (goes_on input width) then bad_float () in
  need width;
  let width = sign input width in
  need width;
  match current input with
  | '0' as c -> (
      let width = store input width c in
      need width;
      match current input with
      | ('x' | 'X') as c -> (
          let width = store input width c in
          need width;
          let width = hexadecimal_digits input width in
          need width;
          let width =
            match current input with
            | '.' -> (
                let width = store input width '.' in
                if not (goes_on input width) then width
                else
                  match current input with
                  | 'p' | 'P' -> width
                  | _ ->
                      let precision = min width precision in
                      width - (precision - hexadecimal_digits input precision))
            | 'p' | 'P' -> width
            | _ -> bad_float ()
          in
          if not (goes_on input width) then width
          else
            match current input with
            | ('p' | 'P') as c ->
                let width = store input width c in
                if not (goes_on input width) then bad_hexadecimal ();
                signed_decimal input width
            | _ -> width)
      | _ -> source_float_rest input width precision)
  | '1' .. '9' as c ->
      let width = store input width c in
      need width;
      source_float_rest input width precision
  | _ -> bad_float ()

(* Text *)

let rec text_to_blank input width =
  if width <> 0 && has_char input then begin
    let start = input.at in
    let limit = if width < input.limit - start then start + width else input.limit in
    let rec find i =
      if i = limit then i
      else match String.unsafe_get input.text i with ' ' | '\t' | '\n' | '\r' -> i | _ -> find (i + 1)
    in
    let last = find start in
    if last > start then begin
      let count = last - start in
      Buffer.add_substring input.token input.text start count;
      input.at <- last;
      input.chars <- input.chars + count;
      input.is_seen <- false;
      text_to_blank input (width - count)
    end
  end

let rec text_to stop input width =
  if width <> 0 && has_char input then begin
    let c = current input in
    if c = stop then take input else text_to stop input (store input width c)
  end

(* A character of a token that has room for it. *)
let inside what input width =
  if width = 0 then too_short what;
  if not (has_char input) then ends_early what;
  current input

let a_char input width = inside "a Char" input width
let a_string input width = inside "a String" input width

let value_of_digit c =
  match c with
  | '0' .. '9' -> Char.code c - 48
  | 'a' .. 'f' -> Char.code c - 87
  | _ -> Char.code c - 55

(* Behind a backslash. *)
let escaped_char input width =
  let digit is_digit width =
    let c = a_char input width in
    if not (is_digit c) then bad ("illegal escape character " ^ quoted c);
    c
  in
  match a_char input width with
  | ('\\' | '\'' | '"') as c -> store input width c
  | 'n' -> store input width '\n'
  | 't' -> store input width '\t'
  | 'b' -> store input width '\b'
  | 'r' -> store input width '\r'
  | '0' .. '9' as first ->
      let width = drop input width in
      let second = digit is_decimal width in
      let width = drop input width in
      let third = digit is_decimal width in
      let code =
        (100 * value_of_digit first) + (10 * value_of_digit second) + value_of_digit third
      in
      if code > 255 then
        bad
          ("bad character decimal encoding \\" ^ String.make 1 first ^ String.make 1 second
         ^ String.make 1 third);
      store input width (Char.chr code)
  | 'x' ->
      let width = drop input width in
      let first = digit is_hexadecimal width in
      let width = drop input width in
      let second = digit is_hexadecimal width in
      store input width (Char.chr ((16 * value_of_digit first) + value_of_digit second))
  | c -> bad ("illegal escape character " ^ quoted c)

let source_char input width =
  let delimiter c = if c <> '\'' then mismatch '\'' c in
  delimiter (checked input);
  let width = drop input width in
  let width =
    match a_char input width with
    | '\\' -> escaped_char input (drop input width)
    | c -> store input width c
  in
  delimiter (a_char input width);
  take input

let source_string input width =
  let rec rest width =
    match a_string input width with
    | '"' -> take input
    | '\\' -> escape (drop input width)
    | c -> rest (store input width c)
  and escape width =
    match a_string input width with
    | '\r' -> (
        let width = drop input width in
        match a_string input width with
        | '\n' -> indent (drop input width)
        | _ ->
            Buffer.add_char input.token '\r';
            rest (width - 1))
    | '\n' -> indent (drop input width)
    | _ -> rest (escaped_char input width)
  and indent width =
    match a_string input width with ' ' -> indent (drop input width) | _ -> rest width
  in
  let c = checked input in
  if c <> '"' then mismatch '"' c;
  rest (drop input width)

(* Reading *)

let rec set_chars set stop input width =
  if width <> 0 && has_char input then begin
    let c = current input in
    let is_stop = match stop with At it -> it = c | Blank -> false in
    if set.[Char.code c] <> '\000' && not is_stop then
      set_chars set stop input (store input width c)
  end

let boolean input width =
  let room =
    match checked input with
    | 't' -> 4
    | 'f' -> 5
    | c -> bad ("the character " ^ quoted c ^ " cannot start a boolean")
  in
  text_to_blank input (min width room);
  match finish_token input with
  | "true" -> true
  | "false" -> false
  | text -> bad ("invalid boolean '" ^ text ^ "'")

let text_value input =
  let text = finish_token input in
  Value_string text

let read_value input it =
  match it.letter with
  | 'd' -> Value_int (plain_int input it.width)
  | 'u' | 'i' | 'x' | 'X' | 'o' -> Value_int (int_of_string (integer input it.letter it.width))
  | 'l' -> Value_int32 (Int32.of_string (integer input it.base it.width))
  | 'n' -> Value_nativeint (Nativeint.of_string (integer input it.base it.width))
  | 'L' -> Value_int64 (Int64.of_string (integer input it.base it.width))
  | 'f' | 'e' | 'E' | 'g' | 'G' ->
      ignore (plain_float input it.width it.precision);
      Value_float (float_of_string (finish_token input))
  | 'h' | 'H' ->
      ignore (hexadecimal_float input it.width it.precision);
      Value_float (float_of_string (finish_token input))
  | 'F' ->
      ignore (source_float input it.width it.precision);
      Value_float (float_of_string (finish_token input))
  | 'b' | 'B' -> Value_bool (boolean input it.width)
  | 'c' ->
      let c = checked input in
      take input;
      input.tokens <- input.tokens + 1;
      Value_char c
  | 'C' ->
      source_char input max_int;
      Value_char (finish_token input).[0]
  | 'S' ->
      source_string input it.width;
      text_value input
  | '[' -> (
      set_chars it.set it.stop input it.width;
      match it.stop with
      | At stop when has_char input ->
          if current input = stop then take input else mismatch stop (current input);
          text_value input
      | _ -> text_value input)
  | _ ->
      (match it.stop with
      | Blank -> text_to_blank input it.width
      | At stop -> text_to stop input it.width);
      text_value input

(* The text of a format of the type that is asked for. *)
let read_format input it =
  source_string input it.room;
  let text = finish_token input in
  let parts = Oxbow_scan.parts_of text in
  if Oxbow_scan.type_of_parts parts <> it.of_type then Oxbow_scan.mismatch text it.of_type;
  (text, parts)

(* The values that the steps find, before those that were found, the last one first. *)
let rec scan input steps readers found =
  match steps with
  | [] -> found
  | Match text :: rest ->
      match_text input text;
      scan input rest readers found
  | Read it :: rest ->
      let value = read_value input it in
      scan input rest readers (if it.is_forgotten then found else value :: found)
  | At_end :: rest ->
      if has_char input then bad "end of input not found";
      scan input rest readers found
  | Next_char :: rest ->
      let c = checked input in
      scan input rest readers (Value_char c :: found)
  | Count what :: rest ->
      let count =
        match what with 'l' -> line_count input | 'n' -> input.chars | _ -> input.tokens
      in
      scan input rest readers (Value_int count :: found)
  | User _ :: rest -> (
      match readers with
      | [] -> assert false
      | read :: readers ->
          read input;
          scan input rest readers found)
  | Format it :: rest ->
      let text, parts = read_format input it in
      let rest = if it.goes_on_with_it then steps_of parts @ rest else rest in
      scan input rest readers (if it.no_value then found else Value_string text :: found)
  | Refused message :: _ -> raise (Invalid_argument message)

type outcome = Found of format_values | Failed of exn

let attempt input text readers =
  Buffer.clear input.token;
  match scan input (steps_of_text text) readers [] with
  | found -> Found { format_values = List.rev found }
  | exception ((Scan_failure _ | Failure _ | End_of_file) as error) -> Failed error
  | exception Invalid_argument message ->
      invalid_arg (message ^ " in format \"" ^ String.escaped text ^ "\"")

let scan_with succeed fail input
    (format : ('a, Scanning.in_channel, 'b, 'c, 'a -> 'r, 'd) format6) : 'c =
  match format.format_shape () with
  | Shape_unread -> assert false
  | Shape_known shape ->
      shape.shape_read (fun readers apply f ->
          match attempt input format.format_text readers with
          | Found values -> succeed (apply values f)
          | Failed error -> fail input error)

let report input error =
  match error with
  | Scan_failure text | Failure text ->
      bad ("scanf: bad input at char number " ^ string_of_int input.chars ^ ": " ^ text)
  | error -> raise error

let kscanf input fail (format : ('a, Scanning.in_channel, 'b, 'c, 'a -> 'd, 'd) format6) : 'c =
  scan_with (fun result -> result) fail input format

let bscanf input (format : ('a, Scanning.in_channel, 'b, 'c, 'a -> 'd, 'd) format6) : 'c =
  scan_with (fun result -> result) report input format

let sscanf text (format : ('a, Scanning.in_channel, 'b, 'c, 'a -> 'd, 'd) format6) : 'c =
  bscanf (from_string text) format

let ksscanf text fail (format : ('a, Scanning.in_channel, 'b, 'c, 'a -> 'd, 'd) format6) : 'c =
  kscanf (from_string text) fail format

let scanf (format : ('a, Scanning.in_channel, 'b, 'c, 'a -> 'd, 'd) format6) : 'c =
  bscanf stdin format

let bscanf_opt input (format : ('a, Scanning.in_channel, 'b, 'c, 'a -> 'd option, 'd) format6) : 'c
    =
  scan_with (fun result -> Some result) (fun _ _ -> None) input format

let sscanf_opt text (format : ('a, Scanning.in_channel, 'b, 'c, 'a -> 'd option, 'd) format6) : 'c =
  bscanf_opt (from_string text) format

let scanf_opt (format : ('a, Scanning.in_channel, 'b, 'c, 'a -> 'd option, 'd) format6) : 'c =
  bscanf_opt stdin format

(* Formats from input *)

let bscanf_format input (format : ('a, 'b, 'c, 'd, 'e, 'f) format6) receive =
  source_string input max_int;
  let text = finish_token input in
  receive (try Oxbow_scan.of_string text format with Failure message -> bad message)

let sscanf_format text (format : ('a, 'b, 'c, 'd, 'e, 'f) format6) receive =
  bscanf_format (from_string text) format receive

let format_from_string text (format : ('a, 'b, 'c, 'd, 'e, 'f) format6) :
    ('a, 'b, 'c, 'd, 'e, 'f) format6 =
  try Oxbow_scan.of_string text format with Failure message -> bad message

let unescaped text = sscanf ("\"" ^ text ^ "\"") "%S%!" (fun text -> text)
