(* Values as text: [display] for people, [write] for the reader. Circular objects get labels. *)

open Eshkol_value

let char_names =
  [ (32, "space"); (10, "newline"); (9, "tab"); (0, "null"); (13, "return"); (7, "alarm"); (8, "backspace"); (127, "delete"); (27, "escape") ]

let rec find_name c = function [] -> "" | (k, name) :: rest -> if k = c then name else find_name c rest

let[@inline never] hex n =
  let rec go n acc = if n = 0 then acc else go (n lsr 4) (bytes_unsafe_to_string (let b = bytes_create 1 in let d = n land 15 in set_byte b 0 (chr (if d < 10 then 48 + d else 87 + d)); b) ^ acc) in
  if n = 0 then "0" else go n ""

let[@inline never] put out text = for i = 0 to string_length text - 1 do add_byte out (int_of_char (string_unsafe_get text i)) done

let[@inline never] write_string out text wide =
  put out "\"";
  for i = 0 to text_length text wide - 1 do
    let c = text_get text wide i in
    if c = 34 then put out "\\\""
    else if c = 92 then put out "\\\\"
    else if c = 10 then put out "\\n"
    else if c = 9 then put out "\\t"
    else if c = 13 then put out "\\r"
    else if c = 7 then put out "\\a"
    else if c < 32 || c = 127 then put out ("\\x" ^ hex c ^ ";")
    else put_utf8 out c
  done;
  put out "\""

let[@inline never] write_char out c =
  put out "#\\";
  let name = find_name c char_names in
  if name <> "" then put out name else if c < 32 then put out ("x" ^ hex c) else put_utf8 out c

(* A symbol that would not read back stands between bars. *)
let[@inline never] needs_bars name =
  let n = string_length name in
  let rec odd i =
    i < n
    && (let c = string_unsafe_get name i in
        c = '(' || c = ')' || c = '"' || c = ';' || c = '\'' || c = '`' || c = ',' || c = '|' || c <= ' ' || c = '[' || c = ']')
    || (i < n && odd (i + 1))
  in
  n = 0 || odd 0 || name = "." || (match Eshkol_number_text.literal name with False -> false | _ -> true) || string_unsafe_get name 0 = '#'

let[@inline never] write_symbol out name =
  if needs_bars name then begin
    put out "|";
    for i = 0 to string_length name - 1 do
      let c = string_unsafe_get name i in
      if c = '|' then put out "\\|" else if c = '\\' then put out "\\\\" else add_byte out (int_of_char c)
    done;
    put out "|"
  end
  else put out name

(* Objects that contain themselves. A walk that ends early shows that there are none. *)

let rec small v budget =
  if !budget <= 0 then ()
  else if is_int v then ()
  else
    match v with
    | Pair p ->
        budget := !budget - 1;
        small p.car budget;
        small p.cdr budget
    | Vec a ->
        budget := !budget - 1;
        let n = length_of a in
        let rec go i = if i < n && !budget > 0 then (small (get a i) budget; go (i + 1)) in
        go 0
    | _ -> ()

let rec has v = function [] -> false | x :: rest -> x == v || has v rest

