(* Values of Eshkol programs: one variant type. Integers of 62 bits stand in it as they are,
   without an object, and so do floats near to one, and characters and interned symbols, as marks; so a
   [match] on a value has a default, and the places of constants are divisible by four. *)

type dyn =
  | Nil
  | Far of float (* a float that has no word and is not zero *)
  | Pair of { mutable car : dyn; mutable cdr : dyn }
  | Sym of symbol (* one that no text gives: [gensym] *)
  | False
  | Str of { mutable text : bytes; mutable wide : bool }
  | P1 of (dyn -> dyn) * string
  | Vec of dyn array
  | True
  | P0 of (unit -> dyn) * string
  | P2 of (dyn -> dyn -> dyn) * string
  | P3 of (dyn -> dyn -> dyn -> dyn) * string
  | Unspecified
  | P4 of (dyn -> dyn -> dyn -> dyn -> dyn) * string
  | PN of int * int * (dyn -> dyn) * string (* least and greatest count, -1 for any; takes a list *)
  | PK of int * int * (dyn -> dyn -> dyn) * string (* as PN, with the continuation first *)
  | Eof
  | PCase of dyn * string (* case-lambda: a list of procedures *)
  | Big of bool * int array (* negative?, digits in base 2^30, least first *)
  | Rat of dyn * dyn
  | Absent (* an optional argument that was not given *)
  | Bytes of bytes
  | Values of dyn array
  (* One of at most four fields; [Nil] stands for those that its type does not have. *)
  | Record of { rtype : rtype; mutable slot0 : dyn; mutable slot1 : dyn; mutable slot2 : dyn; mutable slot3 : dyn }
  | Undefined (* a variable before its definition *)
  | Rtype of rtype
  | Promise of { mutable state : int; mutable content : dyn } (* see [Eshkol_table] *)
  | Box of { mutable held : dyn }
  | Word (* never made: the place of integers, floats and marks in a match *)
  | Param of { mutable value : dyn; converter : dyn }
  | Cont of {
      mutable alive : bool;
      number : int; (* no other continuation has it *)
      saved_handlers : dyn;
      saved_winds : dyn;
      (* The rest of the program where continuations are first-class, else [Absent]. *)
      resume : dyn;
    }
  | Err of { kind : int; message : dyn; irritants : dyn; place : string }
  | Zero (* 0.0 *)
  | Table of table
  | Port of port
  | Caught of dyn (* an object on its way to a guard *)
  | Minus_zero (* -0.0 *)
  (* Numbers inside of derivatives (see [Eshkol_ad]): with a tangent, on a tape, as a power series. *)
  | Dual of { inside : level; primal : dyn; tangent : dyn }
  | Traced of { on : level; value : dyn; node : int }
  | Series of { along : level; terms : dyn array }
  | Level of level
  (* A continuation that is only used to leave, made where there are neither handlers nor dynamic extents. *)
  | Exit of { mutable reachable : bool; exit_number : int }
  | Large of { large_type : rtype; slots : dyn array } (* a record of more than four fields *)
  | Complex of dyn * dyn (* see [Eshkol_complex] *)
  | Tensor of tensor (* see [Eshkol_cells] *)
[@@known dynamic]

and symbol = { name : string }
and rtype = { type_name : string; fields : dyn }

and table = {
  mutable buckets : dyn array; (* association lists *)
  mutable size : int;
  weakness : int; (* 0 equal?, 1 eqv? and eq?, 2 string=? *)
}

and port = {
  mutable input : bool;
  mutable output : bool;
  mutable is_open : bool;
  mutable source : in_channel option;
  mutable target : out_channel option;
  (* The text of a string port; what was read ahead from a file. *)
  mutable buffer : bytes;
  mutable position : int;
  mutable limit : int;
  mutable column : int;
  mutable folds : bool; (* names are read in lower case *)
  binary : bool;
}

(* Numbers in rows, columns and so on, the last index fastest: as floats, or as [parts] if some are not. Floats that are
   on the tape of a derivative, [on], have nodes there that follow each other from [first]; else that is [Nil]. *)
