(* Reading as programs do it: lines, records, tables, expressions, dates, readers of one's own. *)
open Scanf

type point = { x : int; y : int }

let parse_point s = sscanf s "(%d,%d)" (fun x y -> { x; y })
let parse_date s = sscanf s "%4d-%2d-%2d" (fun y m d -> (y, m, d))
let parse_pair s = sscanf s "%s@=%s" (fun k v -> (k, v))
let parse_opt s = sscanf_opt s "%d%!" (fun n -> n)

(* A list of elements by a reader. *)
let read_list read ib =
  bscanf ib " [" ();
  let rec go acc =
    let v = read ib in
    bscanf ib " %c" (function ';' -> go (v :: acc) | ']' -> List.rev (v :: acc) | c -> failwith (Printf.sprintf "unexpected %c" c))
  in
  go []

let read_int ib = bscanf ib " %d" Fun.id
let read_point ib = bscanf ib " { x = %d ; y = %d }" (fun x y -> { x; y })

(* An expression by recursive descent. *)
let rec expr ib = bscanf ib " %0c" (fun _ -> sum ib (product ib))
and sum ib acc =
  match bscanf ib " %0c" Fun.id with
  | '+' -> bscanf ib "%_c" (); sum ib (acc + product ib)
  | '-' -> bscanf ib "%_c" (); sum ib (acc - product ib)
  | _ -> acc
  | exception End_of_file -> acc
and product ib = times ib (atom ib)
and times ib acc =
  match bscanf ib " %0c" Fun.id with
  | '*' -> bscanf ib "%_c" (); times ib (acc * atom ib)
  | _ -> acc
  | exception End_of_file -> acc
and atom ib =
  match bscanf ib " %0c" Fun.id with
  | '(' -> bscanf ib "(" (); let v = expr ib in bscanf ib " )" (); v
  | _ -> bscanf ib "%i" Fun.id

let () =
  let p = parse_point "(3,-4)" in
  Printf.printf "%d %d\n" p.x p.y;
  let y, m, d = parse_date "2024-02-29" in
  Printf.printf "%d/%d/%d\n" d m y;
  let k, v = parse_pair "key=some" in
  Printf.printf "%s -> %s\n" k v;
  List.iter (fun s -> Printf.printf "%s: %s\n" s (match parse_opt s with Some n -> string_of_int n | None -> "-")) [ "12"; "12x"; ""; "-0" ];
  let ib = Scanning.from_string "[1; 2 ;3] [ { x=1;y=2 }; { x = 3 ; y = 4 } ]" in
  Printf.printf "%s\n" (String.concat " " (List.map string_of_int (read_list read_int ib)));
  List.iter (fun p -> Printf.printf "<%d %d>" p.x p.y) (read_list read_point ib);
  print_newline ();
  sscanf "1,abc;2,def" "%r;%r" (fun ib -> bscanf ib "%d,%[a-z]" (fun a b -> (a, b))) (fun ib -> bscanf ib "%d,%s" (fun a b -> b ^ string_of_int a))
    (fun (a, b) c -> Printf.printf "%d %s %s\n" a b c);
  List.iter (fun s -> Printf.printf "%s = %d\n" s (expr (Scanning.from_string s))) [ "1+2*3"; "(1 + 2) * 0x10"; " 7 - 2 - 1 " ];
  (* Numbers from the standard input, then lines, then what is left. *)
  let n = scanf " %d" Fun.id in
  let sum = ref 0 in
  for _ = 1 to n do sum := !sum + scanf " %d" Fun.id done;
  Printf.printf "sum of %d: %d\n" n !sum;
  let name, age = scanf " %s@: %d\n" (fun a b -> (a, b)) in
  Printf.printf "%S is %d\n" name age;
  let line = scanf "%[^\n]\n" Fun.id in
  Printf.printf "line %S\n" line;
  let words = ref [] in
  (try while true do scanf " %s" (fun w -> if w = "" then raise End_of_file; words := w :: !words) done with End_of_file -> ());
  Printf.printf "%s\n" (String.concat "," (List.rev !words));
  Printf.printf "%b %s\n" (Scanning.end_of_input Scanning.stdin) (Scanning.name_of_input Scanning.stdin);
  (* Formats as values that are read and printed. *)
  let f () = format_of_string "%d/%s" in
  sscanf "5/five" (f ()) (fun n s -> Printf.printf (f () ^^ "!\n") n s);
  let g = format_from_string "<%5.1f|%-4s>\n" (format_of_string "%f %s") in
  Printf.printf g 2.25 "ab";
  Format.printf (format_from_string "@[<v 2>%d:@ %s@]@." (f ())) 3 "three";
  Printf.printf (sscanf_format "\"%x-%S\\n\"" (f ()) Fun.id) 255 "q";
  Printf.printf (format_from_string "%a|%t\n" "%a%t") (fun oc n -> Printf.fprintf oc "#%d" n) 4 (fun oc -> output_string oc "end");
  Printf.printf (format_from_string "%*d|%.*f\n" "%*d %.*f") 5 42 2 3.14159;
  Printf.printf (format_from_string "%(%d%)\n" "%(%i%)") "[%d]" 7;
  (try print_string (Printf.sprintf (format_from_string "%s" "%d") 3) with Scan_failure m -> print_endline m);
  Printf.printf "%s\n" (String.concat ";" (List.map (fun s -> sscanf s "%[0-9]%s" (fun a b -> a ^ "." ^ b)) [ "12ab"; "x"; "7" ]));
  let name = Filename.temp_file "scanf" ".txt" in
  let oc = open_out name in
  output_string oc "10 20\n30 \"quoted text\" 'c' true 1.5e3\n";
  close_out oc;
  let ic = Scanning.open_in name in
  bscanf ic "%d %d %d %S %C %B %g" (fun a b c s ch t x -> Printf.printf "%d %d %d %s %c %b %g\n" a b c s ch t x);
  bscanf ic " %l %n %N" (fun l n t -> Printf.printf "%d %d %d\n" l n t);
  Scanning.close_in ic;
  Sys.remove name
