(* Characters, strings, symbols, bytevectors. *)

open Eshkol_value
open Eshkol_data

(* Characters *)

let is_char v = Eshkol_value.is_char v
let[@inline] char_code place who v = if is_char v then char_of v else wrong place who "a character" v
let char_to_integer place v = char_code place "char->integer" v

let integer_to_char place v =
  if is_int v && to_int v >= 0 && to_int v <= 0x10FFFF && not (to_int v >= 0xD800 && to_int v <= 0xDFFF) then of_char (to_int v)
  else wrong place "integer->char" "the number of a character" v

let upcase_code c = Eshkol_unicode.up c
let downcase_code c = Eshkol_unicode.down c
let char_upcase place v = of_char (upcase_code (char_code place "char-upcase" v))
let char_downcase place v = of_char (downcase_code (char_code place "char-downcase" v))
let char_foldcase place v = of_char (Eshkol_unicode.fold (char_code place "char-foldcase" v))
let is_alphabetic_code c = Eshkol_unicode.is_alphabetic c
let is_alphabetic place v = is_alphabetic_code (char_code place "char-alphabetic?" v)
let is_numeric place v = Eshkol_unicode.digit_value (char_code place "char-numeric?" v) >= 0
let is_blank_code c = Eshkol_unicode.is_blank c
let is_whitespace place v = is_blank_code (char_code place "char-whitespace?" v)
let is_upper place v = Eshkol_unicode.is_upper (char_code place "char-upper-case?" v)
let is_lower place v = Eshkol_unicode.is_lower (char_code place "char-lower-case?" v)

let digit_value place v =
  let it = Eshkol_unicode.digit_value (char_code place "digit-value" v) in
  if it >= 0 then of_int it else False

let char_eq place a b = char_code place "char=?" a = char_code place "char=?" b
let char_lt place a b = char_code place "char<?" a < char_code place "char<?" b
let char_gt place a b = char_code place "char>?" a > char_code place "char>?" b
let char_le place a b = char_code place "char<=?" a <= char_code place "char<=?" b
let char_ge place a b = char_code place "char>=?" a >= char_code place "char>=?" b
let folded_code place who v = Eshkol_unicode.fold (char_code place who v)
let char_ci_eq place a b = folded_code place "char-ci=?" a = folded_code place "char-ci=?" b
let char_ci_lt place a b = folded_code place "char-ci<?" a < folded_code place "char-ci<?" b
let char_ci_gt place a b = folded_code place "char-ci>?" a > folded_code place "char-ci>?" b
let char_ci_le place a b = folded_code place "char-ci<=?" a <= folded_code place "char-ci<=?" b
let char_ci_ge place a b = folded_code place "char-ci>=?" a >= folded_code place "char-ci>=?" b

(* Strings *)

let is_string v = match v with Str _ -> true | _ -> false
let string_length_of place v = match v with Str s -> text_length s.text s.wide | _ -> wrong place "string-length" "a string" v

let string_ref place v k =
  match v with
  | Str s ->
      if is_int k && int_ult (to_int k) (text_length s.text s.wide) then of_char (text_get s.text s.wide (to_int k))
      else if is_int k then domain place "string-ref" "index out of range:" k
      else wrong place "string-ref" "an index" k
  | _ -> wrong place "string-ref" "a string" v

let string_set place v k c =
  match v with
  | Str s ->
      let c = char_code place "string-set!" c in
      if not (is_int k && int_ult (to_int k) (text_length s.text s.wide)) then
        domain place "string-set!" "index out of range:" k
      else begin
        if c > 255 && not s.wide then begin
          s.text <- widen s.text;
          s.wide <- true
        end;
        text_set s.text s.wide (to_int k) c
      end
  | _ -> wrong place "string-set!" "a string" v

let make_string place n fill =
  let n = natural place "make-string" n in
  let c = match fill with Absent -> 32 | _ -> char_code place "make-string" fill in
  let wide = c > 255 in
  let text = text_create wide n in
  for i = 0 to n - 1 do
    text_set text wide i c
  done;
  Str { text; wide }

let list_to_string place v =
  let rec measure x n wide =
    match x with
    | Pair p ->
        let c = char_code place "list->string" p.car in
        measure p.cdr (n + 1) (wide || c > 255)
    | Nil -> (n, wide)
    | _ -> wrong place "list->string" "a list of characters" v
  in
  let n, wide = measure v 0 false in
  let text = text_create wide n in
  let rec fill x i =
    match x with
    | Pair p ->
        text_set text wide i (char_of p.car);
        fill p.cdr (i + 1)
    | _ -> ()
  in
  fill v 0;
  Str { text; wide }

let string_sub place who v start until =
  match v with
  | Str s ->
      let start, until = range place who start until (text_length s.text s.wide) in
      let n = until - start in
      let text = text_create s.wide n in
      text_blit s.text s.wide start text s.wide 0 n;
      Str { text; wide = s.wide }
  | _ -> wrong place who "a string" v