and tensor = {
  shape : int array;
  mutable cells : float array;
  mutable parts : dyn array;
  mutable on : dyn;
  first : int;
}

(* What numbers that were made at once owe to others: each entry to the adjoint of [opd] from [from] a multiple of that of
   [res] from [at]. Without numbers they are 0, 1, 2 and so on; without factors the factor is 1; one stands for all. Or
   the factors of a product of matrices, [at] of [rows] and [columns], with the other operand. *)
and block =
  | Spread of { at : int; from : int; entries : int; res : int array; opd : int array; factors : float array }
  | Left_factor of { at : int; from : int; rows : int; inner : int; columns : int; other : float array }
  | Right_factor of { at : int; from : int; rows : int; inner : int; columns : int; other : float array }

(* A derivative that is being taken. One that began later has a greater tag: it is inside of the others. In reverse
   mode it has a tape of chunks (decision 320), the one that is being filled and the full ones, the last first. *)
and level = {
  tag : int;
  mutable live : bool;
  mutable nothing : dyn; (* the derivative of a constant *)
  mutable nodes : int;
  mutable chunk : chunk;
  mutable filled : int;
  mutable full : chunk list;
  (* Whether all derivatives on the tape are floats. *)
  mutable flat : bool;
  (* Of nodes that were made at once, the last first. *)
  mutable blocks : block list;
}

(* Entries of a tape. Most are a node with up to two operands, whose nodes are in its link; the derivatives with respect
   to them follow each other in [floats], or in [numbers] if they are not floats. A negative link is a block: minus the
   number of its nodes. *)
and chunk = { room : int; links : int array; floats : float array; numbers : dyn array }

external is_int : dyn -> bool = "%word.is_int"
external to_int : dyn -> int = "%word.to_int"
external of_int : int -> dyn = "%word.of_int"
external is_mark : dyn -> bool = "%word.is_mark"
external to_mark : dyn -> int = "%word.to_mark"
external of_mark : int -> dyn = "%word.of_mark"
external is_float_word : dyn -> bool = "%word.is_float"
external to_float_word : dyn -> float = "%word.to_float"
external of_float_word : float -> dyn = "%word.of_float"
external float_fits : float -> bool = "%word.float_fits"
external word_add : dyn -> dyn -> dyn = "%word.add"
external word_sub : dyn -> dyn -> dyn = "%word.sub"
external word_mul : dyn -> dyn -> dyn = "%word.mul"
external word_add_fits : dyn -> dyn -> bool = "%word.add_fits"
external word_sub_fits : dyn -> dyn -> bool = "%word.sub_fits"
external word_mul_fits : dyn -> dyn -> bool = "%word.mul_fits"
external word_less : dyn -> dyn -> bool = "%word.less"
external unreachable : unit -> 'a = "%unreachable"
external length_of : 'a array -> int = "%array.length"
external get : 'a array -> int -> 'a = "%array.unsafe_get"
external set : 'a array -> int -> 'a -> unit = "%array.unsafe_set"
external make : int -> 'a -> 'a array = "%array.unsafe_make"
external blit : 'a array -> int -> 'a array -> int -> int -> unit = "%array.unsafe_blit"

(* Kinds of error objects. *)
let kind_error = 0
let kind_file = 1
let kind_read = 2

exception Raised of dyn

(* A continuation is called: the one with the number [thrown_to] gets [thrown_value]. One that is only used
   to leave is called often, so the exception is a constant. *)
exception Thrown

let thrown_to = ref 0
let thrown_value : dyn ref = ref Nil
let thrown_continuation : dyn ref = ref Nil (* where continuations are values *)
let continuations = ref 0

let next_number () =
  continuations := !continuations + 1;
  !continuations

let throw number value =
  thrown_to := number;
  thrown_value := value;
  raise Thrown

let[@inline] thrown () =
  let value = !thrown_value in
  thrown_value := Nil;
  value

let[@inline] of_bool b = if b then True else False
let[@inline] truth v = not (v == False)
let[@inline] cons a b = Pair { car = a; cdr = b }
let[@inline] fits n = n >= -2305843009213693952 && n <= 2305843009213693951

