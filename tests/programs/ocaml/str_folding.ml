(* Sets are complemented after both cases are in them, references compare exactly, and searches skip what cannot begin
   a match. *)
let show name r text =
  Printf.printf "%s on %S:" name text;
  (match Str.search_forward r text 0 with
  | at ->
      Printf.printf " %d-%d" at (Str.match_end ());
      (try Printf.printf " (%d,%d)" (Str.group_beginning 1) (Str.group_end 1)
       with Not_found | Invalid_argument _ -> print_string " (none)")
  | exception Not_found -> print_string " none");
  (match Str.search_backward r text (String.length text) with
  | at -> Printf.printf " back %d" at
  | exception Not_found -> ());
  Printf.printf " %S\n" (Str.global_replace r "<\\0>" text)

let () =
  List.iter
    (fun pattern ->
      List.iter
        (fun text ->
          show pattern (Str.regexp pattern) text;
          show (pattern ^ " folded") (Str.regexp_case_fold pattern) text)
        [ "ca\nccAca"; "\nAaa cbb"; ""; "XxABab" ])
    [ "[^a]+"; "\\([^a]\\)*"; "[A-B]x?"; "\\([ab]\\)\\1"; "\\(x\\)?a"; "^[^b]"; "\\b[a-c]+$"; "[ab]+b"; "x*" ]
