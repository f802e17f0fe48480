(* Logs by kfprintf, ikfprintf and ksprintf: functions over formats. *)
type level = Debug | Info | Warn

let threshold = ref Info
let count = ref 0

let name = function Debug -> "debug" | Info -> "info" | Warn -> "warn"

let log level fmt =
  if level >= !threshold then begin
    incr count;
    Format.kfprintf
      (fun ppf -> Format.fprintf ppf "@]@.")
      Format.std_formatter
      ("[%s] @[<hov>" ^^ fmt)
      (name level)
  end
  else Format.ikfprintf ignore Format.std_formatter fmt

let log : type a. level -> (a, Format.formatter, unit) format -> a =
 fun level fmt ->
  if level >= !threshold then begin
    Format.printf "%d " !count;
    Format.kfprintf (fun ppf -> Format.fprintf ppf "@.") Format.std_formatter fmt
  end
  else Format.ifprintf Format.std_formatter fmt

let errorf fmt = Printf.ksprintf failwith fmt
let invalidf fmt = Format.kasprintf invalid_arg fmt
let title fmt = Format.kasprintf (fun s -> Format.printf "%s@.%s@." s (String.make (String.length s) '=')) fmt

let messages : (int -> string -> unit, Format.formatter, unit) format list =
  [ "%d is %s"; "number %d,@ named %s"; "%5d%-8s|" ]

type style = { item : (string -> unit, Format.formatter, unit) format; last : unit -> string }

let () =
  log Info "starting %s with %d" "server" 3;
  log Debug "not shown %a" (fun _ () -> print_endline "never called") ();
  threshold := Debug;
  log Debug "shown %a" (fun ppf () -> Format.fprintf ppf "called") ();
  log Warn "list %a" Format.(pp_print_list ~pp_sep:pp_print_space pp_print_int) [ 1; 2; 3 ];
  title "%s, part %d" "Formats" 2;
  (try errorf "bad %d%c" 3 '!' with Failure m -> print_endline m);
  (try invalidf "@[<v>bad@ %s@]" "news" with Invalid_argument m -> print_endline m);
  List.iter (fun m -> Format.printf m 7 "seven"; Format.printf "@.") messages;
  let style = { item = "* @[%s@]@."; last = (fun () -> Format.flush_str_formatter ()) } in
  List.iter (fun s -> Format.printf style.item s) [ "a"; "b" ];
  Format.fprintf Format.str_formatter style.item "into a string";
  print_string (style.last ());
  let partial = Format.printf "%d-%d@." 1 in
  partial 2;
  partial 3;
  let delayed = Format.dprintf "<@[<v>%d@ %d@]>" 1 2 in
  Format.printf "%t %t@." delayed delayed;
  Format.printf (if !count > 0 then "many: %d@." else "few: %d@.") !count
