(* Random inputs for all conversions. *)
open Scanf
let state = ref 1
let rnd n = state := (!state * 1103515245 + 12345) land 0x3fffffffffff; (!state lsr 16) mod n
let atoms = [| "1"; "42"; "-7"; "+3"; "0x1F"; "0b11"; "0o17"; "3.14"; "1e5"; "-2.5e-3"; "abc"; "x"; " "; "  "; "\n"; "\t"; "\r\n"; ","; ";"; ":"; "true"; "false"; "'a'"; "'\\n'"; "\"str\""; "\"a\\tb\\065\""; "1_000"; "nan"; "0x1.8p3"; "infinity"; "@"; "%"; "["; "]"; "99999999999999999999"; "."; "e"; "_"; "\"%d\""; "" |]
let input () = let b = Buffer.create 20 in for _ = 0 to rnd 6 do Buffer.add_string b atoms.(rnd (Array.length atoms)) done; Buffer.contents b
let fl x = Printf.sprintf "%h" x
let tests : (string * (string -> string)) list = [
  "%d", (fun s -> sscanf s "%d%n" (fun a n -> Printf.sprintf "%d %d" a n));
  " %d %d", (fun s -> sscanf s " %d %d%!" (fun a b -> Printf.sprintf "%d %d" a b));
  "%i", (fun s -> sscanf s " %i%s" (fun a r -> Printf.sprintf "%d %S" a r));
  "%u", (fun s -> sscanf s "%u" string_of_int);
  "%x", (fun s -> sscanf s " %x%c" (fun a c -> Printf.sprintf "%d %C" a c));
  "%o", (fun s -> sscanf s " %o" string_of_int);
  "%3d", (fun s -> sscanf s " %3d%s" (fun a r -> Printf.sprintf "%d %S" a r));
  "%f", (fun s -> sscanf s " %f%s@\n" (fun a r -> fl a ^ " " ^ r));
  "%4f", (fun s -> sscanf s " %4f%s" (fun a r -> fl a ^ " " ^ r));
  "%.2f", (fun s -> sscanf s " %.2f%s" (fun a r -> fl a ^ " " ^ r));
  "%g", (fun s -> sscanf s " %g" fl);
  "%e", (fun s -> sscanf s " %e %n" (fun a n -> fl a ^ string_of_int n));
  "%h", (fun s -> sscanf s " %h%n" (fun a n -> fl a ^ string_of_int n));
  "%F", (fun s -> sscanf s " %F%n" (fun a n -> fl a ^ string_of_int n));
  "%s", (fun s -> sscanf s "%s %s %s" (fun a b c -> Printf.sprintf "%S %S %S" a b c));
  "%2s", (fun s -> sscanf s "%2s%2s%s" (fun a b c -> Printf.sprintf "%S %S %S" a b c));
  "%S", (fun s -> sscanf s " %S%s" (fun a b -> Printf.sprintf "%S %S" a b));
  "%c", (fun s -> sscanf s "%c%c" (fun a b -> Printf.sprintf "%C %C" a b));
  "%C", (fun s -> sscanf s " %C%n" (fun a b -> Printf.sprintf "%C %d" a b));
  "%B", (fun s -> sscanf s " %B%b" (fun a b -> Printf.sprintf "%b %b" a b));
  "%[a-z]", (fun s -> sscanf s "%[a-z]%[^a-z]%s" (fun a b c -> Printf.sprintf "%S %S %S" a b c));
  "%[]%%@-]", (fun s -> sscanf s " %[]%%%@-]%[^]]%n" (fun a b c -> Printf.sprintf "%S %S %d" a b c));
  "%3[0-9]", (fun s -> sscanf s "%3[0-9]%s" (fun a b -> Printf.sprintf "%S %S" a b));
  "%s@,", (fun s -> sscanf s "%s@,%s@;%s@:%s@ %s" (fun a b c d e -> Printf.sprintf "%S %S %S %S %S" a b c d e));
  "%s@%%", (fun s -> sscanf s "%s@%%%s@[%s" (fun a b c -> Printf.sprintf "%S %S %S" a b c));
  "%[a]@,", (fun s -> sscanf s "%[a-z ]@,%s" (fun a b -> Printf.sprintf "%S %S" a b));
  "%_d", (fun s -> sscanf s " %_d %_s %s" (fun a -> a));
  "%l%n%L%N", (fun s -> sscanf s "%s %s%l %n %L%N" (fun a b l n k m -> Printf.sprintf "%d %d %d %d" l n k m));
  "%ld", (fun s -> sscanf s " %ld" Int32.to_string);
  "%Lx", (fun s -> sscanf s " %Lx" Int64.to_string);
  "%nu", (fun s -> sscanf s " %nu" Nativeint.to_string);
  "%r", (fun s -> sscanf s " %r,%r" (fun ib -> bscanf ib "%d" (fun x -> x)) (fun ib -> bscanf ib " %s" (fun x -> x)) (fun a b -> Printf.sprintf "%d %S" a b));
  "lit", (fun s -> sscanf s "1 x,%s" (fun a -> a));
  "nl", (fun s -> sscanf s "%s\n%s" (fun a b -> a ^ "|" ^ b));
  "%(%d%)", (fun s -> sscanf s " %(%d%)%s" (fun f n r -> Printf.sprintf "%s %d %S %s" (string_of_format f) n r (Printf.sprintf f 5)));
  "%{%d%}", (fun s -> sscanf s " %{%d%}" (fun f -> Printf.sprintf f 6));
  "%0c", (fun s -> sscanf s "%0c%s" (fun c r -> Printf.sprintf "%C %s" c r));
  "opt", (fun s -> match sscanf_opt s "%d %s" (fun a b -> Printf.sprintf "%d%s" a b) with Some x -> x | None -> "none");
  "ks", (fun s -> ksscanf s (fun ib e -> Printexc.to_string e ^ string_of_bool (Scanning.end_of_input ib)) " %d" string_of_int);
  "unescaped", (fun s -> unescaped s);
  "%i%!", (fun s -> sscanf s "%i%!" string_of_int);
  "lines", (fun s -> let ib = Scanning.from_function (let i = ref (-1) in fun () -> incr i; if !i < String.length s then s.[!i] else raise End_of_file) in
     let b = Buffer.create 10 in
     (try while not (Scanning.end_of_input ib) do Buffer.add_string b (bscanf ib "%[^\n]%_c" (fun l -> "<" ^ l ^ ">")) done with End_of_file -> Buffer.add_string b "EOF"); Buffer.contents b);
]
let () =
  let seed = 78 and count = 12 in
  for i = 1 to count do
    state := seed * 7919 + i * 104729; for _ = 1 to 5 do ignore (rnd 2) done;
    let s = input () in
    List.iter (fun (n, f) -> Printf.printf "%s %S: %s\n" n s (try f s with e -> Printexc.to_string e)) tests
  done
