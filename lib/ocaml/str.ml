(* Regular expressions of the library str: backtracking, the leftmost match, the first
   alternative that leads to one. *)

[@@@hidden "node parser is_word parse_class concat_of parse_expression parse_sequence"]
[@@@hidden "parse_postfix parse_one parse_backslash fold machine can_be_empty run last attempt search"]
[@@@hidden "no_match next_match progress group_fault matches_one first_characters first_of can_begin attempt_in"]
[@@@abstract "regexp node parser"]

type node =
  | Char of char
  | Any  (** all but a newline *)
  | Set of string  (** 256 characters, `\001` for those that are in it *)
  | Sequence of node list
  | Choice of node * node
  | Star of node
  | Plus of node
  | Optional of node
  | Group of int * node
  | Reference of int
  | Line_start
  | Line_end
  | Word_boundary

type regexp = {
  node : node;
  groups : int;  (** the whole match is the first *)
  folds_case : bool;
  mutable first : string;  (** what [first_characters] says, once it was asked; one character before that *)
}

(* Reading *)

let fold c = Char.lowercase c

let is_word = function
  | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' -> true
  | '\192' .. '\214' | '\216' .. '\246' | '\248' .. '\255' -> true
  | _ -> false

type parser = { text : string; folds : bool; mutable at : int; mutable opened : int }

let concat_of = function [ one ] -> one | nodes -> Sequence nodes

let parse_class p =
  let text = p.text in
  let length = String.length text in
  let set = Bytes.make 256 '\000' in
  let set_one c = Bytes.set set (Char.code c) '\001' in
  (* Both cases are in a set before it is complemented. *)
  let add c =
    set_one c;
    if p.folds then begin
      set_one (fold c);
      set_one (Char.uppercase c)
    end
  in
  let closed at = if at >= length then failwith "[ class not closed by ]" in
  closed p.at;
  let complement = text.[p.at] = '^' in
  if complement then p.at <- p.at + 1;
  let rec items at first =
    closed at;
    let c = text.[at] in
    if c = ']' && not first then at + 1
    else if at + 2 < length && text.[at + 1] = '-' && text.[at + 2] <> ']' then begin
      for code = Char.code c to Char.code text.[at + 2] do
        add (Char.chr code)
      done;
      items (at + 3) false
    end
    else begin
      add c;
      items (at + 1) false
    end
  in
  p.at <- items p.at true;
  let flip c = if c = '\000' then '\001' else '\000' in
  Set (Bytes.to_string (if complement then Bytes.map flip set else set))

let rec parse_expression p =
  let first = parse_sequence p in
  let rec more left =
    if p.at + 1 < String.length p.text && p.text.[p.at] = '\\' && p.text.[p.at + 1] = '|' then begin
      p.at <- p.at + 2;
      more (Choice (left, parse_sequence p))
    end
    else left
  in
  more first

and parse_sequence p =
  let rec items taken =
    let stops =
      p.at >= String.length p.text
      || p.text.[p.at] = '\\'
         && p.at + 1 < String.length p.text
         && (p.text.[p.at + 1] = '|' || p.text.[p.at + 1] = ')')
    in
    if stops then concat_of (List.rev taken) else items (parse_postfix p :: taken)
  in
  items []

and parse_postfix p =
  let rec more node =
    if p.at >= String.length p.text then node
    else
      let repeated make =
        p.at <- p.at + 1;
        more (make node)
      in
      match p.text.[p.at] with
      | '*' -> repeated (fun node -> Star node)
      | '+' -> repeated (fun node -> Plus node)
      | '?' -> repeated (fun node -> Optional node)
      | _ -> node
  in
  more (parse_one p)

and parse_one p =
  let c = p.text.[p.at] in
  p.at <- p.at + 1;
  match c with
  | '\\' -> parse_backslash p
  | '[' -> parse_class p
  | '^' -> Line_start
  | '$' -> Line_end
  | '.' -> Any
  | c -> Char c

