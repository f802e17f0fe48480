(* JSON: text to a tree, a change to the tree, and back to text. *)

type json =
  | Null
  | Bool of bool
  | Number of float
  | String of string
  | List of json list
  | Object of (string * json) list

exception Bad of int

let parse text =
  let n = String.length text in
  let at = ref 0 in
  let peek () = if !at < n then text.[!at] else '\000' in
  let rec skip () = match peek () with ' ' | '\n' -> incr at; skip () | _ -> () in
  let expect c = skip (); if peek () = c then incr at else raise (Bad !at) in
  let word w v = String.iter (fun c -> if peek () = c then incr at else raise (Bad !at)) w; v in
  let string () =
    expect '"';
    let b = Buffer.create 16 in
    let rec go () =
      match peek () with
      | '"' -> incr at
      | '\\' ->
          incr at;
          Buffer.add_char b (match peek () with 'n' -> '\n' | c -> c);
          incr at;
          go ()
      | '\000' -> raise (Bad !at)
      | c -> Buffer.add_char b c; incr at; go ()
    in
    go ();
    Buffer.contents b
  in
  let number () =
    let start = !at in
    let rec go () = match peek () with '0' .. '9' | '-' | '.' | 'e' -> incr at; go () | _ -> () in
    go ();
    match float_of_string_opt (String.sub text start (!at - start)) with Some f -> Number f | None -> raise (Bad start)
  in
  let items close item =
    incr at;
    skip ();
    if peek () = close then (incr at; [])
    else
      let rec go acc =
        let acc = item () :: acc in
        skip ();
        if peek () = ',' then (incr at; go acc) else (expect close; List.rev acc)
      in
      go []
  in
  let rec value () =
    skip ();
    match peek () with
    | 'n' -> word "null" Null
    | 't' -> word "true" (Bool true)
    | 'f' -> word "false" (Bool false)
    | '"' -> String (string ())
    | '[' -> List (items ']' value)
    | '{' ->
        let field () =
          skip ();
          let key = string () in
          expect ':';
          (key, value ())
        in
        Object (items '}' field)
    | _ -> number ()
  in
  let v = value () in
  skip ();
  if !at < n then raise (Bad !at) else v

let print json =
  let b = Buffer.create 1000 in
  let text s =
    Buffer.add_char b '"';
    String.iter (function '"' -> Buffer.add_string b "\\\"" | '\n' -> Buffer.add_string b "\\n" | c -> Buffer.add_char b c) s;
    Buffer.add_char b '"'
  in
  let between f l = List.iteri (fun i x -> if i > 0 then Buffer.add_char b ','; f x) l in
  let rec go = function
    | Null -> Buffer.add_string b "null"
    | Bool x -> Buffer.add_string b (string_of_bool x)
    | Number x -> Buffer.add_string b (string_of_int (int_of_float x))
    | String s -> text s
    | List l -> Buffer.add_char b '['; between go l; Buffer.add_char b ']'
    | Object l ->
        Buffer.add_char b '{';
        between (fun (k, v) -> text k; Buffer.add_char b ':'; go v) l;
        Buffer.add_char b '}'
  in
  go json;
  Buffer.contents b

let rec change f = function
  | Number x -> Number (f x)
  | List l -> List (List.map (change f) l)
  | Object l -> Object (List.map (fun (k, v) -> (k, change f v)) l)
  | v -> v

let () =
  let person i =
    Object
      [ ("name", String ("person \"" ^ string_of_int i ^ "\"")); ("age", Number (float_of_int (i mod 90)));
        ("tags", List [ String "a"; String "b\nc"; Null; Bool (i land 1 = 0) ]);
        ("at", Object [ ("x", Number (float_of_int i)); ("y", Number (float_of_int (-i))) ]) ]
  in
  let text = ref (print (List (List.init 2000 person))) in
  for _ = 1 to 20 do
    text := print (change (fun x -> if x > 1000.0 then x -. 1000.0 else x +. 1.0) (parse !text))
  done;
  Printf.printf "%d %s\n" (String.length !text) (String.sub !text 0 60)
