(* Ports: files, the standard streams, strings, bytevectors; and the reader of data. *)

open Eshkol_value

let make_port input output source target binary =
  { input; output; is_open = true; source; target; buffer = bytes_create 0; position = 0; limit = 0; column = 0; folds = false; binary }

let stdout_port = Port (make_port false true None (Some stdout) false)
let stderr_port = Port (make_port false true None (Some stderr) false)
let stdin_port = Port (make_port true false (Some stdin) None false)
let current_output = Param { value = stdout_port; converter = Absent }
let current_error = Param { value = stderr_port; converter = Absent }
let current_input = Param { value = stdin_port; converter = Absent }
let get_current_output () = current_output
let get_current_error () = current_error
let get_current_input () = current_input
let param_port p = match p with Param p -> p.value | _ -> p

let file_error place message name = fail (Err { kind = kind_file; message = string_of_utf8 message; irritants = cons name Nil; place = known_place place })

let output_port place who v =
  match (match v with Absent -> param_port current_output | _ -> v) with
  | Port p -> if p.output && p.is_open then p else domain place who "the port is not open for output:" v
  | other -> wrong place who "an output port" other

let input_port place who v =
  match (match v with Absent -> param_port current_input | _ -> v) with
  | Port p -> if p.input && p.is_open then p else domain place who "the port is not open for input:" v
  | other -> wrong place who "an input port" other

(* Writing *)

let add_to_buffer p text =
  let n = string_length text in
  if p.limit + n > byte_length p.buffer then begin
    let bigger = bytes_create ((p.limit + n) * 2) in
    copy_bytes p.buffer 0 bigger 0 p.limit;
    p.buffer <- bigger
  end;
  bytes_unsafe_blit_string text 0 p.buffer p.limit n;
  p.limit <- p.limit + n

let put p text =
  let n = string_length text in
  if n > 0 then begin
    p.column <- (if string_unsafe_get text (n - 1) = '\n' then 0 else 1);
    match p.target with Some channel -> output_string channel text | None -> add_to_buffer p text
  end

let display place v port = put (output_port place "display" port) (Eshkol_print.display_text v)
let write place v port = put (output_port place "write" port) (Eshkol_print.write_text v)
let write_shared place v port = put (output_port place "write-shared" port) (Eshkol_print.shared_text v)
let newline place port = put (output_port place "newline" port) "\n"
let fresh_line place port = let p = output_port place "fresh-line" port in if p.column <> 0 then put p "\n"

let write_string place v port start until =
  put (output_port place "write-string" port) (utf8_of (Eshkol_text.string_sub place "write-string" v start until))

let write_char place v port =
  let b = builder () in
  put_utf8 b (Eshkol_text.char_code place "write-char" v);
  put (output_port place "write-char" port) (builder_bytes b)

let write_u8 place v port =
  let b = builder () in
  add_byte b (Eshkol_text.byte_of place "write-u8" v);
  put (output_port place "write-u8" port) (builder_bytes b)

let write_bytevector place v port start until =
  match Eshkol_text.bytevector_copy place v start until with
  | Bytes b -> put (output_port place "write-bytevector" port) (bytes_unsafe_to_string b)
  | _ -> ()

let flush_output place port = match (output_port place "flush-output-port" port).target with Some channel -> flush channel | None -> ()

(* [display] and [write] of every argument, and a line end: print *)
let rec display_all place items = match items with Pair p -> display place p.car Absent; display_all place p.cdr | _ -> ()

(* Opening *)

let path_of place who v = match v with Str _ -> utf8_of v | _ -> wrong place who "a file name" v

let open_input place v binary =
  let name = path_of place "open-input-file" v in
  match open_in_bin name with
  | channel -> Port (make_port true false (Some channel) None binary)
  | exception Sys_error _ -> file_error place "cannot open the file for reading:" v

let open_input_file place v = open_input place v false
let open_binary_input_file place v = open_input place v true

let open_output place v binary =
  let name = path_of place "open-output-file" v in
  match open_out_bin name with
  | channel -> Port (make_port false true None (Some channel) binary)
  | exception Sys_error _ -> file_error place "cannot open the file for writing:" v

let open_output_file place v = open_output place v false
let open_binary_output_file place v = open_output place v true

