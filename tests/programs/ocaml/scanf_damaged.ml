(* Damaged input for Scanf and formats *)
let try_ name f = match f () with
  | s -> Printf.printf "%s -> %s\n" name s
  | exception Scanf.Scan_failure m -> Printf.printf "%s !! Scan_failure %s\n" name m
  | exception Failure m -> Printf.printf "%s !! Failure %s\n" name m
  | exception End_of_file -> Printf.printf "%s !! End_of_file\n" name
  | exception Invalid_argument m -> Printf.printf "%s !! Invalid_argument %s\n" name m
  | exception e -> Printf.printf "%s !! %s\n" name (Printexc.to_string e)
let i = string_of_int
let ss_opt s = Scanf.sscanf_opt s "%d" (fun x -> x)
let () =
  let ss = Scanf.sscanf in
  try_ "d empty" (fun () -> ss "" "%d" i);
  try_ "d -" (fun () -> ss "-" "%d" i);
  try_ "d --1" (fun () -> ss "--1" "%d" i);
  try_ "d 1e" (fun () -> ss "1e" "%d%s" (fun a b -> i a ^ b));
  try_ "d big" (fun () -> ss "99999999999999999999999" "%d" i);
  try_ "x" (fun () -> ss "0xfg" "%x%s" (fun a b -> i a ^ "," ^ b));
  try_ "x none" (fun () -> ss "zz" "%x" i);
  try_ "i 0b12" (fun () -> ss "0b12" "%i%s" (fun a b -> i a ^ "," ^ b));
  try_ "i 0o" (fun () -> ss "0o" "%i" i);
  try_ "u" (fun () -> ss "-5" "%u" i);
  try_ "f" (fun () -> ss "1.2.3" "%f%s" (fun a b -> string_of_float a ^ "," ^ b));
  try_ "f ." (fun () -> ss "." "%f" string_of_float);
  try_ "f e" (fun () -> ss "1e" "%f" string_of_float);
  try_ "f e+" (fun () -> ss "1e+" "%f" string_of_float);
  try_ "f nan" (fun () -> ss "nan" "%f" string_of_float);
  try_ "f inf" (fun () -> ss "infinity" "%f" string_of_float);
  try_ "h" (fun () -> ss "0x1.8p3" "%h" string_of_float);
  try_ "h bad" (fun () -> ss "0x1.8q3" "%h%s" (fun f s -> string_of_float f ^ s));
  try_ "F" (fun () -> ss "12" "%F" string_of_float);
  try_ "F 1." (fun () -> ss "1." "%F" string_of_float);
  try_ "S" (fun () -> ss "\"a\\nb\"" "%S" String.escaped);
  try_ "S open" (fun () -> ss "\"abc" "%S" String.escaped);
  try_ "S esc" (fun () -> ss "\"a\\q\"" "%S" String.escaped);
  try_ "S dec" (fun () -> ss "\"\\999\"" "%S" String.escaped);
  try_ "S hex" (fun () -> ss "\"\\x4g\"" "%S" String.escaped);
  try_ "S none" (fun () -> ss "abc" "%S" String.escaped);
  try_ "C" (fun () -> ss "'a'" "%C" (String.make 1));
  try_ "C two" (fun () -> ss "'ab'" "%C" (String.make 1));
  try_ "C esc" (fun () -> ss "'\\065'" "%C" (String.make 1));
  try_ "c" (fun () -> ss "" "%c" (String.make 1));
  try_ "B" (fun () -> ss "true" "%B" string_of_bool);
  try_ "B bad" (fun () -> ss "tru" "%B" string_of_bool);
  try_ "B bad2" (fun () -> ss "maybe" "%B" string_of_bool);
  try_ "range" (fun () -> ss "abcXYZ" "%[a-z]%s" (fun a b -> a ^ "|" ^ b));
  try_ "range not" (fun () -> ss "abc]x" "%[^]]%s" (fun a b -> a ^ "|" ^ b));
  try_ "range ]" (fun () -> ss "]]x" "%[]]%s" (fun a b -> a ^ "|" ^ b));
  try_ "range -" (fun () -> ss "-a-z" "%[-a]%s" (fun a b -> a ^ "|" ^ b));
  try_ "literal" (fun () -> ss "ab" "ac%d" i);
  try_ "space" (fun () -> ss "  \n 12" " %d" i);
  try_ "width" (fun () -> ss "12345" "%3d%d" (fun a b -> i a ^ "," ^ i b));
  try_ "width s" (fun () -> ss "abcdef" "%2s%s" (fun a b -> a ^ "," ^ b));
  try_ "width 0" (fun () -> ss "abcdef" "%0s|%s" (fun a b -> a ^ "," ^ b));
  try_ "skip" (fun () -> ss "1 2 3" "%_d %d %_s" i);
  try_ "N" (fun () -> ss "1 2" "%d%n %d%n" (fun a b c d -> String.concat "," (List.map i [a;b;c;d])));
  try_ "L" (fun () -> ss "a\nb\nc" "%s %s%l %N" (fun a b l n -> a ^ b ^ i l ^ "," ^ i n));
  try_ "!" (fun () -> ss "1x" "%d%!" i);
  try_ "@" (fun () -> ss "user@host" "%s@@%s" (fun a b -> a ^ "|" ^ b));
  try_ "@c" (fun () -> ss "key:value" "%s@:%s" (fun a b -> a ^ "|" ^ b));
  try_ "{fmt}" (fun () -> ss "\"%d and %s\"" "%{%i %s%}" (fun f -> string_of_format f));
  try_ "{fmt} bad" (fun () -> ss "\"%d\"" "%{%i %s%}" (fun f -> string_of_format f));
  try_ "(fmt)" (fun () -> ss "\"%d\" 42" "%(%d%)" (fun _ n -> i n));
  try_ "r" (fun () -> ss "12 34" "%r %d" (fun ib -> Scanf.bscanf ib "%d" (fun x -> x * 2)) (fun a b -> i a ^ "," ^ i b));
  try_ "l" (fun () -> ss "2147483648" "%ld" Int32.to_string);
  try_ "n" (fun () -> ss "-9223372036854775808" "%nd" Nativeint.to_string);
  try_ "L" (fun () -> ss "9223372036854775808" "%Ld" Int64.to_string);
  try_ "uL" (fun () -> ss "18446744073709551615" "%Lu" Int64.to_string);
  try_ "format_from_string" (fun () -> string_of_format (Scanf.format_from_string "%d %s" "%i%S"));
  try_ "format_from_string2" (fun () -> string_of_format (Scanf.format_from_string "%d %q" "%i%S"));
  try_ "format_from_string3" (fun () -> string_of_format (Scanf.format_from_string "%" "%i"));
  try_ "unescaped" (fun () -> Scanf.unescaped "a\\nb\\065");
  try_ "unescaped bad" (fun () -> Scanf.unescaped "a\\");
  try_ "ksscanf" (fun () -> Scanf.ksscanf "x" (fun _ e -> Printexc.to_string e) "%d" i);
  try_ "sscanf_opt" (fun () -> match ss_opt "x" with None -> "none" | Some n -> i n)
let () =
  let n = ref 0 in
  let ib = Scanf.Scanning.from_function (fun () -> incr n; if !n > 5 then raise End_of_file else Char.chr (48 + !n)) in
  try_ "fn" (fun () -> Scanf.bscanf ib "%d" i);
  let ib = Scanf.Scanning.from_string "1, 2, 3, x" in
  let rec go acc = match Scanf.bscanf ib " %d%[,]" (fun a _ -> a) with a -> go (a :: acc) | exception Scanf.Scan_failure m -> print_endline m; List.rev acc | exception End_of_file -> List.rev acc in
  print_endline (String.concat ";" (List.map i (go [])))
