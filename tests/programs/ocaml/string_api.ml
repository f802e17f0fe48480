(* The common String functions, with their errors. *)

let q s = Printf.printf "%S\n" s
let opt = function Some i -> string_of_int i | None -> "none"

let () =
  let s = "Hello, World" in
  q (String.uppercase_ascii s); q (String.lowercase_ascii s); q (String.capitalize_ascii "abc"); q (String.uncapitalize_ascii "ABC");
  q (String.sub s 7 5); q (String.make 3 'z'); q (String.init 5 (fun i -> Char.chr (97 + i)));
  q (String.concat "-" [ "a"; "b"; "c" ]); q (String.concat ", " []); q (String.trim "  \t mid dle \n ");
  q (String.map (fun c -> if c = 'l' then 'L' else c) s); q (String.mapi (fun i c -> if i mod 2 = 0 then c else '.') s);
  List.iter (fun l -> Printf.printf "[%s]" l) (String.split_on_char ',' "a,b,,c,"); print_newline ();
  Printf.printf "%d %d %d\n" (List.length (String.split_on_char ' ' "")) (String.length s) (Char.code s.[4]);
  Printf.printf "%d %d %s %s\n" (String.index s 'o') (String.rindex s 'o') (opt (String.index_opt s 'z')) (opt (String.rindex_opt s 'l'));
  Printf.printf "%d %s\n" (String.index_from s 5 'o') (opt (String.index_from_opt s 9 'o'));
  Printf.printf "%b %b\n" (String.contains s 'W') (String.contains_from s 8 'W');
  Printf.printf "%d %d %d\n" (compare "abc" "abd") (String.compare "b" "a") (compare "" "a");
  Printf.printf "%b %b %b\n" (String.equal "x" "x") ("a" < "B") ("Z" < "a");
  Printf.printf "%b %b %b\n" (String.starts_with ~prefix:"Hell" s) (String.ends_with ~suffix:"ld" s) (String.starts_with ~prefix:"x" "");
  Printf.printf "%b %b\n" (String.for_all (fun c -> c <> '!') s) (String.exists (fun c -> c = ',') s);
  Printf.printf "%d\n" (String.fold_left (fun n c -> n + Char.code c) 0 "abc");
  q (String.fold_right (fun c acc -> acc ^ String.make 1 c) "abc" "");
  String.iter (fun c -> Printf.printf "%c." c) "xyz"; String.iteri (fun i c -> Printf.printf "%d%c" i c) "ab"; print_newline ();
  q (String.escaped "tab\there\nnew \"quote\" \\ \001 \200");
  q ("con" ^ "cat" ^ ""); q (String.of_seq (List.to_seq [ 'o'; 'k' ]));
  let b = Bytes.of_string "mutable" in
  Bytes.set b 0 'M'; q (Bytes.to_string b);
  List.iter (fun f -> match f () with
      | (_ : int) -> print_endline "fine"
      | exception Invalid_argument m -> print_endline m
      | exception Not_found -> print_endline "Not_found")
    [ (fun () -> Char.code s.[12]); (fun () -> String.length (String.sub s 5 20)); (fun () -> String.index s 'q');
      (fun () -> String.length (String.make (-1) 'x')); (fun () -> String.index_from s 50 'a'); (fun () -> Char.code (String.get s (-1))) ];
  q "multi\
     line \
     joined"; q {|raw "string" \n|}; q {x|with |} inside|x}; q "\065\x42\o103 \u{e9}";
  Printf.printf "%d %d\n" (String.length "\u{1F600}") (String.length "a\000b");
  Printf.printf "%s|%c|%C|%C|%C\n" "\"" '\'' '\'' '\n' '\255'