and parse_backslash p =
  if p.at >= String.length p.text then Char '\\'
  else begin
    let c = p.text.[p.at] in
    p.at <- p.at + 1;
    match c with
    | '(' ->
        let number = p.opened in
        p.opened <- number + 1;
        let inside = parse_expression p in
        let closed =
          p.at + 1 < String.length p.text && p.text.[p.at] = '\\' && p.text.[p.at + 1] = ')'
        in
        if not closed then failwith "\\( group not closed by \\)";
        p.at <- p.at + 2;
        Group (number, inside)
    | '1' .. '9' -> Reference (Char.code c - 48)
    | 'b' -> Word_boundary
    | c -> Char c
  end

let machine text folds_case =
  let p = { text; folds = folds_case; at = 0; opened = 1 } in
  let node = parse_expression p in
  if p.at < String.length text then failwith "spurious \\) in regular expression";
  { node; groups = p.opened; folds_case; first = "?" }

let regexp text = machine text false
let regexp_case_fold text = machine text true

let quote text =
  let buffer = Buffer.create (2 * String.length text) in
  String.iter
    (fun c ->
      (match c with
      | '[' | ']' | '*' | '.' | '\\' | '?' | '+' | '^' | '$' -> Buffer.add_char buffer '\\'
      | _ -> ());
      Buffer.add_char buffer c)
    text;
  Buffer.contents buffer

let regexp_string text = regexp (quote text)
let regexp_string_case_fold text = regexp_case_fold (quote text)

(* Matching *)

(* The text ended where more of it could have led to a match. *)
exception Partial

let rec can_be_empty = function
  | Char _ | Any | Set _ -> false
  | Sequence nodes -> List.for_all can_be_empty nodes
  | Choice (a, b) -> can_be_empty a || can_be_empty b
  | Star _ | Optional _ | Line_start | Line_end | Word_boundary | Reference _ -> true
  | Plus node | Group (_, node) -> can_be_empty node

let matches_one folds node c =
  match node with
  | Char wanted -> if folds then fold c = fold wanted else c = wanted
  | Any -> c <> '\n'
  | Set set -> String.unsafe_get set (Char.code c) = '\001'
  | _ -> false

(* Matches a node at a place and goes on with [next]; places of groups that lead nowhere are put
   back. *)
let rec run re partial text places node at next =
  let length = String.length text in
  match node with
  | Char _ | Any | Set _ ->
      if at >= length then if partial then raise Partial else false
      else matches_one re.folds_case node (String.unsafe_get text at) && next (at + 1)
  | Sequence nodes ->
      (* What matches one character needs no function that goes on. *)
      let rec each nodes at =
        match nodes with
        | [] -> next at
        | ((Char _ | Any | Set _) as one) :: rest ->
            if at >= length then if partial then raise Partial else false
            else matches_one re.folds_case one (String.unsafe_get text at) && each rest (at + 1)
        | [ only ] -> run re partial text places only at next
        | first :: rest -> run re partial text places first at (fun at -> each rest at)
      in
      each nodes at
  | Choice (a, b) ->
      run re partial text places a at next || run re partial text places b at next
  | Optional node -> run re partial text places node at next || next at
  | Star ((Char _ | Any | Set _) as one) ->
      let rec last at =
        if at >= length then if partial then raise Partial else at
        else if matches_one re.folds_case one (String.unsafe_get text at) then last (at + 1)
        else at
      in
      let rec shorter stop = next stop || (stop > at && shorter (stop - 1)) in
      shorter (last at)
  | Plus ((Char _ | Any | Set _) as one) ->
      let rec last at =
        if at >= length then if partial then raise Partial else at
        else if matches_one re.folds_case one (String.unsafe_get text at) then last (at + 1)
        else at
      in
      let rec shorter stop = stop > at && (next stop || shorter (stop - 1)) in
      shorter (last at)
  | Star node ->
      let again stop = stop > at && run re partial text places (Star node) stop next in
      run re partial text places node at again || next at
  | Plus node ->
      run re partial text places node at (fun stop ->
          if stop = at && can_be_empty node then next stop
          else run re partial text places (Star node) stop next)
  | Group (number, node) ->
      let start = places.(2 * number) and stop = places.((2 * number) + 1) in
      let finish here =
        let earlier_start = places.(2 * number) and earlier_stop = places.((2 * number) + 1) in
        places.(2 * number) <- at;
        places.((2 * number) + 1) <- here;
        next here
        || begin
             places.(2 * number) <- earlier_start;
             places.((2 * number) + 1) <- earlier_stop;
             false
           end
      in
      run re partial text places node at finish
      || begin
           places.(2 * number) <- start;
           places.((2 * number) + 1) <- stop;
           false
         end
  | Reference number ->
      2 * number < Array.length places
      && places.((2 * number) + 1) >= 0
      &&
      let start = places.(2 * number) in
      let size = places.((2 * number) + 1) - start in
      let rec same i =
        if i >= size then next (at + size)
        else if at + i >= length then if partial then raise Partial else false
        else text.[start + i] = text.[at + i] && same (i + 1)
      in
      same 0
  | Line_start -> (at = 0 || text.[at - 1] = '\n') && next at
  | Line_end -> (at >= length || text.[at] = '\n') && next at
  | Word_boundary ->
      let word i = i >= 0 && i < length && is_word text.[i] in
      if partial && length = 0 then raise Partial;
      word (at - 1) <> word at && next at

