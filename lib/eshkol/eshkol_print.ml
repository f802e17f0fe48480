(* Values as text: [display] for people, [write] for the reader. Circular objects get labels. *)

open Eshkol_value

let char_names =
  [ (32, "space"); (10, "newline"); (9, "tab"); (0, "null"); (13, "return"); (7, "alarm"); (8, "backspace"); (127, "delete"); (27, "escape") ]

let rec find_name c = function [] -> "" | (k, name) :: rest -> if k = c then name else find_name c rest

let[@inline never] [@rare] hex n =
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

let[@inline never] [@rare] write_char out c =
  put out "#\\";
  let name = find_name c char_names in
  if name <> "" then put out name else if c < 32 || (c >= 128 && c < 160) then put out ("x" ^ hex c) else put_utf8 out c

(* Would the reader take it for a number? *)
let[@inline never] [@rare] is_like_number name =
  let n = string_length name in
  let at i = if i < n then string_unsafe_get name i else ' ' in
  let rec digits i = if at i >= '0' && at i <= '9' then digits (i + 1) else i in
  let signed i = if at i = '+' || at i = '-' then i + 1 else i in
  let start = signed 0 in
  let whole = digits start in
  if name = "+inf.0" || name = "-inf.0" || name = "+nan.0" || name = "-nan.0" then true
  else if at whole = '/' then whole > start && digits (whole + 1) = n && n > whole + 1
  else
    let point = at whole = '.' in
    let mantissa = if point then digits (whole + 1) else whole in
    let some = whole > start || mantissa > whole + 1 in
    let finish =
      if at mantissa = 'e' || at mantissa = 'E' then
        let from = signed (mantissa + 1) in
        let stop = digits from in
        if stop > from then stop else -1
      else mantissa
    in
    some && finish = n

(* A symbol that would not read back stands between bars. *)
let[@inline never] [@rare] needs_bars name =
  let n = string_length name in
  let rec odd i =
    i < n
    && (let c = string_unsafe_get name i in
        c = '(' || c = ')' || c = '"' || c = ';' || c = '\'' || c = '`' || c = ',' || c = '|' || c <= ' ' || c = '[' || c = ']')
    || (i < n && odd (i + 1))
  in
  n = 0 || odd 0 || name = "." || string_unsafe_get name 0 = '#' || is_like_number name

let[@inline never] [@rare] write_symbol out name =
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

(* Along a list, Brent's way: the tortoise jumps at powers of two. Gives a pair on the cycle, or [Nil]. *)
let rec meet slow fast power count =
  match fast with
  | Pair p ->
      if p.cdr == slow then slow
      else if count = power then meet fast p.cdr (power * 2) 0
      else meet slow p.cdr power (count + 1)
  | _ -> Nil

let rec entry a b = if a == b then a else match a with Pair p -> entry p.cdr (rest b) | _ -> a
let rec cycle_length v next n = if v == next then n else cycle_length v (rest next) (n + 1)
let rec advance v n = if n = 0 then v else advance (rest v) (n - 1)

(* The pair where the cycle of a list begins, or [Nil] if it has none. *)
let[@inline never] [@rare] cycle_start v =
  match meet v v 1 0 with
  | Pair p as inside -> entry v (advance v (cycle_length inside p.cdr 1))
  | _ -> Nil

type search = { mutable found : dyn list; mutable steps : int }

let[@inline never] [@rare] note search v = if not (has v search.found) then search.found <- v :: search.found

let[@inline never] [@rare] rec walk search v above =
  search.steps <- search.steps + 1;
  if search.steps < 200000 then
    match v with
    | Pair _ ->
        if has v above then note search v
        else begin
          let start = cycle_start v in
          let above = v :: above in
          match start with
          | Nil -> walk_items search v Nil above
          | _ ->
              note search start;
              walk_items search v start (start :: above);
              walk search (first start) (start :: above);
              walk_items search (rest start) start (start :: above)
        end
    | Vec a ->
        if has v above then note search v
        else
          for i = 0 to length_of a - 1 do
            walk search (get a i) (v :: above)
          done
    | _ -> ()

(* The items of a list up to the pair [stop]. *)
and[@inline never] [@rare] walk_items search list stop above =
  if list != stop then
    match list with
    | Pair p ->
        walk search p.car above;
        walk_items search p.cdr stop above
    | _ -> walk search list above

(* The objects that are met again below themselves. *)
let[@inline never] [@rare] cycles v =
  let budget = ref 100000 in
  small v budget;
  if !budget > 0 then []
  else begin
    let search = { found = []; steps = 0 } in
    walk search v [];
    search.found
  end

let[@inline never] [@rare] rec print out writing labels seen v =
  if is_int v then put out (string_of_int (to_int v))
  else if is_char v then if writing then write_char out (char_of v) else put_utf8 out (char_of v)
  else if is_symbol v then if writing then write_symbol out (symbol_name v) else put out (symbol_name v)
  else
    match v with
    | Nil -> put out "()"
    | True -> put out "#t"
    | False -> put out "#f"
    | Flo x -> put out (Eshkol_number_text.float_text x)
    | Big _ | Rat _ -> put out (Eshkol_number_text.text_of "" v 10)
    | Str s -> if writing then write_string out s.text s.wide else for i = 0 to text_length s.text s.wide - 1 do put_utf8 out (text_get s.text s.wide i) done
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
    | Cont _ | Exit _ -> put out "#<continuation>"
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
              put out (" " ^ (if is_symbol p.car then symbol_name p.car else "?") ^ ": ");
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
and[@inline never] [@rare] labelled out labels seen v =
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
let[@inline never] [@rare] shared v =
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

let[@inline never] [@rare] shared_text v =
  let out = builder () in
  print out true (shared v) (ref []) v;
  builder_bytes out

let[@inline never] display_text v = match v with Str s -> utf8_of_text s.text s.wide | _ -> text false v
let[@inline never] write_text v = text true v

(* What an error object says. *)
let[@inline never] [@rare] error_text v =
  match v with
  | Err e ->
      let rec irritants l = match l with Pair p -> " " ^ write_text p.car ^ irritants p.cdr | _ -> "" in
      display_text e.message ^ irritants e.irritants
  | _ -> "uncaught object: " ^ write_text v
