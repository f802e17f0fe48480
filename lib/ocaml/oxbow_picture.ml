(* Numbers by the pictures of .NET: `#,##0.00`, `0.0%`, `0.###E+0`, `#;(#);zero`.

   A number is its sign, its digits without leading zeros and the place of the point among them: `12.5` is "125" and 2. *)

type number = { negative : bool; digits : string; point : int }

(* What a section of a picture says. *)
type plan = {
  before : int;  (* places before the point *)
  first_zero : int;  (* the first of them that is `0`; [before] if none is *)
  last_zero : int;  (* behind the last `0` behind the point *)
  after : int;
  grouped : bool;
  shift : int;  (* powers of ten by `%` and commas *)
  scientific : bool;
}

(* Calls [use] for each character that means something: those in quotes and behind `\` are [literal]. *)
let scan picture use =
  let size = String.length picture in
  let rec go at =
    if at < size then
      match String.get picture at with
      | '\\' ->
          if at + 1 < size then use (at + 1) true;
          go (at + 2)
      | ('"' | '\'') as quote ->
          let rec quoted at =
            if at < size && String.get picture at <> quote then begin
              use at true;
              quoted (at + 1)
            end
            else go (at + 1)
          in
          quoted (at + 1)
      | _ ->
          use at false;
          go (at + 1)
  in
  go 0

let sections picture =
  let cuts = ref [] in
  scan picture (fun at literal -> if (not literal) && String.get picture at = ';' then cuts := at :: !cuts);
  let rec parts stop acc = function
    | [] -> String.sub picture 0 stop :: acc
    | cut :: rest -> parts cut (String.sub picture (cut + 1) (stop - cut - 1) :: acc) rest
  in
  parts (String.length picture) [] !cuts

(* Where an exponent begins: `E0`, `E+0`, `e-00`. *)
let exponent_at section at =
  let size = String.length section in
  let digit at = at < size && String.get section at = '0' in
  match String.get section at with
  | 'E' | 'e' ->
      digit (at + 1)
      || (at + 1 < size
          && (match String.get section (at + 1) with '+' | '-' -> digit (at + 2) | _ -> false))
  | _ -> false

let plan_of section =
  let before = ref 0 and first_zero = ref (-1) and after = ref 0 and last_zero = ref 0 in
  let behind = ref false and commas = ref 0 and grouped = ref false and shift = ref 0 in
  let scientific = ref false and exponent_end = ref (-1) in
  let place is_zero =
    if !behind then begin
      incr after;
      if is_zero then last_zero := !after
    end
    else begin
      if !commas > 0 then grouped := true;
      commas := 0;
      if is_zero && !first_zero < 0 then first_zero := !before;
      incr before
    end
  in
  scan section (fun at literal ->
      if (not literal) && at > !exponent_end then
        match String.get section at with
        | '0' -> place true
        | '#' -> place false
        | '.' -> behind := true
        | ',' -> if (not !behind) && !before > 0 then incr commas
        | '%' -> shift := !shift + 2
        | '\xe2' -> if at + 2 < String.length section && String.sub section at 3 = "\u{2030}" then shift := !shift + 3
        | 'E' | 'e' when (not !scientific) && exponent_at section at ->
            scientific := true;
            let rec skip at =
              if at < String.length section
                 && (match String.get section at with '0' | '+' | '-' -> true | _ -> false)
              then skip (at + 1)
              else at - 1
            in
            exponent_end := skip (at + 1)
        | _ -> ());
  {
    before = !before;
    first_zero = (if !first_zero < 0 then !before else !first_zero);
    last_zero = !last_zero;
    after = !after;
    grouped = !grouped;
    shift = !shift - (3 * !commas);
    scientific = !scientific;
  }

(* Keeps so many digits; a half goes away from zero. Zeros at the end are dropped. *)
let rounded number kept =
  let size = String.length number.digits in
  let cut digits =
    let rec top n = if n > 0 && String.get digits (n - 1) = '0' then top (n - 1) else n in
    let digits = String.sub digits 0 (top (String.length digits)) in
    if digits = "" then { number with digits; point = 0 } else { number with digits }
  in
  if kept >= size then cut number.digits
  else if kept < 0 || (kept = 0 && String.get number.digits 0 < '5') then { number with digits = ""; point = 0 }
  else if String.get number.digits kept < '5' then cut (String.sub number.digits 0 kept)
  else begin
    let digits = Bytes.of_string (String.sub number.digits 0 kept) in
    let rec carry at =
      if at < 0 then { (cut ("1" ^ Bytes.to_string digits)) with point = number.point + 1 }
      else if Bytes.get digits at = '9' then begin
        Bytes.set digits at '0';
        carry (at - 1)
      end
      else begin
        Bytes.set digits at (Char.chr (Char.code (Bytes.get digits at) + 1));
        cut (Bytes.to_string digits)
      end
    in
    carry (kept - 1)
  end

let exponent_text section at exponent =
  let size = String.length section in
  let signed = String.get section (at + 1) in
  let start = match signed with '+' | '-' -> at + 2 | _ -> at + 1 in
  let rec zeros at = if at < size && String.get section at = '0' then zeros (at + 1) else at in
  let wide = zeros start - start in
  let digits = string_of_int (abs exponent) in
  let missing = wide - String.length digits in
  let digits = if missing > 0 then String.make missing '0' ^ digits else digits in
  let sign = if exponent < 0 then "-" else if signed = '+' then "+" else "" in
  (String.make 1 (String.get section at) ^ sign ^ digits, zeros start - 1)

let render section plan number exponent =
  let out = Buffer.create 32 in
  let size = String.length number.digits in
  let digit at = if at >= 0 && at < size then String.get number.digits at else '0' in
  let placed = ref 0 and fraction = ref 0 and behind = ref false and exponent_end = ref (-1) in
  let put right =
    Buffer.add_char out (digit (number.point - right));
    if plan.grouped && right > 1 && (right - 1) mod 3 = 0 then Buffer.add_char out ','
  in
  let whole () =
    let right = plan.before - !placed in
    if !placed = 0 then
      for excess = number.point downto right + 1 do
        put excess
      done;
    if number.point >= right || !placed >= plan.first_zero then put right;
    incr placed
  in
  scan section (fun at literal ->
      let c = String.get section at in
      if at <= !exponent_end then ()
      else if literal then Buffer.add_char out c
      else
        match c with
        | '0' | '#' ->
            if not !behind then whole ()
            else begin
              if number.point + !fraction < size || !fraction < plan.last_zero then
                Buffer.add_char out (digit (number.point + !fraction));
              incr fraction
            end
        | '.' ->
            if (not !behind) && (plan.last_zero > 0 || (plan.after > 0 && number.point < size)) then begin
              if plan.before = 0 && number.point > 0 then
                for right = number.point downto 1 do
                  put right
                done;
              Buffer.add_char out '.'
            end;
            behind := true
        | ',' -> ()
        | ('E' | 'e') when plan.scientific && exponent_at section at ->
            let text, last = exponent_text section at exponent in
            Buffer.add_string out text;
            exponent_end := last
        | c -> Buffer.add_char out c);
  Buffer.contents out

(* The number that a section prints, and its exponent. *)
let prepared plan number =
  if number.digits = "" then (number, 0)
  else if plan.scientific then begin
    let rounded = rounded number (plan.before + plan.after) in
    if rounded.digits = "" then (rounded, 0)
    else ({ rounded with point = plan.before }, rounded.point - plan.before)
  end
  else
    let moved = { number with point = number.point + plan.shift } in
    (rounded moved (moved.point + plan.after), 0)

let text picture number =
  let use section negative =
    let plan = plan_of section in
    let number, exponent = prepared plan number in
    (number.digits = "", if negative then "-" ^ render section plan number exponent else render section plan number exponent)
  in
  match sections picture with
  | [] -> ""
  | [ one ] -> snd (use one number.negative)
  | first :: second :: rest ->
      let zero = match rest with third :: _ -> third | [] -> first in
      let section =
        if number.digits = "" then zero else if number.negative && second <> "" then second else first
      in
      let is_zero, text = use section (number.negative && section == first && second = "") in
      if is_zero && number.digits <> "" then snd (use zero false) else text

(* A text of digits such as `-12.50`. *)
let number_of text =
  let negative = String.length text > 0 && String.get text 0 = '-' in
  let text = if negative then String.sub text 1 (String.length text - 1) else text in
  let whole, fraction =
    match String.index_opt text '.' with
    | Some at -> (String.sub text 0 at, String.sub text (at + 1) (String.length text - at - 1))
    | None -> (text, "")
  in
  let all = whole ^ fraction in
  let size = String.length all in
  let rec zeros at = if at < size && String.get all at = '0' then zeros (at + 1) else at in
  let leading = zeros 0 in
  let rec top n = if n > leading && String.get all (n - 1) = '0' then top (n - 1) else n in
  let digits = String.sub all leading (top size - leading) in
  { negative; digits; point = (if digits = "" then 0 else String.length whole - leading) }

(* Fifteen digits, as .NET has it. *)
let number_of_float value =
  let text = Printf.sprintf "%.14e" (Float.abs value) in
  let at = match String.index_opt text 'e' with Some at -> at | None -> String.length text in
  let exponent = int_of_string (String.sub text (at + 1) (String.length text - at - 1)) in
  let number = number_of (String.sub text 0 at) in
  let number = if number.digits = "" then number else { number with point = exponent + 1 } in
  { number with negative = Float.sign_bit value }
