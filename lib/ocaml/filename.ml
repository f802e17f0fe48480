(* Names of files, with slashes *)

[@@@links_printexc]
[@@@hidden "entropy is_slash skip_slashes skip_word extension_length current_temp_dir"]

external entropy : unit -> int = "%sys.entropy"

let current_dir_name = "."
let parent_dir_name = ".."
let dir_sep = "/"
let null = "/dev/null"
let is_slash name i = String.unsafe_get name i = '/'

(* The end of [name] below [i] without slashes, or without anything else. *)
let rec skip_slashes name i =
  if i > 0 && is_slash name (i - 1) then skip_slashes name (i - 1) else i

let rec skip_word name i =
  if i > 0 && not (is_slash name (i - 1)) then skip_word name (i - 1) else i

let concat dir name =
  let n = String.length dir in
  if n = 0 || is_slash dir (n - 1) then dir ^ name else dir ^ dir_sep ^ name

let basename name =
  if name = "" then current_dir_name
  else
    let stop = skip_slashes name (String.length name) in
    if stop = 0 then "/"
    else
      let start = skip_word name stop in
      String.sub name start (stop - start)

let dirname name =
  if name = "" then current_dir_name
  else
    let stop = skip_slashes name (String.length name) in
    if stop = 0 then "/"
    else
      let start = skip_word name stop in
      if start = 0 then current_dir_name
      else
        let stop = skip_slashes name start in
        if stop = 0 then "/" else String.sub name 0 stop

let is_relative name = String.length name = 0 || not (is_slash name 0)

let is_implicit name =
  is_relative name
  && (not (String.starts_with ~prefix:"./" name))
  && not (String.starts_with ~prefix:"../" name)

let check_suffix name suffix = String.ends_with ~suffix name

let chop_suffix_opt ~suffix name =
  if String.ends_with ~suffix name then
    Some (String.sub name 0 (String.length name - String.length suffix))
  else None

let chop_suffix name suffix =
  match chop_suffix_opt ~suffix name with
  | Some name -> name
  | None -> invalid_arg "Filename.chop_suffix"

(* How long the extension is, with its dot; a name that starts with dots keeps them. *)
let extension_length name =
  let rec only_dots i =
    i < 0 || is_slash name i || (String.unsafe_get name i = '.' && only_dots (i - 1))
  in
  let rec find i =
    if i < 0 || is_slash name i then 0
    else if String.unsafe_get name i = '.' then
      if only_dots (i - 1) then 0 else String.length name - i
    else find (i - 1)
  in
  find (String.length name - 1)

let extension name =
  let n = extension_length name in
  if n = 0 then "" else String.sub name (String.length name - n) n

let remove_extension name =
  let n = extension_length name in
  if n = 0 then name else String.sub name 0 (String.length name - n)

let chop_extension name =
  if extension_length name = 0 then invalid_arg "Filename.chop_extension"
  else remove_extension name

let quote name =
  let buffer = Buffer.create (String.length name + 20) in
  Buffer.add_char buffer '\'';
  String.iter
    (fun c -> if c = '\'' then Buffer.add_string buffer "'\\''" else Buffer.add_char buffer c)
    name;
  Buffer.add_char buffer '\'';
  Buffer.contents buffer

let quote_command command ?stdin ?stdout ?stderr arguments =
  let redirect mark = function None -> "" | Some name -> mark ^ quote name in
  let errors =
    match stderr with
    | Some _ when stderr = stdout -> " 2>&1"
    | _ -> redirect " 2>" stderr
  in
  String.concat " " (List.map quote (command :: arguments))
  ^ redirect " <" stdin ^ redirect " >" stdout ^ errors

let temp_dir_name = match Sys.getenv_opt "TMPDIR" with Some name -> name | None -> "/tmp"
let current_temp_dir = ref temp_dir_name
let set_temp_dir_name name = current_temp_dir := name
let get_temp_dir_name () = !current_temp_dir

let open_temp_file ?(mode = [ Open_text ]) ?(perms = 0o600) ?(temp_dir = !current_temp_dir) prefix
    suffix =
  let rec attempt count =
    let number = Oxbow_format.int "%06x" (entropy () land 0xFFFFFF) in
    let name = concat temp_dir (prefix ^ number ^ suffix) in
    match open_out_gen (Open_wronly :: Open_creat :: Open_excl :: mode) perms name with
    | channel -> (name, channel)
    | exception (Sys_error _ as error) -> if count >= 1000 then raise error else attempt (count + 1)
  in
  attempt 0

let temp_file ?(temp_dir = !current_temp_dir) prefix suffix =
  let name, channel = open_temp_file ~temp_dir prefix suffix in
  close_out channel;
  name

let temp_dir ?(temp_dir = !current_temp_dir) ?(perms = 0o700) prefix suffix =
  let rec attempt count =
    let number = Oxbow_format.int "%06x" (entropy () land 0xFFFFFF) in
    let name = concat temp_dir (prefix ^ number ^ suffix) in
    match Sys.mkdir name perms with
    | () -> name
    | exception (Sys_error _ as error) -> if count >= 20 then raise error else attempt (count + 1)
  in
  attempt 0
