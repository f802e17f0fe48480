(* Arguments of the command line *)

[@@@hidden "fault Fault found help_text help_names with_help own_action line_of put_usage split_at_equals"]
[@@@hidden "choice message_of given run_action step run report_and_exit doc_start one_space aligned"]
[@@@hidden "read_words write_words"]

type spec =
  | Unit of (unit -> unit)
  | Bool of (bool -> unit)
  | Set of bool ref
  | Clear of bool ref
  | String of (string -> unit)
  | Set_string of string ref
  | Int of (int -> unit)
  | Set_int of int ref
  | Float of (float -> unit)
  | Set_float of float ref
  | Tuple of spec list
  | Symbol of string list * (string -> unit)
  | Rest of (string -> unit)
  | Rest_all of (string list -> unit)
  | Expand of (string -> string array)

type key = string
type doc = string
type usage_msg = string
type anon_fun = string -> unit

exception Bad of string
exception Help of string

(* What is wrong with an argument. *)
type fault =
  | Unknown_option of string
  | Missing_argument of string
  | Wrong_argument of string * string * string  (** option, argument, what was expected *)
  | Refused of string  (** by the program itself *)

exception Fault of fault

let help_names = [ "-help"; "--help" ]
let help_text = " Display this list of options"

let rec found name = function
  | [] -> None
  | (key, action, _) :: rest -> if (key : string) = name then Some action else found name rest

(* The options with those for help that the program has not defined itself. *)
let with_help options =
  let action = Unit (fun () -> raise (Fault (Unknown_option "-help"))) in
  let missing = List.filter (fun name -> found name options = None) help_names in
  options @ List.map (fun name -> (name, action, help_text)) missing

let choice opening separator closing = function
  | [] -> "<none>"
  | words -> opening ^ String.concat separator words ^ closing

let line_of (key, action, doc) =
  match action with
  | _ when doc = "" -> ""
  | Symbol (words, _) -> "  " ^ key ^ " " ^ choice "{" "|" "}" words ^ doc ^ "\n"
  | _ -> "  " ^ key ^ " " ^ doc ^ "\n"

let usage_string options message =
  String.concat "" ((message ^ "\n") :: List.map line_of (with_help options))

let usage options message = prerr_string (usage_string options message)
let current = ref 0

let message_of = function
  | Unknown_option name -> "unknown option '" ^ name ^ "'"
  | Missing_argument name -> "option '" ^ name ^ "' needs an argument"
  | Wrong_argument (name, argument, expected) ->
      "wrong argument '" ^ argument ^ "'; option '" ^ name ^ "' expects " ^ expected
  | Refused text -> text

let split_at_equals text =
  match String.index_opt text '=' with
  | None -> None
  | Some i -> Some (String.sub text 0 i, String.sub text (i + 1) (String.length text - i - 1))

(* The action of an option, and the argument that is written into it: `-size=3`. *)
let own_action options name =
  match found name options with
  | Some action -> (action, None)
  | None -> (
      match split_at_equals name with
      | None -> raise (Fault (Unknown_option name))
      | Some (key, argument) -> (
          match found key options with
          | Some action -> (action, Some argument)
          | None -> raise (Fault (Unknown_option name))))

let given argv position name written =
  match written with
  | Some argument -> argument
  | None ->
      if !position + 1 < Array.length !argv then !argv.(!position + 1)
      else raise (Fault (Missing_argument name))

let rec run_action may_expand argv position name written action =
  let alone () =
    match written with
    | None -> ()
    | Some argument -> raise (Fault (Wrong_argument (name, argument, "no argument")))
  in
  let consume () = if written = None then incr position in
  let take read expected use =
    let argument = given argv position name written in
    match read argument with
    | None -> raise (Fault (Wrong_argument (name, argument, expected)))
    | Some value ->
        use value;
        consume ()
  in
  let rest use =
    while !position < Array.length !argv - 1 do
      use !argv.(!position + 1);
      incr position
    done
  in
  match action with
  | Unit f ->
      alone ();
      f ()
  | Bool f -> take bool_of_string_opt "a boolean" f
  | Set cell ->
      alone ();
      cell := true
  | Clear cell ->
      alone ();
      cell := false
  | String f -> take (fun text -> Some text) "" f
  | Set_string cell -> take (fun text -> Some text) "" (fun text -> cell := text)
  | Int f -> take int_of_string_opt "an integer" f
  | Set_int cell -> take int_of_string_opt "an integer" (fun n -> cell := n)
  | Float f -> take float_of_string_opt "a float" f
  | Set_float cell -> take float_of_string_opt "a float" (fun x -> cell := x)
  | Symbol (words, f) ->
      let known text = if List.mem text words then Some text else None in
      take known ("one of: " ^ choice "" " " "" words) f
  | Tuple actions ->
      alone ();
      List.iter (run_action may_expand argv position name written) actions
  | Rest f ->
      alone ();
      rest f
  | Rest_all f ->
      alone ();
      let words = ref [] in
      rest (fun word -> words := word :: !words);
      f (List.rev !words)
  | Expand f ->
      if not may_expand then
        invalid_arg "Arg.Expand is is only allowed with Arg.parse_and_expand_argv_dynamic";
      let words = f (given argv position name written) in
      consume ();
      let next = !position + 1 in
      let before = Array.sub !argv 0 next
      and after = Array.sub !argv next (Array.length !argv - next) in
      argv := Array.concat [ before; words; after ]