(* Floats. Most have a word. *)

let[@inline never] [@cold] flo_without_word x =
  if x <> 0.0 then Far x else if 1.0 /. x > 0.0 then Zero else Minus_zero

let[@inline] flo x = if float_fits x then of_float_word x else flo_without_word x

let[@inline never] is_flo_without_word v = match v with Far _ | Zero | Minus_zero -> true | _ -> false
let[@inline] is_flo v = is_float_word v || is_flo_without_word v

let[@inline never] flo_of_other v = match v with Far x -> x | Minus_zero -> -0.0 | _ -> 0.0

(* The float in a value that is known to be one. *)
let[@inline] flo_of v = if is_float_word v then to_float_word v else flo_of_other v

(* Symbols *)

let hash_text text =
  let rec go i h =
    if i >= string_length text then h
    else go (i + 1) (((h * 31) + int_of_char (string_unsafe_get text i)) land 0xFFFFFFF)
  in
  go 0 7

(* The names of the symbols by their numbers; those of the program's text come first. *)
let symbol_names : string array ref = ref (make 64 "")
let symbol_count = ref 0
let symbol_numbers : (string * int) list array = make 1024 []
let[@inline] symbol_of_number number = of_mark ((number * 2) + 1)

let add_symbol text at =
  let number = !symbol_count in
  let room = length_of !symbol_names in
  if number >= room then begin
    let names = make (room * 2) "" in
    blit !symbol_names 0 names 0 room;
    symbol_names := names
  end;
  set !symbol_names number text;
  symbol_count := number + 1;
  set symbol_numbers at ((text, number) :: get symbol_numbers at);
  symbol_of_number number

let[@inline never] intern text =
  let at = hash_text text land 1023 in
  let rec find = function
    | [] -> add_symbol text at
    | (name, number) :: rest -> if name = text then symbol_of_number number else find rest
  in
  find (get symbol_numbers at)

(* The symbols of the program's text, which it knows by their numbers. *)
let known_symbols names =
  for i = 0 to length_of names - 1 do
    ignore (intern (get names i))
  done

let[@inline] is_symbol v =
  if is_mark v then to_mark v land 1 = 1 else (not (is_int v)) && match v with Sym _ -> true | _ -> false

let symbol_name v =
  if is_mark v then if to_mark v land 1 = 1 then get !symbol_names (to_mark v lsr 1) else ""
  else match v with Sym s -> s.name | _ -> ""

(* Characters *)

let[@inline] is_char v = is_mark v && to_mark v land 1 = 0
let[@inline] of_char c = of_mark (c * 2)
let[@inline] char_of v = to_mark v lsr 1

(* Strings hold characters in one byte each while all are below 256, else in four. *)

external get32 : bytes -> int -> int32 = "%bytes.unsafe_get32"
external set32 : bytes -> int -> int32 -> unit = "%bytes.unsafe_set32"
external int_of_int32 : int32 -> int = "%int32.to_int"
external int32_of_int : int -> int32 = "%int.to_int32"
external bytes_create : int -> bytes = "%bytes.create"
external byte_length : bytes -> int = "%bytes.length"
external get_byte : bytes -> int -> char = "%bytes.unsafe_get"
external set_byte : bytes -> int -> char -> unit = "%bytes.unsafe_set"
external copy_bytes : bytes -> int -> bytes -> int -> int -> unit = "%bytes.unsafe_blit"
external chr : int -> char = "%char.unsafe_chr"
external code : char -> int = "%char.code"

let[@inline] narrow_get text i = code (get_byte text i)
let[@inline] wide_get text i = int_of_int32 (get32 text (i * 4))
let[@inline] text_length text wide = if wide then byte_length text / 4 else byte_length text
let[@inline] text_get text wide i = if wide then wide_get text i else narrow_get text i

let[@inline] text_set text wide i c =
  if wide then set32 text (i * 4) (int32_of_int c) else set_byte text i (chr c)

let text_create wide n = bytes_create (if wide then n * 4 else n)

let widen text =
  let n = byte_length text in
  let made = bytes_create (n * 4) in
  for i = 0 to n - 1 do
    set32 made (i * 4) (int32_of_int (narrow_get text i))
  done;
  made

(* Copies [count] characters, widening on the way. *)
let text_blit from from_wide at into into_wide place count =
  if from_wide = into_wide then
    let unit_size = if from_wide then 4 else 1 in
    copy_bytes from (at * unit_size) into (place * unit_size) (count * unit_size)
  else
    for i = 0 to count - 1 do
      text_set into into_wide (place + i) (text_get from from_wide (at + i))
    done

(* A growing text. *)
type builder = { mutable chars : bytes; mutable broad : bool; mutable used : int }

let builder () = { chars = bytes_create 32; broad = false; used = 0 }

let[@inline never] add_code b c =
  if c > 255 && not b.broad then begin
    b.chars <- widen b.chars;
    b.broad <- true
  end;
  let capacity = text_length b.chars b.broad in
  if b.used >= capacity then begin
    let bigger = text_create b.broad (capacity * 2) in
    text_blit b.chars b.broad 0 bigger b.broad 0 b.used;
    b.chars <- bigger
  end;
  text_set b.chars b.broad b.used c;
  b.used <- b.used + 1

let[@inline never] built b =
  let text = text_create b.broad b.used in
  text_blit b.chars b.broad 0 text b.broad 0 b.used;
  Str { text; wide = b.broad }

(* Between UTF-8 and texts *)

let[@inline never] add_utf8 b s =
  let n = string_length s in
  let byte i = int_of_char (string_unsafe_get s i) in
  let rec go i =
    if i < n then
      let c = byte i in
      if c < 0x80 then (add_code b c; go (i + 1))
      else
        let extra = if c >= 0xF0 then 3 else if c >= 0xE0 then 2 else if c >= 0xC0 then 1 else 0 in
        if extra = 0 || i + extra >= n then (add_code b c; go (i + 1))
        else
          let first = c land (0x3F lsr extra) in
          let rec more k value = if k > extra then value else more (k + 1) ((value lsl 6) lor (byte (i + k) land 0x3F)) in
          add_code b (more 1 first);
          go (i + extra + 1)
  in
  go 0

let is_ascii s =
  let rec go i = i >= string_length s || (int_of_char (string_unsafe_get s i) < 128 && go (i + 1)) in
  go 0

let copy_of_string s =
  let n = string_length s in
  let made = bytes_create n in
  bytes_unsafe_blit_string s 0 made 0 n;
  made

let[@inline never] string_of_utf8 s =
  if is_ascii s then Str { text = copy_of_string s; wide = false }
  else
    let b = builder () in
    add_utf8 b s;
    built b

(* A constant by its text, in programs that change pairs, where each constant is made at the start. An open bracket
   begins a list, which a closing one ends, or a bar and what comes after the last pair. A mark of numbers and a count
   come before the elements of a vector; [s], [i] and [c] before the number of a symbol, an integer and a character; a
   quotation mark before the length and the bytes of a string. Numbers end with a semicolon. *)
let[@inline never] [@rare] unpacked text =
  let at = ref 0 in
  let next () =
    let it = string_unsafe_get text !at in
    at := !at + 1;
    it
  in
  let rec digits n = match next () with ';' -> n | c -> digits ((n * 10) + int_of_char c - 48) in
  let number () = match string_unsafe_get text !at with '-' -> at := !at + 1; - (digits 0) | _ -> digits 0 in
  let rec back made list =
    match made with Pair { car; cdr } -> back cdr (Pair { car; cdr = list }) | _ -> list in
  let rec datum () =
    match next () with
    | '(' -> items Nil
    | '.' -> Nil
    | 't' -> True
    | 'f' -> False
    | 's' -> symbol_of_number (number ())
    | 'c' -> of_char (number ())
    | '#' ->
      let n = number () in
      let made = make n Nil in
      for i = 0 to n - 1 do set made i (datum ()) done;
      Vec made
    | '"' ->
      let n = number () in
      let part = bytes_create n in
      bytes_unsafe_blit_string text !at part 0 n;
      at := !at + n;
      string_of_utf8 (bytes_unsafe_to_string part)
    | _ -> of_int (number ())
  and items made =
    match string_unsafe_get text !at with
    | ')' -> at := !at + 1; back made Nil
    | '|' -> at := !at + 1; back made (datum ())
    | _ -> let it = datum () in items (Pair { car = it; cdr = made })
  in
  datum ()

let add_byte b c = add_code b c

(* Adds the UTF-8 form of a character to a builder of bytes. *)
let[@inline never] put_utf8 b c =
  if c < 0x80 then add_byte b c
  else if c < 0x800 then (add_byte b (0xC0 lor (c lsr 6)); add_byte b (0x80 lor (c land 0x3F)))
  else if c < 0x10000 then begin
    add_byte b (0xE0 lor (c lsr 12));
    add_byte b (0x80 lor ((c lsr 6) land 0x3F));
    add_byte b (0x80 lor (c land 0x3F))
  end
  else begin
    add_byte b (0xF0 lor (c lsr 18));
    add_byte b (0x80 lor ((c lsr 12) land 0x3F));
    add_byte b (0x80 lor ((c lsr 6) land 0x3F));
    add_byte b (0x80 lor (c land 0x3F))
  end

let[@inline never] builder_bytes b =
  let text = bytes_create b.used in
  copy_bytes b.chars 0 text 0 b.used;
  bytes_unsafe_to_string text

let[@inline never] utf8_of_text text wide =
  let n = text_length text wide in
  let b = builder () in
  for i = 0 to n - 1 do
    put_utf8 b (text_get text wide i)
  done;
  builder_bytes b

let utf8_of v = match v with Str s -> utf8_of_text s.text s.wide | _ -> ""

(* Errors *)

let handlers : dyn ref = ref Nil
let winds : dyn ref = ref Nil
let first_class = ref false

let[@inline never] no_handler obj = raise (Raised obj)

let rec list_length_from v n = match v with Pair p -> list_length_from p.cdr (n + 1) | _ -> n

let plural n = if n = 1 then "" else "s"

external caller : unit -> string = "%sys.caller"

let[@inline never] [@rare] placed_error place message irritants =
  Err { kind = kind_error; message = string_of_utf8 message; irritants; place }

(* What the library finds out where it knows no place is told at the program's call of it (decision 132). *)
let[@inline never] [@rare] known_place place = if place = "" then caller () else place
let[@inline never] [@rare] error_object place message irritants = placed_error (known_place place) message irritants

let accepts least most =
  if most = least then string_of_int least ^ " argument" ^ plural least
  else if most < 0 then "at least " ^ string_of_int least ^ " argument" ^ plural least
  else string_of_int least ^ " to " ^ string_of_int most ^ " arguments"

let named name = if name = "" then "an anonymous procedure" else name

(* The counts that clauses take, in their order: "1, 2 or at least 4". *)
let[@inline never] [@rare] rec clause_counts clauses sep =
  match clauses with
  | Pair { car = clause; cdr = rest } ->
      let one n = string_of_int n in
      let text =
        match clause with
        | P0 _ -> one 0
        | P1 _ -> one 1
        | P2 _ -> one 2
        | P3 _ -> one 3
        | P4 _ -> one 4
        | PN (least, most, _, _) | PK (least, most, _, _) -> if most < 0 then "at least " ^ one least else one least
        | _ -> ""
      in
      let next = match rest with Pair { cdr = Nil; _ } -> " or " | _ -> ", " in
      sep ^ text ^ clause_counts rest next
  | _ -> ""

let[@inline never] [@rare] clause_error place name clauses given =
  let counts = clause_counts clauses "" in
  let noun = if String.equal counts "1" then " argument" else " arguments" in
  error_object place
    (named name ^ " takes " ^ counts ^ noun ^ ", but was called with " ^ string_of_int given)
    Nil

let[@inline never] [@rare] count_error place name least most given =
  error_object place
    (named name ^ " takes " ^ accepts least most ^ ", but was called with " ^ string_of_int given)
    Nil

(* Procedures. A handler is called where an object is raised; [False] among the handlers stands for
   a [guard], which is an exception handler of the host. *)

let case_accepts proc count =
  match proc with
  | P0 _ -> count = 0
  | P1 _ -> count = 1
  | P2 _ -> count = 2
  | P3 _ -> count = 3
  | P4 _ -> count = 4
  | PN (least, most, _, _) -> count >= least && (most < 0 || count <= most)
  | PK (least, most, _, _) -> count >= least && (most < 0 || count <= most)
  | _ -> false

let[@inline] first args = match args with Pair p -> p.car | _ -> Absent
let[@inline] rest args = match args with Pair p -> p.cdr | _ -> Nil
let[@inline never] second v = first (rest v)
let[@inline never] third v = second (rest v)
let[@inline never] fourth v = third (rest v)
let identity = P1 ((fun v -> v), "")

let rec apply_list place f args =
  match f with
  | P1 (g, name) -> (
      match args with
      | Pair { car = a; cdr = Nil } -> g a
      | _ -> wrong_count place name 1 1 args)
  | P2 (g, name) ->
      if list_length_from args 0 = 2 then g (first args) (second args) else wrong_count place name 2 2 args
  | P0 (g, name) -> ( match args with Nil -> g () | _ -> wrong_count place name 0 0 args)
  | P3 (g, name) ->
      if list_length_from args 0 = 3 then g (first args) (second args) (third args)
      else wrong_count place name 3 3 args
  | P4 (g, name) ->
      if list_length_from args 0 = 4 then g (first args) (second args) (third args) (fourth args)
      else wrong_count place name 4 4 args
  | PN (least, most, g, name) ->
      let count = list_length_from args 0 in
      if count >= least && (most < 0 || count <= most) then g args
      else wrong_count place name least most args
  | PCase (clauses, name) -> apply_list place (choose_clause place clauses name args) args
  | _ -> apply_other place f args

(* What is seldom called with its arguments in a list. *)
and[@inline never] [@rare] apply_other place f args =
  match f with
  | PK (least, most, g, name) ->
      (* From direct code: what it captures ends here. *)
      let count = list_length_from args 0 in
      if count >= least && (most < 0 || count <= most) then g identity args
      else wrong_count place name least most args
  | Param p -> ( match args with Nil -> p.value | _ -> wrong_count place "a parameter object" 0 0 args)
  | Cont _ | Exit _ -> throw_to place f args
  | _ -> fail_here (error_object place "attempt to call something that is not a procedure:" (cons f Nil))

and[@inline never] choose_clause place clauses name args =
  let count = list_length_from args 0 in
  let rec choose left =
    match left with
    | Pair { car = clause; cdr = rest } -> if case_accepts clause count then clause else choose rest
    | _ -> fail_here (clause_error place name clauses count)
  in
  choose clauses

and[@inline never] [@cold] wrong_count place name least most args =
  fail_here (count_error place name least most (list_length_from args 0))

(* Raises an object that no handler may return from. Of one type, so that there is one copy of all this. *)
and[@inline never] fail_here obj =
  ignore (raise_object obj false);
  raise (Raised obj)

and[@inline never] raise_object obj continuable =
  if !first_class then raise (Raised obj)
  else
    match !handlers with
    | Pair { car = False; _ } | Nil -> raise (Raised obj)
    | Pair { car = handler; cdr = outer } ->
        let saved = !handlers in
        handlers := outer;
        let result = apply_list "" handler (cons obj Nil) in
        if continuable then begin
          handlers := saved;
          result
        end
        else
          raise_object
            (error_object "" "an exception handler returned from a raise that is not continuable:"
               (cons obj Nil))
            false
    | _ -> raise (Raised obj)

(* Runs the exits of dynamic extents up to those of [target], then the entries of the others. *)
and[@inline never] rewind target =
  let here = !winds in
  if here != target then begin
    let depth v = list_length_from v 0 in
    let[@inline never] [@rare] rec leave here target =
      if here != target then
        if depth here > depth target then begin
          match here with
          | Pair { car = Pair { cdr = after; _ }; cdr = rest } ->
              winds := rest;
              ignore (apply_list "" after Nil);
              leave rest target
          | _ -> ()
        end
        else
          match target with
          | Pair { car = Pair { car = before; _ }; cdr = rest } ->
              if depth here = depth target then begin
                match here with
                | Pair { car = Pair { cdr = after; _ }; cdr = outer } ->
                    winds := outer;
                    ignore (apply_list "" after Nil);
                    leave outer rest
                | _ -> ()
              end
              else leave here rest;
              ignore (apply_list "" before Nil);
              winds := target
          | _ -> ()
    in
    leave here target
  end

and[@inline never] [@rare] throw_to place k args =
  match args with
  | Pair { car = v; cdr = Nil } -> throw_one place k v
  | _ ->
      let n = list_length_from args 0 in
      let all = make n Nil in
      let rec fill v i = match v with Pair p -> set all i p.car; fill p.cdr (i + 1) | _ -> () in
      fill args 0;
      throw_one place k (Values all)

and[@inline never] throw_one place k value =
  match k with
  | Exit e ->
      if e.reachable then begin
        if !winds != Nil then rewind Nil;
        if !handlers != Nil then handlers := Nil;
        throw e.exit_number value
      end
      else over place
  | Cont c ->
      if !first_class then begin
        thrown_continuation := k;
        throw c.number value
      end
      else if c.alive then begin
        if c.saved_winds != !winds then rewind c.saved_winds;
        handlers := c.saved_handlers;
        throw c.number value
      end
      else over place
  | _ -> Nil

and[@inline never] over place =
  fail_here (error_object place "this continuation is over: it was called after its extent had ended" Nil)

let[@inline never] [@cold] fail obj =
  ignore (fail_here obj);
  raise (Raised obj)

(* The number that the program sees of one inside of derivatives. *)
let rec ground v =
  if is_int v then v
  else
    match v with
    | Dual d -> ground d.primal
    | Traced t -> ground t.value
    | Series s -> ground (get s.terms 0)
    | _ -> v

let is_active v = (not (is_int v)) && match v with Dual _ | Traced _ | Series _ -> true | _ -> false

(* Arithmetic on numbers inside of derivatives: [Eshkol_ad] puts it here when one is taken, so that
   programs without derivatives do not contain it. *)
let active_binary : (int -> string -> dyn -> dyn -> dyn) ref = ref (fun _ _ a _ -> a)
let active_unary : (int -> string -> dyn -> dyn) ref = ref (fun _ _ a -> a)

(* The same for complex numbers: [Eshkol_complex] puts it here in programs that mention them. *)
let has_complex = ref false
let complex_binary : (int -> string -> dyn -> dyn -> dyn) ref = ref (fun _ _ a _ -> a)
let complex_unary : (int -> string -> dyn -> dyn) ref = ref (fun _ _ a -> a)
let complex_text : (string -> dyn -> int -> string) ref = ref (fun _ _ _ -> "")
let complex_reader : (string -> int -> char -> dyn) ref = ref (fun _ _ _ -> False)

(* What other modules do with tensors: [Eshkol_cells] puts it here when one is made. *)
let tensor_view : (dyn -> dyn) ref = ref (fun v -> v)
let tensor_item : (string -> string -> dyn -> dyn -> dyn) ref = ref (fun _ _ v _ -> v)

let rec is_live v =
  (not (is_int v))
  &&
  match v with
  | Dual d -> d.inside.live || is_live d.primal
  | Traced t -> t.on.live || is_live t.value
  | Series s -> s.along.live || is_live (get s.terms 0)
  | _ -> false

(* For operations that would give a constant where there is a derivative. *)
let[@inline never] [@rare] lost place who v =
  if is_live v then
    fail
      (error_object place (who ^ ": the derivative of this number would be lost:") (cons (ground v) Nil))
  else ground v

let[@inline never] [@cold] wrong place who what v =
  fail (error_object place (who ^ ": expected " ^ what ^ ", but got") (cons v Nil))

let[@inline never] [@cold] domain place who message v = fail (error_object place (who ^ ": " ^ message) (cons v Nil))

let[@inline] call0 place f = match f with P0 (g, _) -> g () | _ -> apply_list place f Nil

let[@inline never] call1_other place f a =
  match f with Cont _ | Exit _ -> throw_one place f a | _ -> apply_list place f (cons a Nil)

let[@inline] call1 place f a = match f with P1 (g, _) -> g a | _ -> call1_other place f a

let[@inline] call2 place f a b =
  match f with P2 (g, _) -> g a b | _ -> apply_list place f (cons a (cons b Nil))

let[@inline] call3 place f a b c =
  match f with P3 (g, _) -> g a b c | _ -> apply_list place f (cons a (cons b (cons c Nil)))

let[@inline] call4 place f a b c d =
  match f with
  | P4 (g, _) -> g a b c d
  | _ -> apply_list place f (cons a (cons b (cons c (cons d Nil))))

let is_procedure f =
  match f with P0 _ | P1 _ | P2 _ | P3 _ | P4 _ | PN _ | PK _ | PCase _ | Param _ | Cont _ | Exit _ -> true | _ -> false

(* The value of a variable that may not be defined yet. *)
let[@inline] defined place name v =
  match v with
  | Undefined -> fail (error_object place ("variable used before its definition: " ^ name) Nil)
  | _ -> v

(* An argument of a procedure that takes them as a list. *)

(* Programs in continuation-passing style: a continuation is a procedure of one argument. *)

let throw_hook : dyn ref = ref Nil

let make_continuation k =
  Cont { alive = true; number = next_number (); saved_handlers = !handlers; saved_winds = !winds; resume = k }

let continuation_winds v = match v with Cont k -> k.saved_winds | _ -> Nil
let continuation_handlers v = match v with Cont k -> k.saved_handlers | _ -> Nil
let resume v value = match v with Cont k -> call1 "" k.resume value | _ -> Nil

let one_value args =
  match args with
  | Pair { car = v; cdr = Nil } -> v
  | _ ->
      let n = list_length_from args 0 in
      let all = make n Nil in
      let rec fill v i = match v with Pair p -> set all i p.car; fill p.cdr (i + 1) | _ -> () in
      fill args 0;
      Values all

let rec cps_call place f k args =
  match f with
  | PK (least, most, g, name) ->
      let count = list_length_from args 0 in
      if count >= least && (most < 0 || count <= most) then g k args
      else wrong_count place name least most args
  | PCase (clauses, name) -> cps_call place (choose_clause place clauses name args) k args
  | Cont c ->
      if c.saved_winds == !winds then begin
        handlers := c.saved_handlers;
        call1 place c.resume (one_value args)
      end
      else cps_call place !throw_hook k (cons f (cons (one_value args) Nil))
  | _ -> call1 place k (apply_list place f args)

(* What a guard caught, and the continuation of the handler that caught it. *)
let make_caught v again = Caught (cons v again)
let is_caught v = match v with Caught _ -> true | _ -> false
let caught_object v = match v with Caught v -> first v | _ -> v
let caught_again v = match v with Caught v -> rest v | _ -> v

let cps_apply_values place f k v =
  match v with
  | Values a ->
      let rec go i acc = if i < 0 then acc else go (i - 1) (cons (get a i) acc) in
      cps_call place f k (go (length_of a - 1) Nil)
  | _ -> cps_call place f k (cons v Nil)

(* The last of the arguments is a list. *)
let rec spread place args =
  match args with
  | Pair { car = last; cdr = Nil } -> (
      let rec proper v = match v with Nil -> true | Pair p -> proper p.cdr | _ -> false in
      if proper last then last else wrong place "apply" "a list" last)
  | Pair p -> cons p.car (spread place p.cdr)
  | _ -> Nil

let cps_apply place f k first more = cps_call place f k (spread place (cons first more))

(* The place of a call; the compiler writes the text instead. *)
let nothing () = Unspecified