(* For procedures of the library that know the place of their call. *)
let open_input_file_at place v = open_input_file (utf8_of place) v
let open_output_file_at place v = open_output_file (utf8_of place) v

let open_input_string place v =
  let text = match v with Str _ -> utf8_of v | _ -> wrong place "open-input-string" "a string" v in
  let p = make_port true false None None false in
  p.buffer <- copy_of_string text;
  p.limit <- string_length text;
  Port p

let open_output_string () = Port (make_port false true None None false)

let written p =
  let made = bytes_create p.limit in
  copy_bytes p.buffer 0 made 0 p.limit;
  made

let get_output_string place v =
  match v with
  | Port p -> string_of_utf8 (bytes_unsafe_to_string (written p))
  | _ -> wrong place "get-output-string" "a string port" v

let open_input_bytevector place v =
  let b = Eshkol_text.bytes_of place "open-input-bytevector" v in
  let p = make_port true false None None true in
  p.buffer <- b;
  p.limit <- byte_length b;
  Port p

let open_output_bytevector () = Port (make_port false true None None true)
let get_output_bytevector place v = match v with Port p -> Bytes (written p) | _ -> wrong place "get-output-bytevector" "a port" v

let close_port place v =
  match v with
  | Port p ->
      if p.is_open then begin
        p.is_open <- false;
        (match p.source with Some channel -> close_in channel | None -> ());
        match p.target with Some channel -> close_out channel | None -> ()
      end
  | _ -> wrong place "close-port" "a port" v

let is_port v = match v with Port _ -> true | _ -> false
let is_input_port v = match v with Port p -> p.input | _ -> false
let is_output_port v = match v with Port p -> p.output | _ -> false
let is_textual_port v = match v with Port p -> not p.binary | _ -> false
let is_binary_port v = match v with Port p -> p.binary | _ -> false
let is_open_port place v = match v with Port p -> p.is_open | _ -> wrong place "input-port-open?" "a port" v

external file_there : string -> bool = "%sys.file_exists"
external remove_file : string -> int = "%sys.remove"

let file_exists place v = file_there (path_of place "file-exists?" v)
let delete_file place v = if remove_file (path_of place "delete-file" v) <> 0 then file_error place "cannot delete the file:" v

(* Reading bytes; -1 at the end *)

let refill p =
  match p.source with
  | None -> false
  | Some channel ->
      if byte_length p.buffer < 65536 then p.buffer <- bytes_create 65536;
      let n = input channel p.buffer 0 65536 in
      p.position <- 0;
      p.limit <- n;
      n > 0

let peek_byte p = if p.position < p.limit || refill p then narrow_get p.buffer p.position else -1

let next_byte p =
  let c = peek_byte p in
  if c >= 0 then p.position <- p.position + 1;
  c

(* The next character of UTF-8 text. *)
let next_code p =
  let c = next_byte p in
  if c < 0x80 then c
  else
    let extra = if c >= 0xF0 then 3 else if c >= 0xE0 then 2 else if c >= 0xC0 then 1 else 0 in
    let rec more k v = if k = 0 then v else let b = peek_byte p in if b land 0xC0 <> 0x80 then v else (ignore (next_byte p); more (k - 1) ((v lsl 6) lor (b land 0x3F))) in
    if extra = 0 then c else more extra (c land (0x3F lsr extra))

let peek_code p =
  let c = peek_byte p in
  if c < 0x80 then c
  else begin
    (* A character of several bytes must not be split by the end of the buffer. *)
    (match p.source with
    | Some channel when p.limit - p.position < 4 && p.limit > 0 ->
        let left = p.limit - p.position in
        let bigger = bytes_create 65536 in
        copy_bytes p.buffer p.position bigger 0 left;
        let n = input channel bigger left (65536 - left) in
        p.buffer <- bigger;
        p.position <- 0;
        p.limit <- left + n
    | _ -> ());
    let at = p.position in
    let c = next_code p in
    p.position <- at;
    c
  end

let read_char place port = let c = next_code (input_port place "read-char" port) in if c < 0 then Eof else of_char c
let peek_char place port = let c = peek_code (input_port place "peek-char" port) in if c < 0 then Eof else of_char c
let read_u8 place port = let c = next_byte (input_port place "read-u8" port) in if c < 0 then Eof else of_int c
let peek_u8 place port = let c = peek_byte (input_port place "peek-u8" port) in if c < 0 then Eof else of_int c
let is_char_ready place port = let _ = input_port place "char-ready?" port in true

