(* What `Buffer.add_substitute` takes for a name, and messages of wrong parts. *)
let () = List.iter (fun s -> let b = Buffer.create 1 in
  match Buffer.add_substitute b (fun s -> "<" ^ s ^ ">") s with () -> Printf.printf "%S -> [%s]\n" s (Buffer.contents b) | exception Not_found -> Printf.printf "%S Not_found\n" s)
  ["$"; "a$"; "$$"; "$ x"; "${x"; "$-"; "${x $y"; "$$x"; "$(a $b"; "${a{b}"; "$1a"; "$_x b"; "$\195\169x"; "\\$x"; "\\\\$x"; "\\"; "${}"; "${a{b}c}$d"; "$a'b"; "$(a(b)c) z"; "x\\"; "\\a$b"; "$(x}"; "${a)b}"; "${a(b}"; "$()"; "$$$a$"; "\\$\\$"; "$a$b"]
let () = let b = Buffer.create 1 in
  (try Buffer.add_substring b "abc" 2 2 with Invalid_argument m -> print_endline m);
  (try Buffer.add_subbytes b (Bytes.of_string "abc") 2 2 with Invalid_argument m -> print_endline m);
  (try ignore (Uchar.of_int 0xD800) with Invalid_argument m -> print_endline m)
