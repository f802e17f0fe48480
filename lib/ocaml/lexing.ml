(* What the scanners that ocamllex generates stand on *)

[@@@hidden "first_pos refill_from make_lexbuf entry cell code_byte walk_code next_state plain_step"]
[@@@hidden "engine_with settle end_of_input run_engine raw_engine raw_new_engine"]

type position = { pos_fname : string; pos_lnum : int; pos_bol : int; pos_cnum : int }

let dummy_pos = { pos_fname = ""; pos_lnum = 0; pos_bol = 0; pos_cnum = -1 }
let first_pos = { pos_fname = ""; pos_lnum = 1; pos_bol = 0; pos_cnum = 0 }

type lexbuf = {
  refill_buff : lexbuf -> unit;
  mutable lex_buffer : bytes;
  mutable lex_buffer_len : int;
  mutable lex_abs_pos : int;
  mutable lex_start_pos : int;
  mutable lex_curr_pos : int;
  mutable lex_last_pos : int;
  mutable lex_last_action : int;
  mutable lex_eof_reached : bool;
  mutable lex_mem : int array;
  mutable lex_start_p : position;
  mutable lex_curr_p : position;
}

type lex_tables = {
  lex_base : string;
  lex_backtrk : string;
  lex_default : string;
  lex_trans : string;
  lex_check : string;
  lex_base_code : string;
  lex_backtrk_code : string;
  lex_default_code : string;
  lex_trans_code : string;
  lex_check_code : string;
  lex_code : string;
}

let with_positions lexbuf = lexbuf.lex_curr_p != dummy_pos

(* Reads more input behind what is in the buffer. What lies before the current lexeme is given up
   if that makes room; else the buffer doubles. *)
let refill_from read chunk lexbuf =
  let count = max 0 (read chunk (Bytes.length chunk)) in
  if count = 0 then lexbuf.lex_eof_reached <- true;
  if lexbuf.lex_buffer_len + count > Bytes.length lexbuf.lex_buffer then begin
    let start = lexbuf.lex_start_pos in
    let kept = lexbuf.lex_buffer_len - start in
    let size = Bytes.length lexbuf.lex_buffer in
    let target =
      if kept + count <= size then lexbuf.lex_buffer
      else begin
        let size = min (2 * size) Sys.max_string_length in
        if kept + count > size then failwith "Lexing.lex_refill: cannot grow buffer";
        Bytes.create size
      end
    in
    Bytes.blit lexbuf.lex_buffer start target 0 kept;
    lexbuf.lex_buffer <- target;
    lexbuf.lex_abs_pos <- lexbuf.lex_abs_pos + start;
    lexbuf.lex_start_pos <- 0;
    lexbuf.lex_curr_pos <- lexbuf.lex_curr_pos - start;
    lexbuf.lex_last_pos <- lexbuf.lex_last_pos - start;
    lexbuf.lex_buffer_len <- kept;
    let memory = lexbuf.lex_mem in
    Array.iteri (fun i place -> if place >= 0 then memory.(i) <- place - start) memory
  end;
  Bytes.blit chunk 0 lexbuf.lex_buffer lexbuf.lex_buffer_len count;
  lexbuf.lex_buffer_len <- lexbuf.lex_buffer_len + count

let make_lexbuf positions refill buffer length at_end =
  let place = if positions then first_pos else dummy_pos in
  {
    refill_buff = refill;
    lex_buffer = buffer;
    lex_buffer_len = length;
    lex_abs_pos = 0;
    lex_start_pos = 0;
    lex_curr_pos = 0;
    lex_last_pos = 0;
    lex_last_action = 0;
    lex_eof_reached = at_end;
    lex_mem = [||];
    lex_start_p = place;
    lex_curr_p = place;
  }

let from_function ?(with_positions = true) read =
  let chunk = Bytes.create 512 in
  make_lexbuf with_positions (refill_from read chunk) (Bytes.create 1024) 0 false

let from_channel ?with_positions channel =
  from_function ?with_positions (fun buffer count -> input channel buffer 0 count)

let from_string ?(with_positions = true) text =
  let end_of_input lexbuf = lexbuf.lex_eof_reached <- true in
  make_lexbuf with_positions end_of_input (Bytes.of_string text) (String.length text) true

let set_position lexbuf position =
  lexbuf.lex_curr_p <- { position with pos_fname = lexbuf.lex_curr_p.pos_fname };
  lexbuf.lex_abs_pos <- position.pos_cnum

let set_filename lexbuf name = lexbuf.lex_curr_p <- { lexbuf.lex_curr_p with pos_fname = name }

(* Lexemes *)

let sub_lexeme lexbuf start stop = Bytes.sub_string lexbuf.lex_buffer start (stop - start)

let sub_lexeme_opt lexbuf start stop =
  if start >= 0 then Some (sub_lexeme lexbuf start stop) else None

