(* What the parsers that ocamlyacc generates stand on: a pushdown automaton over tables. *)

[@@@hidden "slot nothing environment env grow current_lookahead entry matches trace tracing"]
[@@@hidden "token_number token_value name_of show_token start_of_rest find shift_state automaton push"]
[@@@hidden "error_token value_of reduce recover token_of saved run forget value_tag token_constant"]
[@@@hidden "token_field"]
[@@@abstract "parser_env"]

external value_tag : 'a -> int = "%obj.tag"
external token_constant : 'a -> int = "%obj.number"
external token_field : 'a -> int -> Obj.t = "%obj.field"

(* A semantic value on the stack; an array of [Obj.t] itself would make all arrays of the program
   hold values of unknown type. *)
type slot = { value : Obj.t }

let nothing = { value = Obj.repr () }

type parser_env = {
  mutable states : int array;
  mutable values : slot array;
  mutable starts : Lexing.position array;
  mutable ends : Lexing.position array;
  mutable base : int;  (** the lowest place of this parser: actions may run others *)
  mutable top : int;
  mutable right : int;  (** the place of the last symbol of the rule at hand *)
  mutable state : int;
  mutable token : int;  (** -1: none is read *)
  mutable token_slot : slot;
  mutable token_start : Lexing.position;
  mutable token_end : Lexing.position;
  mutable rule : int;
  mutable rule_length : int;
  mutable errors : int;  (** how many tokens must be shifted before errors are reported again *)
}

type parse_tables = {
  actions : (parser_env -> Obj.t) array;
  transl_const : int array;
  transl_block : int array;
  lhs : string;
  len : string;
  defred : string;
  dgoto : string;
  sindex : string;
  rindex : string;
  gindex : string;
  tablesize : int;
  table : string;
  check : string;
  error_function : string -> unit;
  names_const : string;
  names_block : string;
}

exception YYexit of Obj.t
exception Parse_error

let env =
  {
    states = Array.make 100 0;
    values = Array.make 100 nothing;
    starts = Array.make 100 Lexing.dummy_pos;
    ends = Array.make 100 Lexing.dummy_pos;
    base = 0;
    top = -1;
    right = 0;
    state = 0;
    token = -1;
    token_slot = nothing;
    token_start = Lexing.dummy_pos;
    token_end = Lexing.dummy_pos;
    rule = 0;
    rule_length = 0;
    errors = 0;
  }

let grow () =
  let larger items filler =
    let copy = Array.make (2 * Array.length items) filler in
    Array.blit items 0 copy 0 (Array.length items);
    copy
  in
  env.states <- larger env.states 0;
  env.values <- larger env.values nothing;
  env.starts <- larger env.starts Lexing.dummy_pos;
  env.ends <- larger env.ends Lexing.dummy_pos

let clear_parser () =
  Array.fill env.values 0 (Array.length env.values) nothing;
  env.token_slot <- nothing

let current_lookahead : (Obj.t -> bool) ref = ref (fun _ -> false)
let is_current_lookahead token = !current_lookahead (Obj.repr token)

(* Tables are strings of signed numbers of two bytes, the lower one first. *)
let entry table i = String.get_int16_le table (2 * i)

(* Where a row begins is 0 for an empty one; [check] names the column that a place belongs to. *)
let find tables row column =
  let at = row + column in
  if row <> 0 && at >= 0 && at <= tables.tablesize && entry tables.check at = column then at else -1