let step may_expand argv position options other =
  let word = !argv.(!position) in
  if String.length word > 0 && word.[0] = '-' then
    let action, written = own_action !options word in
    run_action may_expand argv position word written action
  else other word

let run may_expand position argv options other message =
  let start = !position in
  let stop fault =
    let program = if start < Array.length !argv then !argv.(start) else "(?)" in
    let text = usage_string !options message in
    match fault with
    | Unknown_option name when List.mem name help_names -> raise (Help text)
    | _ -> raise (Bad (program ^ ": " ^ message_of fault ^ ".\n" ^ text))
  in
  incr position;
  while !position < Array.length !argv do
    (try step may_expand argv position options other with
    | Bad text -> stop (Refused text)
    | Fault fault -> stop fault);
    incr position
  done

let parse_and_expand_argv_dynamic current argv options other message =
  run true current argv options other message

let parse_argv_dynamic ?(current = current) argv options other message =
  run false current (ref argv) options other message

let parse_argv ?(current = current) argv options other message =
  run false current (ref argv) (ref options) other message

let report_and_exit parse =
  try parse () with
  | Bad text ->
      prerr_string text;
      exit 2
  | Help text ->
      print_string text;
      exit 0

let parse options other message =
  report_and_exit (fun () -> parse_argv Sys.argv options other message)

let parse_dynamic options other message =
  report_and_exit (fun () -> parse_argv_dynamic Sys.argv options other message)

let parse_expand options other message =
  let position = ref !current in
  report_and_exit (fun () -> run true position (ref Sys.argv) (ref options) other message)

(* Where the description begins: behind the tab, else behind the first word. *)
let doc_start doc =
  let length = String.length doc in
  let rec skip i = if i < length && doc.[i] = ' ' then skip (i + 1) else i in
  match String.index_opt doc '\t' with
  | Some i -> skip (i + 1)
  | None -> ( match String.index_opt doc ' ' with Some i -> skip (i + 1) | None -> length)

(* The first tab only separates. *)
let one_space doc =
  match String.index_opt doc '\t' with
  | None -> doc
  | Some tab -> String.mapi (fun i c -> if i = tab then ' ' else c) doc

let aligned column ((key, action, doc) as option) =
  let start = doc_start doc in
  match action with
  | _ when doc = "" -> option
  | Symbol _ ->
      (key, action, "\n" ^ String.make (max 0 (column - start) + 3) ' ' ^ one_space doc)
  | _ ->
      let doc = one_space doc in
      let gap = max 0 (column - String.length key - start) in
      let rest = String.sub doc start (String.length doc - start) in
      (key, action, String.sub doc 0 start ^ String.make gap ' ' ^ rest)

let align ?(limit = max_int) options =
  let options = with_help options in
  let width (key, action, doc) =
    match action with
    | Symbol _ -> String.length key
    | _ -> String.length key + doc_start doc
  in
  let widest = List.fold_left (fun most option -> max most (width option)) 0 options in
  List.map (aligned (min widest limit)) options

(* Files of arguments *)

let read_words separator without_return file =
  let channel = open_in_bin file in
  let word = Buffer.create 200 in
  let words = ref [] in
  let finish () =
    let text = Buffer.contents word in
    let length = String.length text in
    let is_return = without_return && length > 0 && text.[length - 1] = '\r' in
    words := (if is_return then String.sub text 0 (length - 1) else text) :: !words;
    Buffer.clear word
  in
  (try
     while true do
       let c = input_char channel in
       if c = separator then finish () else Buffer.add_char word c
     done
   with End_of_file -> ());
  if Buffer.length word > 0 then finish ();
  close_in channel;
  Array.of_list (List.rev !words)

let read_arg file = read_words '\n' true file
let read_arg0 file = read_words '\000' false file

let write_words separator file words =
  let channel = open_out_bin file in
  Array.iter
    (fun word ->
      output_string channel word;
      output_char channel separator)
    words;
  close_out channel

let write_arg file words = write_words '\n' file words
let write_arg0 file words = write_words '\000' file words
