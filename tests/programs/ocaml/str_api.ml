(* covers Str *)
let t f = try f () with
  | Not_found -> print_endline "not found"
  | Invalid_argument m | Failure m -> print_endline m
let patterns =
  [ "a*"; "a+b"; "\\(a\\|b\\)*c"; "[a-c]+"; "[^a-c]+"; "^b"; "c$"; "\\bcat\\b"; "\\([a-z]+\\) \\1"; "x?y"; "."; "[]a]"; "[^]a]"; "a\\.b"; "\\(a*\\)*b";
    "\\(a\\)?b"; "ab\\|abc"; "*a"; "[a-]"; "\\(\\(a\\)\\(b\\)?\\)+"; ""; "\\$"; "\\(x\\|y\\)+z" ]
let subjects = [ ""; "aaab"; "abc"; "the cat sat"; "cat\nbat"; "the the end"; "xxyy"; "a.b]"; "a-b*a"; "abab"; "xyxz$" ]
let () =
  List.iter (fun p ->
    let re = Str.regexp p in
    List.iter (fun s ->
      let shown =
        match Str.search_forward re s 0 with
        | at ->
            let group n = match Str.matched_group n s with g -> "<" ^ g ^ ">" | exception Not_found -> "-" | exception Invalid_argument _ -> "" in
            Printf.sprintf "%d-%d %s %s %s" at (Str.match_end ()) (group 1) (group 2) (group 3)
        | exception Not_found -> "none"
      in
      let back = match Str.search_backward re s (String.length s) with n -> n | exception Not_found -> -1 in
      let here = Str.string_match re s 0 in
      let partial = Str.string_partial_match re s 0 in
      Printf.printf "%S %S: %s %d %b %b\n" p s shown back here partial)
      subjects)
    patterns;
  let show l = print_endline (String.concat "|" l) in
  let re = Str.regexp in
  show (Str.split (re "[ \t]+") "  a b  c ");
  show (Str.split_delim (re "[ \t]+") "  a b  c ");
  show (Str.bounded_split (re ",") "a,b,c,d" 2);
  show (Str.bounded_split_delim (re ",") ",a,,b" 3);
  show (Str.split (re "") "abc");
  show (Str.split_delim (re "") "abc");
  show (Str.split (re "x*") "axxb");
  show (List.map (function Str.Text s -> "T" ^ s | Str.Delim s -> "D" ^ s) (Str.full_split (re "[,;]") "a,b;;c,"));
  show (List.map (function Str.Text s -> "T" ^ s | Str.Delim s -> "D" ^ s) (Str.bounded_full_split (re "[,;]") "a,b;;c," 2));
  print_endline (Str.global_replace (re "\\([a-z]+\\)=\\([0-9]+\\)") "\\2:\\1 \\\\ \\x" "a=1, bc=23");
  print_endline (Str.global_replace (re "x*") "-" "abxc");
  print_endline (Str.replace_first (re "b+") "[\\0]" "abbbabb");
  print_endline (Str.global_substitute (re "[0-9]+") (fun s -> string_of_int (2 * int_of_string (Str.matched_string s))) "1 22 333");
  print_endline (Str.substitute_first (re "z") (fun _ -> "!") "abc");
  print_endline (Str.global_replace (Str.regexp_case_fold "hello") "bye" "Hello hELLO");
  print_endline (Str.global_replace (Str.regexp_case_fold "[a-c]+") "_" "xABCabcz");
  print_endline (Str.quote "a.b*[c]\\^$+?d");
  Printf.printf "%b %b\n" (Str.string_match (Str.regexp_string "a.b") "a.b" 0) (Str.string_match (Str.regexp_string "a.b") "axb" 0);
  Printf.printf "%s %s %s %s\n" (Str.string_before "hello" 2) (Str.string_after "hello" 2) (Str.first_chars "hello" 3) (Str.last_chars "hello" 3);
  t (fun () -> ignore (re "\\(a"));
  t (fun () -> ignore (re "a\\)"));
  t (fun () -> ignore (re "[a"));
  t (fun () -> ignore (Str.string_match (re "a") "a" 2));
  t (fun () -> ignore (Str.search_forward (re "a") "a" 2));
  t (fun () -> ignore (Str.search_forward (re "b") "a" 0));
  t (fun () -> ignore (Str.match_end ()));
  t (fun () -> ignore (Str.string_match (re "\\(a\\)\\|b") "b" 0); ignore (Str.matched_group 1 "b"));
  t (fun () -> ignore (Str.string_match (re "a") "a" 0); ignore (Str.matched_group 1 "b"));
  t (fun () -> ignore (Str.global_replace (re "a") "\\1" "a"));
  t (fun () -> ignore (Str.global_replace (re "a") "\\" "a"))
