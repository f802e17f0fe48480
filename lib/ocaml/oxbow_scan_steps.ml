(* What [Scanf] does for a format: its conversions and marks as steps.

     "%d: %[a-z]@,"   Read d   Match ": "   Read [, up to a comma *)

type stop = Blank | At of char

type step =
  | Match of string
  | Read of read
  | At_end
  | Next_char
  | Count of char
  | User of bool  (** [%r]: is the value forgotten? *)
  | Format of format_step
  | Refused of string

and read = {
  letter : char;  (** of what is read; for [l], [n] and [L] see [base] *)
  base : char;
  width : int;
  precision : int;
  stop : stop;
  set : string;  (** of [\[]: whether each character belongs to it *)
  is_forgotten : bool;
}

and format_step = { of_type : string; goes_on_with_it : bool; room : int; no_value : bool }

(* Which characters [\[…\]] has, behind the bracket. *)
let char_set text =
  let members = Bytes.make 256 '\000' in
  let last = String.length text - 1 in
  let is_complement = text.[0] = '^' in
  let add c = Bytes.set members (Char.code c) '\001' in
  let first = if is_complement then 1 else 0 in
  (* [%%] and [%@] are one character. *)
  let char_at i =
    if text.[i] = '%' && i + 1 < last && (text.[i + 1] = '%' || text.[i + 1] = '@') then i + 1 else i
  in
  let rec from i =
    if i < last then begin
      let i = char_at i in
      let low = text.[i] in
      if i + 2 < last && text.[i + 1] = '-' then begin
        let j = char_at (i + 2) in
        for code = Char.code low to Char.code text.[j] do
          add (Char.chr code)
        done;
        from (j + 1)
      end
      else begin
        add low;
        from (i + 1)
      end
    end
  in
  (* A bracket that comes first belongs to the set, and [last] is behind it. *)
  from first;
  let members = Bytes.to_string members in
  if is_complement then String.map (fun c -> if c = '\000' then '\001' else '\000') members
  else members

(* The step of a conversion that stands before [following], and what remains of that. *)
let conversion text following =
  let refused what = Refused ("scanf: bad conversion \"%" ^ what ^ "\"") in
  let at = Oxbow_scan.letter text in
  let letter = text.[at] in
  let is_forgotten = Oxbow_scan.is_ignored text in
  let number i = match Oxbow_scan.number text i with Some (n, i) -> (n, i) | None -> (0, i) in
  let rec flags i = match text.[i] with '_' | '-' | '+' | ' ' | '#' | '0' -> flags (i + 1) | _ -> i in
  let start = flags 1 in
  let width, behind = number start in
  (* A flag `0` that no width follows is one. *)
  let width = if behind > start then width else if text.[start - 1] = '0' then 0 else max_int in
  let precision = if text.[behind] = '.' then fst (number (behind + 1)) else max_int in
  let has c = match String.index_opt text c with Some i -> i < at | None -> false in
  let plain = (Blank, following) in
  let stop, following =
    match (letter, following) with
    | ('s' | '['), Part_mark (_, Mark_char '%') :: rest -> (At '%', rest)
    | ('s' | '['), Part_mark (mark, _) :: rest ->
        let behind = String.sub mark 2 (String.length mark - 2) in
        (At mark.[1], if behind = "" then rest else Part_text behind :: rest)
    | ('s' | '['), Part_open is_tag :: rest -> (At (if is_tag then '{' else '['), rest)
    | _ -> plain
  in
  let format goes_on_with_it =
    let of_type = Oxbow_scan.type_of_parts (Oxbow_scan.parts_of (Oxbow_scan.inner_of text)) in
    Format { of_type; goes_on_with_it; room = width; no_value = is_forgotten }
  in
  let is_last = at + 1 = String.length text in
  let read set =
    let base = text.[String.length text - 1] in
    Read { letter; base; width; precision; stop; set; is_forgotten }
  in
  let step =
    match letter with
    | _ when has '-' -> refused "-"
    | _ when has '*' -> refused "*"
    | 'a' -> refused "a"
    | 't' -> refused "t"
    | 'r' -> User is_forgotten
    | '(' -> format true
    | '{' -> format false
    | 'c' when (not is_forgotten) && at = 2 && text.[1] = '0' -> Next_char
    | ('l' | 'n' | 'L' | 'N') when is_last -> if is_forgotten then Match "" else Count letter
    | '[' -> read (char_set (String.sub text (at + 1) (String.length text - at - 1)))
    | _ -> read ""
  in
  (step, following)

let rec steps_of = function
  | [] -> []
  | Part_text text :: rest -> Match text :: steps_of rest
  | Part_mark (text, _) :: rest -> Match text :: steps_of rest
  | Part_flush :: rest -> At_end :: steps_of rest
  | Part_open is_tag :: rest -> Match (if is_tag then "@{" else "@[") :: steps_of rest
  | Part_close :: rest -> steps_of rest
  | Part_convert text :: rest ->
      let step, rest = conversion text rest in
      step :: steps_of rest

(* The steps of formats that were used before. *)
let known_steps = Array.make 16 ("", [])

let steps_of_text text =
  let at = String.length text land 15 in
  let known, steps = known_steps.(at) in
  if known == text || known = text then steps
  else begin
    let steps = steps_of (Oxbow_scan.parts_of text) in
    known_steps.(at) <- (text, steps);
    steps
  end
