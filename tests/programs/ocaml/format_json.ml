(* JSON with boxes, escapes and a compact form by another separator. *)
type json =
  | Null
  | Bool of bool
  | Number of float
  | String of string
  | List of json list
  | Object of (string * json) list

open Format

let pp_string ppf s =
  pp_print_char ppf '"';
  String.iter
    (function
      | '"' -> fprintf ppf "\\\""
      | '\n' -> pp_print_string ppf "\\n"
      | c when Char.code c < 32 -> fprintf ppf "\\u%04x" (Char.code c)
      | c -> pp_print_char ppf c)
    s;
  pp_print_char ppf '"'

let comma ppf () = fprintf ppf ",@ "

let rec pp ppf = function
  | Null -> pp_print_string ppf "null"
  | Bool b -> pp_print_bool ppf b
  | Number x when Float.of_int (int_of_float x) = x -> fprintf ppf "%d" (int_of_float x)
  | Number x -> fprintf ppf "%g" x
  | String s -> pp_string ppf s
  | List [] -> fprintf ppf "[]"
  | List items -> fprintf ppf "[@;<0 2>@[<hv>%a@]@,]" (pp_print_list ~pp_sep:comma pp) items
  | Object [] -> fprintf ppf "{}"
  | Object fields ->
      fprintf ppf "{@;<1 2>@[<hv>%a@]@ }" (pp_print_list ~pp_sep:comma field) fields

and field ppf (name, value) = fprintf ppf "@[<hv>%a: %a@]" pp_string name pp value

let value =
  Object
    [
      ("name", String "oxbow \"lake\"\n");
      ("depth", Number 3.5);
      ("tags", List [ String "river"; String "bend"; String "closed"; Null; Bool true ]);
      ("empty", List []);
      ( "places",
        List
          (List.init 4 (fun i ->
               Object
                 [ ("id", Number (float i)); ("at", List [ Number (1.25 *. float i); Number (-2.) ]) ]))
      );
      ("nothing", Object []);
    ]

let () =
  printf "@[<hv>%a@]@." pp value;
  set_margin 40;
  printf "@[<hv>%a@]@." pp value;
  set_margin 300;
  printf "@[<h>%a@]@." pp value;
  print_endline (asprintf "%a" pp (List [ Number 1.; Number 2.5 ]));
  let small = Format.asprintf "@[<hv>%a@]" pp in
  print_endline (small (Object [ ("a", Null) ]));
  print_endline (small (List [ String "\001" ]))
