(* Values as text: [display] for people, [write] for the reader. Circular objects get labels. *)

open Eshkol_value
open Eshkol_identity

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

(* Would some reader take it for a number? All that begins like one, after R7RS's grammar of identifiers. *)
let[@inline never] [@rare] is_like_number name =
  let n = string_length name in
  let at i = if i < n then string_unsafe_get name i else ' ' in
  let is_digit i = at i >= '0' && at i <= '9' in
  let small i = let c = at i in if c >= 'A' && c <= 'Z' then chr (code c + 32) else c in
  let word i text =
    let rec go k = k = string_length text || (small (i + k) = string_unsafe_get text k && go (k + 1)) in
    go 0
  in
  let sign = at 0 = '+' || at 0 = '-' in
  let start = if sign then 1 else 0 in
  if is_digit start then true
  else if at start = '.' then n = start + 1 || is_digit (start + 1)
  else sign && ((n = 2 && word 1 "i") || word 1 "inf.0" || word 1 "nan.0")

(* A symbol that would not read back stands between bars. *)
let[@inline never] [@rare] needs_bars name =
  let n = string_length name in
  let rec odd i =
    i < n
    && (let c = string_unsafe_get name i in
        c = '(' || c = ')' || c = '"' || c = ';' || c = '\'' || c = '`' || c = ',' || c = '|' || c = '\\' || c <= ' ' || code c = 127 || c = '[' || c = ']')
    || (i < n && odd (i + 1))
  in
  n = 0 || odd 0 || string_unsafe_get name 0 = '#' || is_like_number name

let[@inline never] [@rare] write_symbol out name =
  if needs_bars name then begin
    put out "|";
    for i = 0 to string_length name - 1 do
      let c = string_unsafe_get name i in
      if c = '|' then put out "\\|"
      else if c = '\\' then put out "\\\\"
      else if c = '\n' then put out "\\n"
      else if c = '\t' then put out "\\t"
      else if c < ' ' || code c = 127 then put out ("\\x" ^ hex (code c) ^ ";")
      else add_byte out (int_of_char c)
    done;
    put out "|"
  end
  else put out name

(* Objects that contain themselves, and those that are met twice. *)

(* A walk that ends early shows that no object contains itself. *)
let rec small v budget =
  if !budget <= 0 then ()
  else if is_int v then ()
  else
    match v with
    | Pair p ->
        budget := !budget - 1;
        small p.car budget;
        small p.cdr budget
    | Vec a -> small_items a budget
    | Record _ | Large _ ->
        budget := !budget - 1;
        for i = 0 to Eshkol_data.record_size v - 1 do
          if !budget > 0 then small (Eshkol_data.record_slot v i) budget
        done
    | Box b ->
        budget := !budget - 1;
        small b.held budget
    | Err e ->
        small e.message budget;
        small e.irritants budget
    | _ -> ()

and small_items a budget =
  budget := !budget - 1;
  let n = length_of a in
  let rec go i = if i < n && !budget > 0 then (small (get a i) budget; go (i + 1)) in
  go 0

type step = Enter of dyn | Leave of dyn

(* The parts that are printed, before other steps. *)
let[@inline never] [@rare] parts v steps =
  let rec items a i steps = if i < 0 then steps else items a (i - 1) (Enter (get a i) :: steps) in
  match v with
  | Pair p -> Enter p.car :: Enter p.cdr :: steps
  | Vec a -> items a (length_of a - 1) steps
  | Record _ | Large _ ->
      let rec slots i steps = if i < 0 then steps else slots (i - 1) (Enter (Eshkol_data.record_slot v i) :: steps) in
      slots (Eshkol_data.record_size v - 1) steps
  | Box b -> Enter b.held :: steps
  | Err e -> Enter e.message :: Enter e.irritants :: steps
  | _ -> steps

let[@inline] has_parts v = (not (is_int v)) && match v with Pair _ | Vec _ | Record _ | Large _ | Box _ | Err _ -> true | _ -> false

(* Marks of objects: [False] inside of them, [True] behind them, [Absent] if they get a label. Where [every] holds, what is met
   twice gets one, else what is met inside of itself. Each object is entered once. *)
let[@inline never] [@rare] rec search marks every steps =
  match steps with
  | [] -> ()
  | Leave v :: rest ->
      if mark marks v == False then set_mark marks v True;
      search marks every rest
  | Enter v :: rest ->
      if not (has_parts v) then search marks every rest
      else begin
        let known = mark marks v in
        if known == Nil then begin
          set_mark marks v False;
          search marks every (parts v (Leave v :: rest))
        end
        else begin
          if known == False || every then set_mark marks v Absent;
          search marks every rest
        end
      end

(* The labels of a text: marks of objects, and how many have a number. An object that has one is marked with it. *)
type labels = { of_objects : marks; mutable used : int }

let[@inline never] [@rare] labels_of every v =
  let labels = { of_objects = marks (); used = 0 } in
  let budget = ref 100000 in
  if not every then small v budget;
  if every || !budget <= 0 then search labels.of_objects every [ Enter v ];
  labels

let[@inline never] [@rare] has_label labels v =
  let it = mark labels.of_objects v in
  it == Absent || is_int it

let[@inline never] [@rare] rec print out writing labels v =
  if is_int v then put out (string_of_int (to_int v))
  else if is_char v then if writing then write_char out (char_of v) else put_utf8 out (char_of v)
  else if is_symbol v then if writing then write_symbol out (symbol_name v) else put out (symbol_name v)
  else if is_flo v then put out (Eshkol_number_text.float_text (flo_of v))
  else
    match v with
    | Nil -> put out "()"
    | True -> put out "#t"
    | False -> put out "#f"
    | Big _ | Rat _ | Complex _ -> put out (Eshkol_number_text.text_of "" v 10)
    | Str s -> if writing then write_string out s.text s.wide else for i = 0 to text_length s.text s.wide - 1 do put_utf8 out (text_get s.text s.wide i) done
    | Pair p ->
        if not (labelled out labels v) then begin
          put out "(";
          print out writing labels p.car;
          let rec tail x =
            match x with
            | Nil -> ()
            | Pair p when not (has_label labels x) ->
                put out " ";
                print out writing labels p.car;
                tail p.cdr
            | _ ->
                put out " . ";
                print out writing labels x
          in
          tail p.cdr;
          put out ")"
        end
    | Vec a ->
        if not (labelled out labels v) then begin
          put out "#(";
          for i = 0 to length_of a - 1 do
            if i > 0 then put out " ";
            print out writing labels (get a i)
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
          print out writing labels (get a i)
        done
    | Record { rtype = t } | Large { large_type = t } ->
        if not (labelled out labels v) then begin
          put out ("#<" ^ t.type_name);
          let rec fields names i =
            match names with
            | Pair p ->
                put out (" " ^ (if is_symbol p.car then symbol_name p.car else "?") ^ ": ");
                print out writing labels (Eshkol_data.record_slot v i);
                fields p.cdr (i + 1)
            | _ -> ()
          in
          fields t.fields 0;
          put out ">"
        end
    | Rtype t -> put out ("#<record-type " ^ t.type_name ^ ">")
    | Promise _ -> put out "#<promise>"
    | Box b ->
        if not (labelled out labels v) then begin
          put out "#&";
          print out writing labels b.held
        end
    | Table _ -> put out "#<hash-table>"
    | Port _ -> put out "#<port>"
    | Err e ->
        put out "#<error ";
        print out true labels e.message;
        (match e.irritants with Nil -> () | irritants -> put out " "; print out true labels irritants);
        put out ">"
    | Dual _ | Traced _ | Series _ -> print out writing labels (ground v)
    | Tensor _ -> print out writing labels (!tensor_view v)
    | Unspecified -> put out "#<unspecified>"
    | _ -> put out "#<default>"

(* Writes the label of an object that has one; true if the label is all. *)
and[@inline never] [@rare] labelled out labels v =
  let it = mark labels.of_objects v in
  if is_int it then begin
    put out ("#" ^ string_of_int (to_int it) ^ "#");
    true
  end
  else begin
    if it == Absent then begin
      put out ("#" ^ string_of_int labels.used ^ "=");
      set_mark labels.of_objects v (of_int labels.used);
      labels.used <- labels.used + 1
    end;
    false
  end

let[@inline never] text writing v =
  let out = builder () in
  print out writing (labels_of false v) v;
  builder_bytes out

let[@inline never] [@rare] shared_text v =
  let out = builder () in
  print out true (labels_of true v) v;
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