(* The characters with which a match can begin, as a set; none if it can be empty. *)
let first_characters folds node =
  let set = Bytes.make 256 '\000' in
  let rec mark node =
    match node with
    | Char _ | Any | Set _ ->
        for code = 0 to 255 do
          if matches_one folds node (Char.unsafe_chr code) then Bytes.set set code '\001'
        done
    | Sequence nodes -> sequence nodes
    | Choice (a, b) -> mark a; mark b
    | Star node | Plus node | Optional node | Group (_, node) -> mark node
    | Reference _ | Line_start | Line_end | Word_boundary -> ()
  and sequence nodes =
    match nodes with
    | [] -> ()
    | first :: rest ->
        mark first;
        if can_be_empty first then sequence rest
  in
  if can_be_empty node then ""
  else begin
    mark node;
    Bytes.unsafe_to_string set
  end

let first_of re =
  if String.length re.first = 1 then re.first <- first_characters re.folds_case re.node;
  re.first

let[@inline] can_begin set text length at =
  String.length set <> 256
  || (at < length && String.unsafe_get set (Char.code (String.unsafe_get text at)) = '\001')

(* The places of the last match: none if there was no match. *)
let last : int array ref = ref [||]

(* [places] are -1, and are so again if there is no match. *)
let attempt_in places re partial text at =
  let finish stop =
    places.(0) <- at;
    places.(1) <- stop;
    true
  in
  match run re partial text places re.node at finish with
  | true ->
      last := places;
      true
  | false -> false
  | exception Partial ->
      last := [||];
      places.(0) <- at;
      places.(1) <- String.length text;
      last := places;
      true

let attempt re partial text at = attempt_in (Array.make (2 * re.groups) (-1)) re partial text at

let no_match () =
  last := [||];
  false

let string_match re text start =
  if start < 0 || start > String.length text then invalid_arg "Str.string_match"
  else attempt re false text start || no_match ()

let string_partial_match re text start =
  if start < 0 || start > String.length text then invalid_arg "Str.string_partial_match"
  else attempt re true text start || no_match ()

let search re text start step =
  let places = Array.make (2 * re.groups) (-1) and length = String.length text in
  let first = first_of re in
  let rec from at =
    if at < 0 || at > length then begin
      last := [||];
      raise Not_found
    end
    else if can_begin first text length at && attempt_in places re false text at then at
    else from (at + step)
  in
  from start

let search_forward re text start =
  if start < 0 || start > String.length text then invalid_arg "Str.search_forward"
  else search re text start 1

let search_backward re text start =
  if start < 0 || start > String.length text then invalid_arg "Str.search_backward"
  else search re text start (-1)

(* What the last match found *)

let group_fault name n =
  if n < 0 || 2 * n >= Array.length !last then invalid_arg name
  else if !last.(2 * n) < 0 then raise Not_found

let group_beginning n =
  group_fault "Str.group_beginning" n;
  !last.(2 * n)

let group_end n =
  group_fault "Str.group_end" n;
  !last.((2 * n) + 1)

