(* A line calculator with variables reading stdin until end of file or "quit". *)

let vars : (string, float) Hashtbl.t = Hashtbl.create 16

exception Bad of string

let eval s =
  let pos = ref 0 and n = String.length s in
  let rec skip () = if !pos < n && s.[!pos] = ' ' then (incr pos; skip ()) in
  let peek () = skip (); if !pos < n then s.[!pos] else '$' in
  let span pred =
    let start = !pos in
    while !pos < n && pred s.[!pos] do incr pos done;
    String.sub s start (!pos - start) in
  let rec expr () =
    let v = ref (term ()) in
    let rec go () = match peek () with
      | '+' -> incr pos; v := !v +. term (); go ()
      | '-' -> incr pos; v := !v -. term (); go ()
      | _ -> () in
    go (); !v
  and term () =
    let v = ref (factor ()) in
    let rec go () = match peek () with
      | '*' -> incr pos; v := !v *. factor (); go ()
      | '/' -> incr pos; v := !v /. factor (); go ()
      | _ -> () in
    go (); !v
  and factor () =
    match peek () with
    | '-' -> incr pos; -. factor ()
    | '(' ->
      incr pos;
      let v = expr () in
      if peek () <> ')' then raise (Bad "')' expected");
      incr pos; v
    | '0' .. '9' -> float_of_string (span (function '0' .. '9' | '.' -> true | _ -> false))
    | 'a' .. 'z' ->
      let name = span (function 'a' .. 'z' -> true | _ -> false) in
      (match name with
       | "sqrt" -> sqrt (factor ())
       | "pi" -> Float.pi
       | _ ->
         try Hashtbl.find vars name with Not_found -> raise (Bad ("unknown " ^ name)))
    | '$' -> raise (Bad "unexpected end")
    | c -> raise (Bad (Printf.sprintf "unexpected %c" c)) in
  let v = expr () in
  if peek () <> '$' then raise (Bad "junk at the end");
  v

let rec loop n =
  match read_line () with
  | exception End_of_file -> Printf.printf "eof after %d lines\n" n
  | "quit" -> Printf.printf "bye after %d lines\n" n
  | "" -> loop n
  | line ->
    (try
       match String.index_opt line '=' with
       | Some i ->
         let name = String.trim (String.sub line 0 i) in
         let v = eval (String.sub line (i + 1) (String.length line - i - 1)) in
         Hashtbl.replace vars name v;
         Printf.printf "%s = %g\n" name v
       | None -> Printf.printf "%g\n" (eval line)
     with Bad m -> Printf.printf "error: %s\n" m);
    loop (n + 1)

let () = loop 0
