type json =
  [ `Null | `Bool of bool | `Int of int | `Float of float | `String of string
  | `List of json list | `Assoc of (string * json) list ]
let rec to_string (j : json) = match j with
  | `Null -> "null" | `Bool b -> string_of_bool b | `Int n -> string_of_int n
  | `Float f -> Printf.sprintf "%g" f
  | `String s -> Printf.sprintf "%S" s
  | `List l -> "[" ^ String.concat "," (List.map to_string l) ^ "]"
  | `Assoc l -> "{" ^ String.concat "," (List.map (fun (k, v) -> Printf.sprintf "%S:%s" k (to_string v)) l) ^ "}"
let member k = function `Assoc l -> (try List.assoc k l with Not_found -> `Null) | _ -> `Null
let to_int = function `Int n -> Some n | _ -> None
exception Parse of string
let parse s =
  let pos = ref 0 in
  let peek () = if !pos < String.length s then s.[!pos] else '\000' in
  let next () = incr pos in
  let rec ws () = match peek () with ' ' | '\n' | '\t' -> next (); ws () | _ -> () in
  let expect c = ws (); if peek () = c then next () else raise (Parse (Printf.sprintf "expected %c at %d" c !pos)) in
  let word w v = String.iter (fun c -> if peek () = c then next () else raise (Parse w)) w; v in
  let str () = expect '"'; let b = Buffer.create 8 in
    let rec go () = match peek () with '"' -> next () | '\000' -> raise (Parse "eof") | c -> next (); Buffer.add_char b c; go () in
    go (); Buffer.contents b in
  let rec value () : json = ws (); match peek () with
    | '{' -> next (); ws (); if peek () = '}' then (next (); `Assoc []) else begin
        let rec items acc = let k = (ws (); str ()) in expect ':'; let v = value () in ws ();
          match peek () with ',' -> next (); items ((k, v) :: acc) | _ -> expect '}'; List.rev ((k, v) :: acc) in
        `Assoc (items []) end
    | '[' -> next (); ws (); if peek () = ']' then (next (); `List []) else begin
        let rec items acc = let v = value () in ws ();
          match peek () with ',' -> next (); items (v :: acc) | _ -> expect ']'; List.rev (v :: acc) in
        `List (items []) end
    | '"' -> `String (str ())
    | 't' -> word "true" (`Bool true) | 'f' -> word "false" (`Bool false) | 'n' -> word "null" `Null
    | '-' | '0' .. '9' -> let start = !pos in
        let rec go () = match peek () with '-' | '.' | 'e' | '0' .. '9' -> next (); go () | _ -> () in go ();
        let t = String.sub s start (!pos - start) in
        if String.contains t '.' then `Float (float_of_string t) else `Int (int_of_string t)
    | c -> raise (Parse (Printf.sprintf "unexpected %C" c)) in
  let v = value () in ws (); if !pos < String.length s then raise (Parse "trailing"); v
let rec depth : json -> int = function
  | `List l -> 1 + List.fold_left (fun m x -> max m (depth x)) 0 l
  | `Assoc l -> 1 + List.fold_left (fun m (_, x) -> max m (depth x)) 0 l
  | _ -> 0
let () =
  let j = parse {|{"a": [1, 2.5, {"b": null}], "c": "hi", "d": true, "e": {}}|} in
  print_endline (to_string j);
  Printf.printf "%d\n" (depth j);
  (match to_int (member "a" j) with Some n -> Printf.printf "%d\n" n | None -> print_endline "none");
  (match member "c" j with `String s -> print_endline s | _ -> print_endline "?");
  Printf.printf "%b\n" (parse "[1,2]" = `List [ `Int 1; `Int 2 ]);
  Printf.printf "%d\n" (compare (parse "[1,2]") (parse "[1,3]"));
  (try ignore (parse "[1,") with Parse m -> print_endline m);
  let h = Hashtbl.create 7 in
  Hashtbl.replace h (`Int 3) "three"; Hashtbl.replace h `Null "null";
  Printf.printf "%s %s %b\n" (Hashtbl.find h (`Int 3)) (Hashtbl.find h `Null) (Hashtbl.mem h (`Int 4))