let substring place v start until = string_sub place "substring" v start until
let string_copy place v start until = string_sub place "string-copy" v start until

let string_append place strings =
  let rec measure l n wide =
    match l with
    | Pair { car = Str s; cdr } -> measure cdr (n + text_length s.text s.wide) (wide || s.wide)
    | Pair p -> wrong place "string-append" "a string" p.car
    | _ -> (n, wide)
  in
  let n, wide = measure strings 0 false in
  let text = text_create wide n in
  let rec fill l at =
    match l with
    | Pair { car = Str s; cdr } ->
        let k = text_length s.text s.wide in
        text_blit s.text s.wide 0 text wide at k;
        fill cdr (at + k)
    | _ -> ()
  in
  fill strings 0;
  Str { text; wide }

let string_append2 place a b = string_append place (cons a (cons b Nil))

let string_to_list place v start until =
  match v with
  | Str s ->
      let start, until = range place "string->list" start until (text_length s.text s.wide) in
      let rec go i acc = if i < start then acc else go (i - 1) (cons (of_char (text_get s.text s.wide i)) acc) in
      go (until - 1) Nil
  | _ -> wrong place "string->list" "a string" v

let string_fill place v c start until =
  match v with
  | Str s ->
      let start, until = range place "string-fill!" start until (text_length s.text s.wide) in
      for i = start to until - 1 do
        string_set place v (of_int i) c
      done
  | _ -> wrong place "string-fill!" "a string" v

let string_copy_to place into at from start until =
  match from with
  | Str s -> (
      let start, until = range place "string-copy!" start until (text_length s.text s.wide) in
      match into with
      | Str t ->
          let at_n = index place "string-copy!" at (text_length t.text t.wide) in
          if at_n + until - start > text_length t.text t.wide then domain place "string-copy!" "no room from index" at
          else begin
            if s.wide && not t.wide then begin
              t.text <- widen t.text;
              t.wide <- true
            end;
            text_blit s.text s.wide start t.text t.wide at_n (until - start)
          end
      | _ -> wrong place "string-copy!" "a string" into)
  | _ -> wrong place "string-copy!" "a string" from

let compare_texts place who a b =
  match a with
  | Str s -> (
      match b with
      | Str t ->
          let n = text_length s.text s.wide and m = text_length t.text t.wide in
          let rec go i =
            if i >= n then if i >= m then 0 else -1
            else if i >= m then 1
            else
              let x = text_get s.text s.wide i and y = text_get t.text t.wide i in
              if x < y then -1 else if x > y then 1 else go (i + 1)
          in
          go 0
      | _ -> wrong place who "a string" b)
  | _ -> wrong place who "a string" a

let string_eq place a b = compare_texts place "string=?" a b = 0
let string_lt place a b = compare_texts place "string<?" a b < 0
let string_gt place a b = compare_texts place "string>?" a b > 0
let string_le place a b = compare_texts place "string<=?" a b <= 0
let string_ge place a b = compare_texts place "string>=?" a b >= 0
(* `add` adds what becomes of a character. *)
let string_mapped place who add v =
  match v with
  | Str s ->
      let b = builder () in
      for i = 0 to text_length s.text s.wide - 1 do
        add b (text_get s.text s.wide i)
      done;
      built b
  | _ -> wrong place who "a string" v

(* What a character becomes where that may be several: sharp s has no capital of its own. *)
let add_long b table one c =
  let at = Eshkol_unicode.long table c in
  if at < 0 then add_code b (one c)
  else begin
    add_code b (Eshkol_unicode.number table at);
    add_code b (Eshkol_unicode.number table (at + 3));
    let third = Eshkol_unicode.number table (at + 6) in
    if third > 0 then add_code b third
  end

let string_upcase place v =
  string_mapped place "string-upcase" (fun b c -> add_long b Eshkol_unicode_tables.long_ups Eshkol_unicode.up c) v

let folded place who v =
  string_mapped place who (fun b c -> add_long b Eshkol_unicode_tables.long_folds Eshkol_unicode.fold c) v

let string_foldcase place v = folded place "string-foldcase" v

(* A sigma that ends a word has a form of its own. *)
let ends_word text wide i =
  let letter i = i >= 0 && i < text_length text wide && Eshkol_unicode.is_alphabetic (text_get text wide i) in
  letter (i - 1) && not (letter (i + 1))

let string_downcase place v =
  match v with
  | Str s ->
      let b = builder () in
      for i = 0 to text_length s.text s.wide - 1 do
        let c = text_get s.text s.wide i in
        if c = 0x3A3 && ends_word s.text s.wide i then add_code b 0x3C2
        else begin
          add_code b (Eshkol_unicode.down c);
          (* The dot that stays where a capital i with dot goes down. *)
          if c = 0x130 then add_code b 0x307
        end
      done;
      built b
  | _ -> wrong place "string-downcase" "a string" v

