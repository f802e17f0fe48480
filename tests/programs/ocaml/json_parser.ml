(* JSON: parser with positions, pretty printer, queries and round trip. *)

type json =
  | Null
  | Bool of bool
  | Num of float
  | Str of string
  | Arr of json list
  | Obj of (string * json) list

exception Parse_error of { pos : int; reason : string }

let fail pos reason = raise (Parse_error { pos; reason })

let add_utf8 b c =
  let add n = Buffer.add_char b (Char.chr n) in
  if c < 0x80 then add c
  else if c < 0x800 then begin
    add (0xC0 lor (c lsr 6));
    add (0x80 lor (c land 0x3F))
  end else begin
    add (0xE0 lor (c lsr 12));
    add (0x80 lor ((c lsr 6) land 0x3F));
    add (0x80 lor (c land 0x3F))
  end

let parse (s : string) : json =
  let n = String.length s in
  let rec ws i = if i < n && (match s.[i] with ' ' | '\n' | '\t' | '\r' -> true | _ -> false) then ws (i + 1) else i in
  let literal i word v =
    let l = String.length word in
    if i + l <= n && String.sub s i l = word then (v, i + l) else fail i ("expected " ^ word) in
  let hex c = match c with
    | '0' .. '9' -> Char.code c - 48
    | 'a' .. 'f' -> Char.code c - 87
    | 'A' .. 'F' -> Char.code c - 55
    | _ -> -1 in
  let string i =
    let buf = Buffer.create 16 in
    let rec go i =
      if i >= n then fail i "unterminated string"
      else match s.[i] with
        | '"' -> (Buffer.contents buf, i + 1)
        | '\\' ->
          if i + 1 >= n then fail i "unterminated escape";
          (match s.[i + 1] with
           | 'n' -> Buffer.add_char buf '\n'; go (i + 2)
           | 't' -> Buffer.add_char buf '\t'; go (i + 2)
           | 'r' -> Buffer.add_char buf '\r'; go (i + 2)
           | ('"' | '\\' | '/') as c -> Buffer.add_char buf c; go (i + 2)
           | 'u' ->
             if i + 6 > n then fail i "short unicode escape";
             let code = ref 0 in
             for k = i + 2 to i + 5 do
               let d = hex s.[k] in
               if d < 0 then fail k "bad hex digit";
               code := !code * 16 + d
             done;
             add_utf8 buf !code;
             go (i + 6)
           | c -> fail i (Printf.sprintf "bad escape %C" c))
        | c -> Buffer.add_char buf c; go (i + 1) in
    go i in
  let number i =
    let rec go j =
      if j < n then match s.[j] with
        | '0' .. '9' | '-' | '+' | '.' | 'e' | 'E' -> go (j + 1)
        | _ -> j
      else j in
    let j = go i in
    match float_of_string_opt (String.sub s i (j - i)) with
    | Some f -> (Num f, j)
    | None -> fail i "bad number" in
  let rec value i =
    let i = ws i in
    if i >= n then fail i "unexpected end";
    match s.[i] with
    | 'n' -> literal i "null" Null
    | 't' -> literal i "true" (Bool true)
    | 'f' -> literal i "false" (Bool false)
    | '"' -> let str, j = string (i + 1) in (Str str, j)
    | '[' ->
      let j = ws (i + 1) in
      if j < n && s.[j] = ']' then (Arr [], j + 1)
      else elements [] j
    | '{' ->
      let j = ws (i + 1) in
      if j < n && s.[j] = '}' then (Obj [], j + 1)
      else members [] j
    | '-' | '0' .. '9' -> number i
    | c -> fail i (Printf.sprintf "unexpected %C" c)
  and elements acc i =
    let v, j = value i in
    let j = ws j in
    if j >= n then fail j "unterminated array"
    else if s.[j] = ',' then elements (v :: acc) (j + 1)
    else if s.[j] = ']' then (Arr (List.rev (v :: acc)), j + 1)
    else fail j "expected , or ]"
  and members acc i =
    let i = ws i in
    if i >= n || s.[i] <> '"' then fail i "expected a key";
    let key, j = string (i + 1) in
    let j = ws j in
    if j >= n || s.[j] <> ':' then fail j "expected :";
    let v, j = value (j + 1) in
    let j = ws j in
    let acc = (key, v) :: acc in
    if j >= n then fail j "unterminated object"
    else match s.[j] with
      | ',' -> members acc (j + 1)
      | '}' -> (Obj (List.rev acc), j + 1)
      | _ -> fail j "expected , or }" in
  let v, j = value 0 in
  let j = ws j in
  if j <> n then fail j "trailing characters";
  v

