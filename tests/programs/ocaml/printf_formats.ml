(* Printf conversions with flags, widths and precisions. *)

let () =
  let open Printf in
  printf "[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%i] [%u]\n" 42 42 42 42 42 42 (-7) 7;
  printf "[%d] [%5d] [%-5d] [%05d] [%+d]\n" (-42) (-42) (-42) (-42) (-42);
  printf "[%x] [%X] [%#x] [%o] [%08x] [%x]\n" 255 255 255 8 48879 (-1);
  printf "[%s] [%10s] [%-10s] [%S] [%10S]\n" "abc" "abc" "abc" "a\"b\n" "q";
  printf "[%c] [%C] [%C]\n" 'x' 'x' '\n';
  printf "[%f] [%.3f] [%10.2f] [%-10.2f] [%010.2f] [%+.1f] [%.0f]\n" 3.14159 3.14159 3.14159 3.14159 3.14159 3.14159 2.5;
  printf "[%e] [%.2e] [%E] [%g] [%g] [%g] [%G]\n" 12345.678 12345.678 0.00012 100000. 1000000. 0.0001 1e-10;
  printf "[%g] [%.3g] [%.10g] [%g]\n" 3.14159265 3.14159265 3.14159265 (-0.5);
  printf "[%F] [%F] [%F] [%F]\n" 1. 1.5 1e20 (-0.);
  printf "[%b] [%B]\n" true false;
  printf "[%ld] [%Ld] [%nd] [%lx] [%LX] [%5ld]\n" 7l 8L 9n 255l 255L 3l;
  printf "[%%] [%d%%]\n" 50;
  printf "[%*d] [%-*d] [%.*f]\n" 6 42 6 42 2 3.14159;
  printf "%a and %t\n" (fun oc l -> output_string oc (String.concat "+" l)) [ "x"; "y" ] (fun oc -> output_string oc "thunk");
  let s = sprintf "%a|%t" (fun () n -> string_of_int (n * 2)) 21 (fun () -> "t") in
  print_endline s;
  printf "%s %s %s\n" (sprintf "%03d" 7) (sprintf "%3s" "toolong") (sprintf "%s" "plain");
  let pr = printf "%d-%s-%c\n" in
  pr 1 "one" 'a';
  pr 2 "two" 'b';
  let partial = sprintf "%d/%d" 10 in
  print_endline (partial 20);
  ksprintf print_endline "k %d %s" 5 "done";
  let fmt : (int -> string -> string, unit, string) format = "<%d:%s>" in
  print_endline (sprintf fmt 3 "three");
  print_endline (sprintf ("<%d" ^^ ":%b>") 4 true);
  printf "no arguments\n%!";
  fprintf stdout "%s\n" "to stdout";
  eprintf "to stderr\n";
  printf "%d %d %d\n" max_int min_int 0;
  printf "%x %o\n" max_int min_int;
  printf "[%6.2f%%] [%5s|%-5s|]\n" 99.5 "ab" "cd"

(* Texts are filled up with blanks, numbers with zeros, too. *)
let () = Printf.printf "%5s|%8S|%5B|%-5s|%*s|%05d\n" "a" "b" true "d" 6 "q" (-3)
