(* covers Arg: the text of usage, errors, and every kind of option *)

let verbose = ref false
let level = ref 0
let ratio = ref 1.5
let name = ref "none"
let rest = ref []
let show fmt = Printf.ksprintf (fun text -> rest := text :: !rest) fmt

let options =
  [
    ("-v", Arg.Set verbose, " be verbose");
    ("-q", Arg.Clear verbose, "be quiet");
    ("-level", Arg.Set_int level, "N\tset the level");
    ("--ratio", Arg.Set_float ratio, "<x>  a ratio");
    ("-name", Arg.Set_string name, "");
    ("-unit", Arg.Unit (fun () -> show "unit"), " call a function");
    ("-bool", Arg.Bool (fun b -> show "bool %b" b), "<b> a truth value");
    ("-int", Arg.Int (fun n -> show "int %d" n), "<n> an integer");
    ("-float", Arg.Float (fun x -> show "float %g" x), "<x> a number");
    ("-string", Arg.String (fun s -> show "string %s" s), "<s> a text");
    ("-color", Arg.Symbol ([ "red"; "green"; "blue" ], fun s -> show "color %s" s), " a color");
    ( "-pair",
      Arg.Tuple [ Arg.Int (fun n -> show "first %d" n); Arg.String (fun s -> show "second %s" s) ],
      "<n> <s>  two arguments" );
    ("-each", Arg.Rest (fun s -> show "each %s" s), " the rest, one by one");
    ("-all", Arg.Rest_all (fun l -> show "all [%s]" (String.concat ";" l)), " the rest at once");
    ("-expand", Arg.Expand (fun s -> String.split_on_char ',' s |> Array.of_list), "<s> arguments");
    ("-a-very-long-option-name", Arg.Unit ignore, "<x> is long");
    ("-refuse", Arg.Unit (fun () -> raise (Arg.Bad "not wanted")), " always fails");
  ]

let run words =
  rest := [];
  Printf.printf "== %s\n" (String.concat " " words);
  let argv = Array.of_list ("prog" :: words) in
  let report text = print_string text in
  (try
     Arg.parse_argv ~current:(ref 0) argv options (fun s -> show "anonymous %s" s) "usage: prog"
   with
  | Arg.Bad text -> report ("BAD " ^ String.sub text 0 (String.index text '\n' + 1))
  | Arg.Help text -> report ("HELP " ^ text)
  | Invalid_argument text -> report ("INVALID " ^ text ^ "\n"));
  List.iter print_endline (List.rev !rest)

let () =
  run [ "-v"; "a"; "-level"; "3"; "--ratio"; "2.5"; "-name=x"; "b" ];
  Printf.printf "%b %d %g %s\n" !verbose !level !ratio !name;
  run [ "-q"; "-unit"; "-bool"; "true"; "-int"; "0x10"; "-float=1e3"; "-string"; "-v"; "-color"; "red" ];
  Printf.printf "%b\n" !verbose;
  run [ "-pair"; "1"; "one"; "-each"; "x"; "-v"; "y" ];
  run [ "-all"; "x"; "-v"; "y" ];
  run [ "-all" ];
  run [ "-nope" ];
  run [ "-nope=3" ];
  run [ "-level" ];
  run [ "-level"; "x" ];
  run [ "-bool"; "maybe" ];
  run [ "-float"; "x" ];
  run [ "-color"; "pink" ];
  run [ "-v=1" ];
  run [ "-refuse" ];
  run [ "-expand"; "a,b" ];
  run [ "-"; "--" ];
  run [ "-help" ];
  print_string (Arg.usage_string (Arg.align options) "aligned");
  print_string (Arg.usage_string (Arg.align ~limit:10 options) "aligned to 10");
  print_string (Arg.usage_string [ ("-help", Arg.Unit ignore, " own help") ] "own");
  let argv = ref [| "prog"; "-expand"; "-level,9,end"; "last" |] in
  rest := [];
  Arg.parse_and_expand_argv_dynamic (ref 0) argv (ref options) (fun s -> show "anonymous %s" s) "";
  Printf.printf "%d %d %s\n" !level (Array.length !argv) (String.concat "," !rest);
  let dynamic = ref [] in
  dynamic :=
    [ ("-more", Arg.Unit (fun () -> dynamic := ("-extra", Arg.Unit (fun () -> print_endline "extra"), "") :: !dynamic), " more") ];
  Arg.parse_argv_dynamic ~current:(ref 0) [| "prog"; "-more"; "-extra" |] dynamic ignore "";
  (try Arg.parse_argv_dynamic ~current:(ref 0) [||] dynamic ignore "" with Arg.Bad _ -> print_endline "bad");
  Arg.parse [] ignore "nothing";
  print_endline "done"
