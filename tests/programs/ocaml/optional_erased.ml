(* Where a function without optional parameters is expected, they are left out. *)
type t = { call : ?loud:bool -> string -> unit }

let call ?(loud = false) text = Printf.printf "%b %s\n" loud text
let t = { call }
let made = ref 0
let make () = incr made; call
let () = List.iter call [ "name" ]
let () = List.iter t.call [ "field"; "twice" ]
let () = List.iter (make ()) [ "result"; "made once" ]
let () = Printf.printf "%d\n" !made
let () = List.iter (call : ?loud:bool -> string -> unit) [ "annotated" ]
let () = List.iter (print_string "first "; t.call) [ "sequence" ]
let () = List.iter (if !made > 0 then t.call else call) [ "branch" ]

(* Conversions out of range give what the processor gives. *)
let () =
  List.iter
    (fun x -> Printf.printf "%d " (int_of_float x))
    [ 1e300; -1e300; nan; infinity; neg_infinity; 4611686018427387904.; 9223372036854775807.; -9223372036854775808.; 1.9; -1.9 ];
  print_newline ();
  Printf.printf "%d %d %ld %Ld\n" (int_of_float 1e300) (truncate (-1e19)) (Int32.of_float 3e5) (Int64.of_float 1e300)

(* Appending is writing. *)
let () =
  let name = Filename.temp_file "oxbow" ".txt" in
  let append text =
    let channel = open_out_gen [ Open_append; Open_creat ] 0o644 name in
    output_string channel text;
    close_out channel
  in
  append "one\n";
  append "two\n";
  let channel = open_in name in
  let first = input_line channel in
  let second = input_line channel in
  close_in channel;
  Sys.remove name;
  Printf.printf "%s %s\n" first second

let () =
  try
    let rec l = lazy (1 + Lazy.force l) in
    print_int (Lazy.force l)
  with e -> print_endline (Printexc.to_string e)