let compare_folded place who a b = compare_texts place who (folded place who a) (folded place who b)
let string_ci_eq place a b = compare_folded place "string-ci=?" a b = 0
let string_ci_lt place a b = compare_folded place "string-ci<?" a b < 0
let string_ci_gt place a b = compare_folded place "string-ci>?" a b > 0
let string_ci_le place a b = compare_folded place "string-ci<=?" a b <= 0
let string_ci_ge place a b = compare_folded place "string-ci>=?" a b >= 0

(* The first place of a text in another from a position; -1 if there is none. *)
let find_text s sw t tw from =
  let n = text_length s sw and m = text_length t tw in
  let rec matches i j = j >= m || (text_get s sw (i + j) = text_get t tw j && matches i (j + 1)) in
  let rec go i = if i + m > n then -1 else if matches i 0 then i else go (i + 1) in
  go from

let string_search place pattern v start =
  match pattern with
  | Str p -> (
      match v with
      | Str s ->
          let from = bound place "string-search-forward" start (text_length s.text s.wide) 0 in
          let at = find_text s.text s.wide p.text p.wide from in
          if at < 0 then False else of_int at
      | _ -> wrong place "string-search-forward" "a string" v)
  | _ -> wrong place "string-search-forward" "a string" pattern

let string_contains place v pattern = string_search place pattern v Absent

let string_to_vector place v start until = Vec (array_of_list place "string->vector" (string_to_list place v start until))
let vector_to_string place v start until = list_to_string place (vector_to_list place v start until)

(* Symbols *)

let is_symbol v = Eshkol_value.is_symbol v
let symbol_to_string place v = if is_symbol v then string_of_utf8 (symbol_name v) else wrong place "symbol->string" "a symbol" v
let string_to_symbol place v = match v with Str _ -> intern (utf8_of v) | _ -> wrong place "string->symbol" "a string" v
let gensym_count = ref 0

let gensym prefix =
  incr gensym_count;
  let prefix = if is_symbol prefix then symbol_name prefix else match prefix with Str _ -> utf8_of prefix | _ -> "g" in
  Sym { name = prefix ^ string_of_int !gensym_count }

(* Bytevectors *)

let is_bytevector v = match v with Bytes _ -> true | _ -> false
let bytes_of place who v = match v with Bytes b -> b | _ -> wrong place who "a bytevector" v
let byte_of place who v = if is_int v && int_ult (to_int v) 256 then to_int v else wrong place who "a byte" v

let make_bytevector place n fill =
  let n = natural place "make-bytevector" n in
  let made = bytes_create n in
  let c = match fill with Absent -> 0 | _ -> byte_of place "make-bytevector" fill in
  for i = 0 to n - 1 do
    set_byte made i (chr c)
  done;
  Bytes made

let bytevector place items =
  let a = array_of_list place "bytevector" items in
  let made = bytes_create (length_of a) in
  for i = 0 to length_of a - 1 do
    set_byte made i (chr (byte_of place "bytevector" (get a i)))
  done;
  Bytes made

let bytevector_length place v = byte_length (bytes_of place "bytevector-length" v)

let bytevector_ref place v k =
  let b = bytes_of place "bytevector-u8-ref" v in
  if is_int k && int_ult (to_int k) (byte_length b) then narrow_get b (to_int k)
  else domain place "bytevector-u8-ref" "index out of range:" k

let bytevector_set place v k x =
  let b = bytes_of place "bytevector-u8-set!" v in
  if is_int k && int_ult (to_int k) (byte_length b) then set_byte b (to_int k) (chr (byte_of place "bytevector-u8-set!" x))
  else domain place "bytevector-u8-set!" "index out of range:" k

let bytevector_copy place v start until =
  let b = bytes_of place "bytevector-copy" v in
  let start, until = range place "bytevector-copy" start until (byte_length b) in
  let made = bytes_create (until - start) in
  copy_bytes b start made 0 (until - start);
  Bytes made

let bytevector_copy_to place into at from start until =
  let target = bytes_of place "bytevector-copy!" into and b = bytes_of place "bytevector-copy!" from in
  let start, until = range place "bytevector-copy!" start until (byte_length b) in
  let at_n = index place "bytevector-copy!" at (byte_length target) in
  if at_n + until - start > byte_length target then domain place "bytevector-copy!" "no room from index" at
  else copy_bytes b start target at_n (until - start)

let bytevector_append place all =
  let rec total l n = match l with Pair p -> total p.cdr (n + byte_length (bytes_of place "bytevector-append" p.car)) | _ -> n in
  let made = bytes_create (total all 0) in
  let rec fill l at =
    match l with
    | Pair p ->
        let b = bytes_of place "bytevector-append" p.car in
        copy_bytes b 0 made at (byte_length b);
        fill p.cdr (at + byte_length b)
    | _ -> ()
  in
  fill all 0;
  Bytes made

let utf8_to_string place v start until =
  match bytevector_copy place v start until with
  | Bytes b -> string_of_utf8 (bytes_unsafe_to_string b)
  | other -> other

let string_to_utf8 place v start until = Bytes (copy_of_string (utf8_of (string_sub place "string->utf8" v start until)))