(* The trace of the automaton's actions *)

let tracing = ref false

let set_trace wanted =
  let before = !tracing in
  tracing := wanted;
  before

let trace state text = prerr_endline ("State " ^ string_of_int state ^ ": " ^ text)

let rec name_of names number =
  match String.index_opt names '\000' with
  | None -> "<unknown token>"
  | Some stop when number = 0 -> String.sub names 0 stop
  | Some stop ->
      name_of (String.sub names (stop + 1) (String.length names - stop - 1)) (number - 1)

let show_token tables tag number value =
  let shown =
    if tag < 0 then name_of tables.names_const number
    else
      let inside =
        if Obj.is_int value then string_of_int (token_constant value)
        else if Obj.tag value = Obj.string_tag then (Obj.obj value : string)
        else if Obj.tag value = Obj.double_tag then Printf.sprintf "%g" (Obj.obj value : float)
        else "_"
      in
      name_of tables.names_block tag ^ "(" ^ inside ^ ")"
  in
  trace env.state ("read token " ^ shown)

(* The automaton *)

let error_token = 256

let push state slot start stop =
  env.top <- env.top + 1;
  if env.top >= Array.length env.states then grow ();
  env.states.(env.top) <- state;
  env.values.(env.top) <- slot;
  env.starts.(env.top) <- start;
  env.ends.(env.top) <- stop

let shift_state tables at =
  let next = entry tables.table at in
  if !tracing then trace env.state ("shift to state " ^ string_of_int next);
  env.state <- next;
  push next env.token_slot env.token_start env.token_end

(* Looks for a state in which errors are expected, giving up those above it. *)
let rec recover tables =
  let state = env.states.(env.top) in
  let at = find tables (entry tables.sindex state) error_token in
  if at >= 0 then begin
    if !tracing then prerr_endline ("Recovering in state " ^ string_of_int state);
    shift_state tables at
  end
  else begin
    if !tracing then prerr_endline ("Discarding state " ^ string_of_int state);
    if env.top <= env.base then begin
      if !tracing then prerr_endline "No more states to discard";
      raise Parse_error
    end;
    env.top <- env.top - 1;
    recover tables
  end

let value_of tables = try Some (tables.actions.(env.rule) env) with Parse_error -> None

(* Replaces the right side of a rule by its left side; false if the action reports an error. *)
let reduce tables rule =
  if !tracing then trace env.state ("reduce by rule " ^ string_of_int rule);
  let length = entry tables.len rule in
  env.right <- env.top;
  env.rule <- rule;
  env.rule_length <- length;
  env.top <- env.top - length + 1;
  let symbol = entry tables.lhs rule in
  (* Below the lowest symbol there is nothing: its rule ends the parser. *)
  let below = if env.top > 0 then env.states.(env.top - 1) else 0 in
  let at = find tables (entry tables.gindex symbol) below in
  env.state <- (if at >= 0 then entry tables.table at else entry tables.dgoto symbol);
  if env.top >= Array.length env.states then grow ();
  match value_of tables with
  | None -> false
  | Some value ->
      env.states.(env.top) <- env.state;
      env.values.(env.top) <- { value };
      let right = env.right in
      env.ends.(env.top) <- env.ends.(right);
      if env.top > right then env.starts.(env.top) <- env.ends.(right);
      true

let automaton tables read =
  let rec loop () =
    let rule = entry tables.defred env.state in
    if rule <> 0 then reduced rule
    else begin
      if env.token < 0 then read ();
      test ()
    end
  and test () =
    let at = find tables (entry tables.sindex env.state) env.token in
    if at >= 0 then begin
      env.token <- -1;
      if env.errors > 0 then env.errors <- env.errors - 1;
      shift_state tables at;
      loop ()
    end
    else
      let at = find tables (entry tables.rindex env.state) env.token in
      if at >= 0 then reduced (entry tables.table at)
      else if env.errors > 0 then failed ()
      else begin
        tables.error_function "syntax error";
        failed ()
      end
  and failed () =
    if env.errors < 3 then begin
      env.errors <- 3;
      recover tables;
      loop ()
    end
    else if env.token = 0 then raise Parse_error
    else begin
      if !tracing then prerr_endline "Discarding last token read";
      env.token <- -1;
      loop ()
    end
  and reduced rule = if reduce tables rule then loop () else failed () in
  loop ()

let token_number tables token =
  let tag = value_tag token in
  if tag < 0 then tables.transl_const.(token_constant token) else tables.transl_block.(tag)

let yyparse tables start lexer (lexbuf : Lexing.lexbuf) =
  let right = env.right
  and top = env.top
  and base = env.base
  and state = env.state
  and token = env.token
  and slot = env.token_slot
  and errors = env.errors in
  let read () =
    let token = lexer lexbuf in
    env.token_start <- lexbuf.lex_start_p;
    env.token_end <- lexbuf.lex_curr_p;
    env.token <- token_number tables token;
    let tag = value_tag token in
    env.token_slot <- (if tag < 0 then nothing else { value = token_field token 0 });
    if !tracing then show_token tables tag (token_constant token) env.token_slot.value
  in
  env.base <- env.top + 1;
  env.token <- start;
  env.token_end <- lexbuf.lex_curr_p;
  env.state <- 0;
  env.errors <- 0;
  try automaton tables read
  with error -> (
    let last = env.token in
    env.right <- right;
    env.top <- top;
    env.base <- base;
    env.state <- state;
    env.token <- token;
    env.token_slot <- slot;
    env.errors <- errors;
    match error with
    | YYexit value -> Obj.obj value
    | _ ->
        (current_lookahead :=
           fun token ->
             let tag = value_tag token in
             let known = if tag < 0 then tables.transl_const else tables.transl_block in
             known.(if tag < 0 then token_constant token else tag) = last);
        raise error)

let peek_val env n = Obj.obj env.values.(env.right - n).value

(* Places of what a rule matches. The left side begins where its first symbol that is not empty
   does. *)
let symbol_start_pos () =
  let rec search left =
    if left <= 0 then env.ends.(env.right)
    else
      let at = env.right - left + 1 in
      if env.starts.(at) <> env.ends.(at) then env.starts.(at) else search (left - 1)
  in
  search env.rule_length

let symbol_end_pos () = env.ends.(env.right)
let rhs_start_pos n = env.starts.(env.right - (env.rule_length - n))
let rhs_end_pos n = env.ends.(env.right - (env.rule_length - n))
let symbol_start () = (symbol_start_pos ()).Lexing.pos_cnum
let symbol_end () = (symbol_end_pos ()).Lexing.pos_cnum
let rhs_start n = (rhs_start_pos n).Lexing.pos_cnum
let rhs_end n = (rhs_end_pos n).Lexing.pos_cnum
let parse_error (_ : string) = ()
