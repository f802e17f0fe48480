(* An error reporter with %a and %t, exceptions with suspended messages, and limits on boxes. *)
open Format

type place = { file : string; line : int; columns : int * int }
type note = { message : formatter -> unit; at : place option }
exception Error of place * (formatter -> unit) * note list

let error ?(notes = []) at fmt = kdprintf (fun message -> raise (Error (at, message, notes))) fmt
let note ?at fmt = kdprintf (fun message -> { message; at }) fmt

let pp_place ppf { file; line; columns = a, b } =
  fprintf ppf "@[File %S,@ line %d,@ characters %d-%d:@]" file line a b

let pp_note ppf { message; at } =
  fprintf ppf "@,@[<2>note%a:@ %t@]"
    (pp_print_option (fun ppf p -> fprintf ppf " (at line %d)" p.line))
    at message

let report ppf = function
  | Error (at, message, notes) ->
      fprintf ppf "@[<v>%a@,@[<7>Error: %t@]%a@]" pp_place at message
        (fun ppf -> List.iter (pp_note ppf))
        notes
  | e -> fprintf ppf "@[unexpected: %s@]" (Printexc.to_string e)

let pp_type ppf names =
  pp_print_list ~pp_sep:(fun ppf () -> fprintf ppf " ->@ ") pp_print_string ppf names

let at line columns = { file = "main.ml"; line; columns }

let () =
  let attempt f = try f () with e -> printf "%a@.@." report e in
  attempt (fun () -> error (at 3 (4, 9)) "unbound value %s" "foo");
  attempt (fun () ->
      error (at 12 (0, 70))
        ~notes:
          [ note "the function has type@ @[<hov 2>%a@]" pp_type [ "int"; "string"; "float"; "unit" ];
            note ~at:(at 2 (1, 2)) "it was defined here" ]
        "this expression has type@ @[%a@]@ but an expression was expected of type@ @[%a@]" pp_type
        [ "int list"; "(string * string) list"; "bool" ] pp_type [ "unit" ]);
  attempt (fun () -> failwith "other");
  attempt (fun () -> printf "@[<zz>x@]");
  set_max_boxes 3;
  attempt (fun () -> error (at 1 (0, 0)) "deep @[a @[b @[c @[d@] e@] f@] g@]");
  printf "%d %b@." (get_max_boxes ()) (over_max_boxes ());
  set_ellipsis_text "<more>";
  printf "@[1 @[2 @[3 @[4@]@]@] 5@]@.";
  eprintf "@[<v>to the@ other channel@]@."