let read_line place port =
  let p = input_port place "read-line" port in
  if peek_byte p < 0 then Eof
  else begin
    let b = builder () in
    let rec go () =
      let c = next_code p in
      if c >= 0 && c <> 10 then (add_code b c; go ())
    in
    go ();
    if b.used > 0 && text_get b.chars b.broad (b.used - 1) = 13 then b.used <- b.used - 1;
    built b
  end

let read_string place k port =
  let k, port = if is_int k then (k, port) else (port, k) in
  let p = input_port place "read-string" port in
  let n = Eshkol_data.natural place "read-string" k in
  if n > 0 && peek_byte p < 0 then Eof
  else begin
    let b = builder () in
    let rec go i = if i < n then let c = next_code p in if c >= 0 then (add_code b c; go (i + 1)) in
    go 0;
    built b
  end

let read_all place port =
  let p = input_port place "read-all" port in
  let b = builder () in
  let rec go () = let c = next_code p in if c >= 0 then (add_code b c; go ()) in
  go ();
  built b

let read_bytevector place k port =
  let p = input_port place "read-bytevector" port in
  let n = Eshkol_data.natural place "read-bytevector" k in
  if n > 0 && peek_byte p < 0 then Eof
  else begin
    let b = builder () in
    let rec go i = if i < n then let c = next_byte p in if c >= 0 then (add_byte b c; go (i + 1)) in
    go 0;
    Bytes (copy_of_string (builder_bytes b))
  end

(* The reader of data *)

let read_error place message = fail (Err { kind = kind_read; message = string_of_utf8 message; irritants = Nil; place = known_place place })
let is_delimiter c = c < 0 || c <= 32 || c = 40 || c = 41 || c = 34 || c = 59 || c = 39 || c = 91 || c = 93

let rec skip_blanks place p =
  let c = peek_code p in
  if c >= 0 && (c <= 32 || Eshkol_text.is_blank_code c) then (ignore (next_code p); skip_blanks place p)
  else if c = 59 then (skip_line p; skip_blanks place p)

and skip_line p = let c = next_code p in if c >= 0 && c <> 10 then skip_line p

let token p first =
  let b = builder () in
  List.iter (fun c -> add_code b c) first;
  let rec go () = let c = peek_code p in if not (is_delimiter c) then (add_code b (next_code p); go ()) in
  go ();
  utf8_of (built b)

let rec block_comment place p depth =
  let c = next_code p in
  if c < 0 then read_error place "a comment does not end"
  else if c = 124 && peek_code p = 35 then (ignore (next_code p); if depth > 1 then block_comment place p (depth - 1))
  else if c = 35 && peek_code p = 124 then (ignore (next_code p); block_comment place p (depth + 1))
  else block_comment place p depth

(* A closing parenthesis is [Absent]. *)
let labels : (int * dyn) list ref = ref []

let has_bar text = Eshkol_number_text.index_of text '|' >= 0
let folded text = utf8_of (Eshkol_text.string_foldcase "" (string_of_utf8 text))

let rec read_datum place p =
  skip_blanks place p;
  let c = next_code p in
  if c < 0 then Eof
  else if c = 40 || c = 91 then read_list place p
  else if c = 41 || c = 93 then Absent
  else if c = 39 then quoted place p "quote"
  else if c = 96 then quoted place p "quasiquote"
  else if c = 44 then
    if peek_code p = 64 then (ignore (next_code p); quoted place p "unquote-splicing") else quoted place p "unquote"
  else if c = 34 then read_text place p 34
  else if c = 124 then intern (barred place p "|")
  else if c = 35 then read_hash place p
  else
    let text = token p [ c ] in
    if has_bar text then intern (barred place p text)
    else
      match Eshkol_number_text.literal text with
      | False -> intern (if p.folds then folded text else text)
      | number -> number