(* The objects that are met again below themselves. *)
let[@inline never] cycles v =
  let budget = ref 100000 in
  small v budget;
  if !budget > 0 then []
  else begin
    let found = ref [] in
    let steps = ref 0 in
    (* Along a list, Brent's way: the tortoise jumps at powers of two. *)
    let rec list_cycle slow fast power count =
      match fast with
      | Pair p ->
          if p.cdr == slow then true
          else if count = power then list_cycle fast p.cdr (power * 2) 0
          else list_cycle slow p.cdr power (count + 1)
      | _ -> false
    in
    let rec entry a b = if a == b then a else match (a, b) with Pair p, Pair q -> entry p.cdr q.cdr | _ -> a in
    let rec cycle_length v next n = if v == next then n else match next with Pair p -> cycle_length v p.cdr (n + 1) | _ -> n in
    let rec advance v n = if n = 0 then v else match v with Pair p -> advance p.cdr (n - 1) | _ -> v in
    let start_of v =
      let rec meet slow fast power count =
        match fast with
        | Pair p -> if p.cdr == slow then slow else if count = power then meet fast p.cdr (power * 2) 0 else meet slow p.cdr power (count + 1)
        | _ -> Nil
      in
      let inside = meet v v 1 0 in
      let n = match inside with Pair p -> cycle_length inside p.cdr 1 | _ -> 0 in
      entry v (advance v n)
    in
    let rec walk v above =
      steps := !steps + 1;
      if !steps < 200000 then
        match v with
        | Pair _ ->
            if has v above then (if not (has v !found) then found := v :: !found)
            else if list_cycle v v 1 0 then begin
              let start = start_of v in
              if not (has start !found) then found := start :: !found;
              let rec items x first = if first || x != start then match x with Pair p -> walk p.car (v :: start :: above); items p.cdr false | _ -> () in
              let rec before x = if x != start then match x with Pair p -> walk p.car (v :: start :: above); before p.cdr | _ -> () in
              before v;
              items start true
            end
            else
              let rec items x = match x with Pair p -> walk p.car (v :: above); items p.cdr | Nil -> () | _ -> walk x (v :: above) in
              items v
        | Vec a ->
            if has v above then (if not (has v !found) then found := v :: !found)
            else for i = 0 to length_of a - 1 do walk (get a i) (v :: above) done
        | _ -> ()
    in
    walk v [];
    !found
  end

let rec print out writing labels seen v =
  if is_int v then put out (string_of_int (to_int v))
  else
    match v with
    | Nil -> put out "()"
    | True -> put out "#t"
    | False -> put out "#f"
    | Flo x -> put out (Eshkol_number_text.float_text x)
    | Big _ | Rat _ -> put out (Eshkol_number_text.text_of "" v 10)
    | Sym s -> if writing then write_symbol out s.name else put out s.name
    | Str s -> if writing then write_string out s.text s.wide else for i = 0 to text_length s.text s.wide - 1 do put_utf8 out (text_get s.text s.wide i) done
    | Char c -> if writing then write_char out c else put_utf8 out c
    | Pair p ->
        if not (labelled out labels seen v) then begin
          put out "(";
          print out writing labels seen p.car;
          let rec tail x =
            match x with
            | Nil -> ()
            | Pair p when not (has x labels) ->
                put out " ";
                print out writing labels seen p.car;
                tail p.cdr
            | _ ->
                put out " . ";
                print out writing labels seen x
          in
          tail p.cdr;
          put out ")"
        end
    | Vec a ->
        if not (labelled out labels seen v) then begin
          put out "#(";
          for i = 0 to length_of a - 1 do
            if i > 0 then put out " ";
            print out writing labels seen (get a i)
          done;
          put out ")"
        end
    | Bytes b ->
        put out "#u8(";
        for i = 0 to byte_length b - 1 do
          if i > 0 then put out " ";
          put out (string_of_int (narrow_get b i))
        done;
        put out ")"
    | Eof -> put out "#<eof>"
    | P0 (_, name) | P1 (_, name) | P2 (_, name) | P3 (_, name) | P4 (_, name) | PN (_, _, _, name) | PK (_, _, _, name) | PCase (_, name) ->
        put out (if name = "" then "#<procedure>" else "#<procedure " ^ name ^ ">")
    | Param _ -> put out "#<parameter>"
    | Cont _ -> put out "#<continuation>"
    | Values a ->
        for i = 0 to length_of a - 1 do
          if i > 0 then put out " ";
          print out writing labels seen (get a i)
        done
    | Record r ->
        put out ("#<" ^ r.rtype.type_name);
        let rec fields names i =
          match names with
          | Pair p ->
              put out (" " ^ (match p.car with Sym s -> s.name | _ -> "?") ^ ": ");
              print out writing labels seen (get r.slots i);
              fields p.cdr (i + 1)
          | _ -> ()
        in
        fields r.rtype.fields 0;
        put out ">"
    | Rtype t -> put out ("#<record-type " ^ t.type_name ^ ">")
    | Promise _ -> put out "#<promise>"
    | Box b -> put out "#&"; print out writing labels seen b.held
    | Table _ -> put out "#<hash-table>"
    | Port _ -> put out "#<port>"
    | Err e ->
        put out "#<error ";
        print out true labels seen e.message;
        (match e.irritants with Nil -> () | irritants -> put out " "; print out true labels seen irritants);
        put out ">"
    | Dual _ | Traced _ | Series _ -> print out writing labels seen (ground v)
    | Unspecified -> put out "#<unspecified>"
    | _ -> put out "#<default>"

(* Writes the label of an object that has one; true if the label is all. *)
and labelled out labels seen v =
  if not (has v labels) then false
  else begin
    let rec number i = function [] -> -1 | x :: rest -> if x == v then i else number (i + 1) rest in
    let known = List.rev !seen in
    let n = number 0 known in
    if n >= 0 then begin
      put out ("#" ^ string_of_int n ^ "#");
      true
    end
    else begin
      put out ("#" ^ string_of_int (List.length known) ^ "=");
      seen := v :: !seen;
      false
    end
  end

let[@inline never] text writing v =
  let out = builder () in
  print out writing (cycles v) (ref []) v;
  builder_bytes out

(* Objects that are met more than once. *)
let shared v =
  let seen = ref [] and found = ref [] in
  let rec walk v =
    match v with
    | Pair p ->
        if note v then begin
          walk p.car;
          walk p.cdr
        end
    | Vec a ->
        if note v then
          for i = 0 to length_of a - 1 do
            walk (get a i)
          done
    | _ -> ()
  and note v =
    if has v !seen then begin
      if not (has v !found) then found := v :: !found;
      false
    end
    else begin
      seen := v :: !seen;
      true
    end
  in
  walk v;
  !found

let shared_text v =
  let out = builder () in
  print out true (shared v) (ref []) v;
  builder_bytes out

let[@inline never] display_text v = match v with Str s -> utf8_of_text s.text s.wide | _ -> text false v
let[@inline never] write_text v = text true v

(* What an error object says. *)
let[@inline never] error_text v =
  match v with
  | Err e ->
      let rec irritants l = match l with Pair p -> " " ^ write_text p.car ^ irritants p.cdr | _ -> "" in
      display_text e.message ^ irritants e.irritants
  | _ -> "uncaught object: " ^ write_text v

let error_place v = match v with Err e -> e.place | _ -> ""