let matched_group n text =
  group_fault "Str.matched_group" n;
  String.sub text !last.(2 * n) (!last.((2 * n) + 1) - !last.(2 * n))

let match_beginning () = group_beginning 0
let match_end () = group_end 0
let matched_string text = matched_group 0 text

(* Pieces of strings *)

let string_before text n = String.sub text 0 n
let string_after text n = String.sub text n (String.length text - n)
let first_chars text n = String.sub text 0 n
let last_chars text n = String.sub text (String.length text - n) n

(* Replacing *)

let replace_matched template text =
  let buffer = Buffer.create (String.length template + 16) in
  let length = String.length template in
  let rec go i =
    if i < length then
      if template.[i] <> '\\' then begin
        Buffer.add_char buffer template.[i];
        go (i + 1)
      end
      else if i + 1 >= length then failwith "Str.replace: illegal backslash sequence"
      else begin
        (match template.[i + 1] with
        | '\\' -> Buffer.add_char buffer '\\'
        | '0' .. '9' as c -> (
            match matched_group (Char.code c - 48) text with
            | group -> Buffer.add_string buffer group
            | exception (Not_found | Invalid_argument _) ->
                failwith "Str.replace: reference to unmatched group")
        | c ->
            Buffer.add_char buffer '\\';
            Buffer.add_char buffer c);
        go (i + 2)
      end
  in
  go 0;
  Buffer.contents buffer

let next_match re text start =
  match search_forward re text start with at -> Some at | exception Not_found -> None

(* Behind an empty match the next one is looked for one character later. *)
let global_substitute re f text =
  let buffer = Buffer.create (String.length text + 16) in
  let rec go start after_empty =
    let from = if after_empty then start + 1 else start in
    match if from > String.length text then None else next_match re text from with
    | None -> Buffer.add_string buffer (string_after text start)
    | Some at ->
        let stop = match_end () in
        let replacement = f text in
        Buffer.add_string buffer (String.sub text start (at - start));
        Buffer.add_string buffer replacement;
        go stop (stop = at)
  in
  go 0 false;
  Buffer.contents buffer

let substitute_first re f text =
  match next_match re text 0 with
  | None -> text
  | Some at ->
      let stop = match_end () in
      let replacement = f text in
      string_before text at ^ replacement ^ string_after text stop

let global_replace re template text = global_substitute re (replace_matched template) text
let replace_first re template text = substitute_first re (replace_matched template) text

(* Splitting *)

(* The next match that ends behind [start]. *)
let progress re text start =
  match next_match re text start with
  | Some at when match_end () > start -> Some at
  | Some _ when start < String.length text -> next_match re text (start + 1)
  | _ -> None

let bounded_split re text most =
  let rec go parts start left =
    if start >= String.length text then parts
    else if left = 1 then string_after text start :: parts
    else
      match progress re text start with
      | None -> string_after text start :: parts
      | Some at -> go (String.sub text start (at - start) :: parts) (match_end ()) (left - 1)
  in
  let start = if string_match re text 0 then match_end () else 0 in
  List.rev (go [] start most)

let split re text = bounded_split re text 0

let bounded_split_delim re text most =
  let rec go parts start left =
    if start > String.length text then parts
    else if left = 1 then string_after text start :: parts
    else
      match progress re text start with
      | None -> string_after text start :: parts
      | Some at -> go (String.sub text start (at - start) :: parts) (match_end ()) (left - 1)
  in
  if text = "" then [] else List.rev (go [] 0 most)

let split_delim re text = bounded_split_delim re text 0

type split_result =
  | Text of string
  | Delim of string

let bounded_full_split re text most =
  let rec go parts start left =
    if start >= String.length text then parts
    else if left = 1 then Text (string_after text start) :: parts
    else
      match progress re text start with
      | None -> Text (string_after text start) :: parts
      | Some at ->
          let found = Delim (matched_string text) in
          let parts =
            if at > start then found :: Text (String.sub text start (at - start)) :: parts
            else found :: parts
          in
          go parts (match_end ()) (left - 1)
  in
  List.rev (go [] 0 most)

let full_split re text = bounded_full_split re text 0