(* A name with parts between bars: a part may hold what ends a token. *)
and barred place p text =
  let b = builder () in
  let rec outside s =
    let n = string_length s in
    let at = Eshkol_number_text.index_of s '|' in
    if at < 0 then add_utf8 b (if p.folds then folded s else s)
    else begin
      let before = Eshkol_number_text.slice s 0 at in
      add_utf8 b (if p.folds then folded before else before);
      inside (Eshkol_number_text.slice s (at + 1) (n - at - 1))
    end
  and inside s =
    (* What the token holds of the part is read again, before what follows it. *)
    let q = { p with buffer = copy_of_string s; position = 0; limit = string_length s; source = None } in
    let rec go () =
      let from = if q.position < q.limit then q else p in
      let c = next_code from in
      if c < 0 then read_error place "a symbol does not end"
      else if c = 124 then ()
      else if c = 92 then begin
        escape place from b;
        go ()
      end
      else (add_code b c; go ())
    in
    go ();
    let rest = Eshkol_number_text.slice s q.position (q.limit - q.position) in
    outside (rest ^ token p [])
  in
  outside text;
  utf8_of (built b)

and quoted place p name =
  match read_datum place p with
  | Eof | Absent -> read_error place "nothing follows a quote"
  | datum -> cons (intern name) (cons datum Nil)

and read_list place p = read_items place p false

and read_items place p has_items =
  match read_datum place p with
  | Absent -> Nil
  | Eof -> read_error place "a list does not end"
  | dot when is_symbol dot && symbol_name dot = "." -> (
      if not has_items then read_error place "nothing stands before a dot"
      else
        match read_datum place p with
        | Absent | Eof -> read_error place "nothing follows a dot"
        | tail -> ( match read_datum place p with Absent -> tail | _ -> read_error place "more than one datum after a dot"))
  | first -> cons first (read_items place p true)

(* What stands behind a backslash in a string or a symbol. *)
and escape place p b =
  match next_code p with
  | 110 -> add_code b 10
  | 116 -> add_code b 9
  | 114 -> add_code b 13
  | 97 -> add_code b 7
  | 98 -> add_code b 8
  | 120 | 88 ->
      let rec hex v count =
        let c = next_code p in
        let d = if c < 0 || c > 127 then -1 else Eshkol_number_text.digit_of (chr c) 16 in
        if c = 59 && count > 0 then v
        else if d < 0 || v > 0x10FFFF then read_error place "an escape in a string is \\x, digits and a semicolon"
        else hex ((v * 16) + d) (count + 1)
      in
      let c = hex 0 0 in
      if c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF) then read_error place "an escape in a string is no character"
      else add_code b c
  | c when c = 10 || c = 32 || c = 9 || c = 13 ->
      (* The end of the line, with the blanks around it *)
      let rec blanks c = if c = 32 || c = 9 then blanks (next_code p) else c in
      let c = blanks c in
      let c = if c = 13 && peek_code p = 10 then next_code p else c in
      if c <> 10 && c <> 13 then read_error place "blanks behind a backslash do not end the line"
      else
        let rec skip () = let c = peek_code p in if c = 32 || c = 9 then (ignore (next_code p); skip ()) in
        skip ()
  | 34 -> add_code b 34
  | 92 -> add_code b 92
  | 124 -> add_code b 124
  | 39 -> add_code b 39
  | c -> read_error place (if c < 0 then "a string does not end" else "unknown escape in a string")

(* Up to this character: a string or a symbol between bars. *)
and read_text place p last =
  let b = builder () in
  let rec go () =
    let c = next_code p in
    if c < 0 then read_error place (if last = 34 then "a string does not end" else "a symbol does not end")
    else if c = 92 then begin
      escape place p b;
      go ()
    end
    else if c <> last then (add_code b c; go ())
  in
  go ();
  built b