let sub_lexeme_char lexbuf at = Bytes.get lexbuf.lex_buffer at
let sub_lexeme_char_opt lexbuf at = if at >= 0 then Some (sub_lexeme_char lexbuf at) else None
let lexeme lexbuf = sub_lexeme lexbuf lexbuf.lex_start_pos lexbuf.lex_curr_pos
let lexeme_char lexbuf i = Bytes.get lexbuf.lex_buffer (lexbuf.lex_start_pos + i)
let lexeme_start lexbuf = lexbuf.lex_start_p.pos_cnum
let lexeme_end lexbuf = lexbuf.lex_curr_p.pos_cnum
let lexeme_start_p lexbuf = lexbuf.lex_start_p
let lexeme_end_p lexbuf = lexbuf.lex_curr_p

let new_line lexbuf =
  let place = lexbuf.lex_curr_p in
  if place != dummy_pos then
    lexbuf.lex_curr_p <- { place with pos_lnum = place.pos_lnum + 1; pos_bol = place.pos_cnum }

let flush_input lexbuf =
  lexbuf.lex_curr_pos <- 0;
  lexbuf.lex_abs_pos <- 0;
  let place = lexbuf.lex_curr_p in
  if place != dummy_pos then
    lexbuf.lex_curr_p <- { first_pos with pos_fname = place.pos_fname };
  lexbuf.lex_buffer_len <- 0

(* The automaton. Tables are strings of signed numbers of two bytes, the lower one first; a row
   of `lex_trans` is valid where `lex_check` names the state that it belongs to. *)

let entry table i = String.get_int16_le table (2 * i)

let cell check row state column values default =
  let at = row + column in
  if entry check at = state then entry values at else entry default state

let code_byte tables at = Char.code (String.get tables.lex_code at)

(* The program for the places that `as` binds: pairs of bytes, a target and a source, up to a
   target of 255. A source of 255 stands for [fresh]. *)
let rec walk_code tables lexbuf at fresh =
  let target = code_byte tables at in
  if target <> 255 then begin
    let source = code_byte tables (at + 1) in
    lexbuf.lex_mem.(target) <- (if source = 255 then fresh else lexbuf.lex_mem.(source));
    walk_code tables lexbuf (at + 2) fresh
  end

let end_of_input = 256

(* Runs from a state until an action is known, or until the buffer is used up: then the result is
   negative and names the state to go on with. *)
let run_engine with_memory tables start lexbuf =
  let rec go state =
    let row = entry tables.lex_base state in
    if row < 0 then begin
      if with_memory then walk_code tables lexbuf (entry tables.lex_base_code state) (-1);
      -row - 1
    end
    else begin
      let action = entry tables.lex_backtrk state in
      if action >= 0 then begin
        if with_memory then walk_code tables lexbuf (entry tables.lex_backtrk_code state) (-1);
        lexbuf.lex_last_pos <- lexbuf.lex_curr_pos;
        lexbuf.lex_last_action <- action
      end;
      if lexbuf.lex_curr_pos < lexbuf.lex_buffer_len then begin
        let c = Char.code (Bytes.get lexbuf.lex_buffer lexbuf.lex_curr_pos) in
        lexbuf.lex_curr_pos <- lexbuf.lex_curr_pos + 1;
        step state row c
      end
      else if lexbuf.lex_eof_reached then step state row end_of_input
      else -state - 1
    end
  and step state row c =
    let next = cell tables.lex_check row state c tables.lex_trans tables.lex_default in
    if next < 0 then begin
      lexbuf.lex_curr_pos <- lexbuf.lex_last_pos;
      if lexbuf.lex_last_action = -1 then failwith "lexing: empty token"
      else lexbuf.lex_last_action
    end
    else begin
      if with_memory then begin
        let row = entry tables.lex_base_code state in
        let code =
          cell tables.lex_check_code row state c tables.lex_trans_code tables.lex_default_code
        in
        if code > 0 then walk_code tables lexbuf code lexbuf.lex_curr_pos
      end;
      if c = end_of_input then lexbuf.lex_eof_reached <- false;
      go next
    end
  in
  if start >= 0 then begin
    lexbuf.lex_last_pos <- lexbuf.lex_curr_pos;
    lexbuf.lex_start_pos <- lexbuf.lex_curr_pos;
    lexbuf.lex_last_action <- -1;
    go start
  end
  else go (-start - 1)

let raw_engine tables start lexbuf = run_engine false tables start lexbuf
let raw_new_engine tables start lexbuf = run_engine true tables start lexbuf

let settle lexbuf action =
  if action >= 0 && with_positions lexbuf then begin
    lexbuf.lex_start_p <- lexbuf.lex_curr_p;
    let place = lexbuf.lex_abs_pos + lexbuf.lex_curr_pos in
    lexbuf.lex_curr_p <- { lexbuf.lex_curr_p with pos_cnum = place }
  end;
  action

let engine tables start lexbuf = settle lexbuf (raw_engine tables start lexbuf)
let new_engine tables start lexbuf = settle lexbuf (raw_new_engine tables start lexbuf)