let quote s =
  let b = Buffer.create (String.length s + 2) in
  Buffer.add_char b '"';
  String.iter (function
      | '"' -> Buffer.add_string b "\\\""
      | '\\' -> Buffer.add_string b "\\\\"
      | '\n' -> Buffer.add_string b "\\n"
      | '\t' -> Buffer.add_string b "\\t"
      | c when Char.code c < 32 -> Buffer.add_string b (Printf.sprintf "\\u%04x" (Char.code c))
      | c -> Buffer.add_char b c) s;
  Buffer.add_char b '"';
  Buffer.contents b

let number f =
  if Float.is_integer f && Float.abs f < 1e15 then Printf.sprintf "%.0f" f
  else Printf.sprintf "%g" f

let rec compact = function
  | Null -> "null"
  | Bool b -> string_of_bool b
  | Num f -> number f
  | Str s -> quote s
  | Arr l -> "[" ^ String.concat "," (List.map compact l) ^ "]"
  | Obj m -> "{" ^ String.concat "," (List.map (fun (k, v) -> quote k ^ ":" ^ compact v) m) ^ "}"

let pretty v =
  let b = Buffer.create 256 in
  let pad d = Buffer.add_string b (String.make (2 * d) ' ') in
  let rec go d = function
    | Arr (_ :: _ as l) -> wrapped d '[' ']' (List.map (fun v () -> go (d + 1) v) l)
    | Obj (_ :: _ as m) ->
      wrapped d '{' '}'
        (List.map (fun (k, v) () -> Buffer.add_string b (quote k ^ ": "); go (d + 1) v) m)
    | v -> Buffer.add_string b (compact v)
  and wrapped d op cl items =
    Buffer.add_char b op;
    List.iteri (fun i item ->
        if i > 0 then Buffer.add_char b ',';
        Buffer.add_char b '\n';
        pad (d + 1);
        item ()) items;
    Buffer.add_char b '\n';
    pad d;
    Buffer.add_char b cl in
  go 0 v;
  Buffer.contents b

let rec query path v =
  match path, v with
  | [], v -> Some v
  | key :: rest, Obj m -> Option.bind (List.assoc_opt key m) (query rest)
  | key :: rest, Arr l ->
    Option.bind (int_of_string_opt key) (fun i ->
        Option.bind (List.nth_opt l i) (query rest))
  | _ -> None

let rec depth = function
  | Arr l -> 1 + List.fold_left (fun m v -> max m (depth v)) 0 l
  | Obj m -> 1 + List.fold_left (fun a (_, v) -> max a (depth v)) 0 m
  | _ -> 0

let sample = {|
{ "name": "oxbow", "version": 1.25, "tags": ["compiler", "ml", "native"],
  "nested": { "deep": [ {"x": 1}, {"x": -2.5e3}, [] , {} ] },
  "escaped": "tab\there \"quoted\" \u00e9\u4e2d \\ done",
  "flags": [true, false, null], "empty": "" }
|}

let () =
  let v = parse sample in
  print_endline (pretty v);
  print_endline (compact v);
  Printf.printf "round trip: %b\n" (parse (compact v) = v && parse (pretty v) = v);
  Printf.printf "depth: %d\n" (depth v);
  List.iter (fun path ->
      Printf.printf "%s -> %s\n" path
        (match query (String.split_on_char '.' path) v with
         | Some v -> compact v
         | None -> "(nothing)"))
    [ "name"; "tags.1"; "nested.deep.1.x"; "tags.9"; "nested.deep"; "name.x" ];
  List.iter (fun s ->
      match parse s with
      | v -> Printf.printf "%s: fine: %s\n" s (compact v)
      | exception Parse_error { pos; reason } -> Printf.printf "%s: at %d: %s\n" s pos reason)
    [ "[1,2"; "{\"a\" 1}"; "tru"; "[1,]"; "\"abc"; "1 2"; "-"; "{1:2}"; "\"\\q\""; "[ ]"; "\"\\u12x4\"" ]