(* #n= names the datum that follows, #n# stands for it. Until it is read a box takes its place. *)
and read_label place p number =
  let c = next_code p in
  if c >= 48 && c <= 57 then read_label place p ((number * 10) + c - 48)
  else if c = 61 then begin
    let place_holder = Box { held = Undefined } in
    labels := (number, place_holder) :: !labels;
    let datum = read_datum place p in
    (match place_holder with Box b -> b.held <- datum | _ -> ());
    datum
  end
  else if c = 35 then
    let rec find = function
      | [] -> read_error place ("no datum has the label #" ^ string_of_int number ^ "=")
      | (n, holder) :: rest -> if n = number then holder else find rest
    in
    find !labels
  else read_error place ("unknown syntax #" ^ string_of_int number)

and read_hash place p =
  let c = peek_code p in
  if c >= 48 && c <= 57 then read_label place p 0
  else if c = 40 then (ignore (next_code p); Vec (Eshkol_data.array_of_list place "read" (read_list place p)))
  else if c = 59 then begin
    ignore (next_code p);
    match read_datum place p with
    | Absent | Eof -> read_error place "nothing follows #;"
    | _ -> read_datum place p
  end
  else if c = 33 then begin
    match token p [] with
    | "!fold-case" -> p.folds <- true; read_datum place p
    | "!no-fold-case" -> p.folds <- false; read_datum place p
    | text -> read_error place ("unknown syntax #" ^ text)
  end
  else if c = 124 then (ignore (next_code p); block_comment place p 1; read_datum place p)
  else if c = 92 then begin
    ignore (next_code p);
    let first = next_code p in
    let text = token p [ first ] in
    let rec named = function [] -> -1 | (k, name) :: rest -> if name = text then k else named rest in
    let k = named ((10, "linefeed") :: (0, "nul") :: (27, "altmode") :: Eshkol_print.char_names) in
    match string_of_utf8 text with
    | Str s when text_length s.text s.wide = 1 -> of_char first
    | _ ->
        if k >= 0 then of_char k
        else if first = 120 then
          match Eshkol_number_text.parse_natural (Eshkol_number_text.slice text 1 (string_length text - 1)) 16 with
          | False -> read_error place ("unknown character name " ^ text)
          | n -> Eshkol_text.integer_to_char place n
        else read_error place ("unknown character name " ^ text)
  end
  else
    let text = token p [] in
    match text with
    | "t" | "true" -> True
    | "f" | "false" -> False
    | "u8" when peek_code p = 40 ->
        ignore (next_code p);
        let bytes = read_list place p in
        let rec all_bytes v = match v with Pair b -> is_int b.car && to_int b.car >= 0 && to_int b.car < 256 && all_bytes b.cdr | v -> v == Nil in
        if all_bytes bytes then Eshkol_text.bytevector place bytes else read_error place "#u8( takes bytes"
    | _ -> ( match Eshkol_number_text.literal ("#" ^ text) with False -> read_error place ("unknown syntax #" ^ text) | n -> n)

(* Puts what labels name in the places of their boxes. *)
let resolve datum =
  let known = !labels in
  let rec held v = function [] -> v | (_, holder) :: rest -> if holder == v then (match v with Box b -> held b.held known | _ -> v) else held v rest in
  let seen = Eshkol_identity.marks () in
  let is_new v =
    Eshkol_identity.mark seen v == Nil
    && begin
         Eshkol_identity.set_mark seen v True;
         true
       end
  in
  let rec walk v =
    match v with
    | Pair p ->
        if is_new v then begin
          p.car <- held p.car known;
          p.cdr <- held p.cdr known;
          walk p.car;
          walk p.cdr
        end
    | Vec a ->
        if is_new v then begin
          for i = 0 to length_of a - 1 do
            set a i (held (get a i) known);
            walk (get a i)
          done
        end
    | _ -> ()
  in
  let datum = held datum known in
  walk datum;
  datum

let read place port =
  let p = input_port place "read" port in
  labels := [];
  match read_datum place p with
  | Absent -> read_error place "a closing parenthesis that nothing opens"
  | datum -> ( match !labels with [] -> datum | _ -> resolve datum)

(* A constant of the program that refers to itself. *)
let constant text = read "" (open_input_string "" (string_of_utf8 text))

(* Formats: ~a ~s ~d ~% ~~, and those of printf *)

let format_text place text args =
  let b = builder () in
  let n = string_length text in
  let next args = match args with Pair p -> p.car | _ -> domain place "format" "too few arguments for" (string_of_utf8 text) in
  let after args = match args with Pair p -> p.cdr | _ -> Nil in
  let rec go i args =
    if i < n then
      let c = string_unsafe_get text i in
      if c = '~' && i + 1 < n then
        match string_unsafe_get text (i + 1) with
        | 'a' | 'A' | 'd' | 'D' -> Eshkol_print.put b (Eshkol_print.display_text (next args)); go (i + 2) (after args)
        | 's' | 'S' | 'w' -> Eshkol_print.put b (Eshkol_print.write_text (next args)); go (i + 2) (after args)
        | 'b' | 'B' -> Eshkol_print.put b (Eshkol_number_text.text_of place (next args) 2); go (i + 2) (after args)
        | 'o' | 'O' -> Eshkol_print.put b (Eshkol_number_text.text_of place (next args) 8); go (i + 2) (after args)
        | 'x' | 'X' -> Eshkol_print.put b (Eshkol_number_text.text_of place (next args) 16); go (i + 2) (after args)
        | '%' | 'n' -> Eshkol_print.put b "\n"; go (i + 2) args
        | '~' -> Eshkol_print.put b "~"; go (i + 2) args
        | _ -> domain place "format" "unknown directive in" (string_of_utf8 text)
      else begin
        add_byte b (int_of_char c);
        go (i + 1) args
      end
  in
  go 0 args;
  builder_bytes b

let printf_text place text args =
  let b = builder () in
  let n = string_length text in
  let next args = match args with Pair p -> p.car | _ -> domain place "printf" "too few arguments for" (string_of_utf8 text) in
  let after args = match args with Pair p -> p.cdr | _ -> Nil in
  let rec spec i = if i >= n then i else let c = string_unsafe_get text i in if (c >= '0' && c <= '9') || c = '.' || c = '-' || c = '+' || c = ' ' || c = 'l' then spec (i + 1) else i in
  let pad text width left =
    let k = width - string_length text in
    if k <= 0 then text
    else
      let blanks = bytes_create k in
      for i = 0 to k - 1 do set_byte blanks i ' ' done;
      let blanks = bytes_unsafe_to_string blanks in
      if left then text ^ blanks else blanks ^ text
  in
  let rec go i args =
    if i < n then
      let c = string_unsafe_get text i in
      if c = '%' && i + 1 < n then begin
        let j = spec (i + 1) in
        let flags = Eshkol_number_text.slice text (i + 1) (j - i - 1) in
        let left = string_length flags > 0 && string_unsafe_get flags 0 = '-' in
        let digits = if left then Eshkol_number_text.slice flags 1 (string_length flags - 1) else flags in
        let width = match Eshkol_number_text.parse_natural digits 10 with False -> 0 | w -> to_int w in
        match if j < n then string_unsafe_get text j else '%' with
        | '%' -> Eshkol_print.put b "%"; go (j + 1) args
        | 'f' | 'e' | 'g' -> Eshkol_print.put b (format_float ("%" ^ flags ^ Eshkol_number_text.slice text j 1) (Eshkol_num.to_float place "printf" (next args))); go (j + 1) (after args)
        | 'x' -> Eshkol_print.put b (pad (Eshkol_number_text.text_of place (next args) 16) width left); go (j + 1) (after args)
        | _ -> Eshkol_print.put b (pad (Eshkol_print.display_text (next args)) width left); go (j + 1) (after args)
      end
      else begin
        add_byte b (int_of_char c);
        go (i + 1) args
      end
  in
  go 0 args;
  builder_bytes b

(* (format "…" …) makes a string, (format #t "…" …) prints, (format port "…" …) writes to a port. *)
let format place args =
  match args with
  | Pair { car = Str _ as text; cdr } -> string_of_utf8 (format_text place (utf8_of text) cdr)
  | Pair { car = False; cdr = Pair { car = Str _ as text; cdr } } -> string_of_utf8 (format_text place (utf8_of text) cdr)
  | Pair { car = True; cdr = Pair { car = Str _ as text; cdr } } -> put (output_port place "format" Absent) (format_text place (utf8_of text) cdr); Unspecified
  | Pair { car = Port _ as port; cdr = Pair { car = Str _ as text; cdr } } -> put (output_port place "format" port) (format_text place (utf8_of text) cdr); Unspecified
  | _ -> domain place "format" "bad arguments" args

let has_char text c = Eshkol_number_text.index_of text c >= 0

let printf place args =
  match args with
  | Pair { car = Str _ as text; cdr } ->
      let text = utf8_of text in
      put (output_port place "printf" Absent) (if has_char text '~' then format_text place text cdr else printf_text place text cdr)
  | _ -> domain place "printf" "bad arguments" args
