module Stdlib = struct let x = 1 let printf = 3 end
module Oxbow_format = struct let int = 3 end
type ('a, 'b) r = { fmt : ('a, unit, string) format; n : 'b }
let () = Printf.printf "%d %s %5.2f\n" Stdlib.x "a" 1.5
let () = Format.printf "@[%d %s@]@." 1 "b"
let fs = [ format_of_string "%d-%d"; "%d+%d"; "%3d*%-3d|" ]
let () = List.iter (fun f -> print_endline (Printf.sprintf f 1 2)) fs
let () = List.iter (fun f -> print_endline (string_of_format f)) fs
let r = { fmt = "<%s>"; n = 3 }
let () = print_endline (Printf.sprintf r.fmt "x")
let ( ++ ) a b = a ^^ " " ^^ b
let f = "%d" ++ "%s" ++ "%c"
let () = Printf.printf (f ^^ "\n") 1 "two" '3'
let () = print_endline (string_of_format f)
let wrap fmt = Printf.sprintf ("[" ^^ fmt ^^ "]")
let () = print_endline (wrap "%d" 3); print_endline (wrap "%s %b" "x" true)
let cond b = Printf.printf (if b then "yes %d\n" else "no %04d\n") 7
let () = cond true; cond false
let m x = match x with 0 -> ("zero%s\n" : (_, _, _) format) | _ -> "other%S\n"
let () = Printf.printf (m 0) "!"; Printf.printf (m 1) "!"
let () = Printf.printf "a%(%d%s%)b%d\n" "<%3d:%s>" 2 "x" 9
let () = print_endline (Printf.sprintf "%{%d%s%f%a%}" "%x %S %g %a")
let log ?(level = 1) fmt = Printf.ksprintf (fun s -> Printf.printf "%d:%s\n" level s) fmt
let () = log "x%d" 3; log ~level:2 "%s" "y"; log "plain"
let k : ('a -> 'b, unit, string, string, string, 'b) format6 -> 'a -> string = fun _ _ -> ""
let tr fmt = Printf.ifprintf stdout fmt
let () = tr "%d%s" 1 "x"; tr "nothing"
let pr b fmt = if b then Printf.fprintf stdout fmt else Printf.ifprintf stdout fmt
let () = pr true "%d\n" 1; pr false "%d\n" 2
let opt : (int -> string, unit, string) format option = Some "%i"
let () = match opt with Some f -> print_endline (Printf.sprintf f 3) | None -> ()
let tbl = Hashtbl.create 3
let () = Hashtbl.replace tbl "a" (format_of_string "%d items\n"); Printf.printf (Hashtbl.find tbl "a") 5
let arr = [| ("%d" : (int -> string, unit, string) format); "%x" |]
let () = Array.iter (fun f -> print_string (Printf.sprintf f 255)) arr; print_newline ()
module type L = sig val msg : ('a, Format.formatter, unit) format -> 'a end
module L : L = struct let msg fmt = Format.kfprintf (fun p -> Format.fprintf p "@.") Format.std_formatter fmt end
let () = L.msg "%d %a" 1 Format.pp_print_string "z"; L.msg "q"
type logger = { log : 'a. ('a, unit, string, unit) format4 -> 'a }
let l = { log = (fun fmt -> Printf.ksprintf print_endline fmt) }
let () = l.log "poly %d" 1; l.log "poly %s %c" "a" 'b'
let () = Printf.printf "%s %s\n" (string_of_format ("a%d" ^^ "b@[%s")) ("x" : string)
let () = Printf.printf "%-8s|%8s|%08.3f|%+d|% d|%#x|%X|%o|%e|%h|%F|%c|%C|%S|%B|%i|%u|%ld|%nd|%Ld|%%|%@\n" "ab" "cd" 3.14159 5 6 255 255 8 1e10 1.5 2.0 'a' '\n' "q\"" true 3 4 5l 6n 7L
let () = Printf.printf "%*d|%-*d|%.*f|%*.*f\n" 5 1 5 2 2 3.14159 8 3 2.71828
