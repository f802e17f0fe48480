(* Run-length encoding of strings and lists, with round trips. *)

let encode s =
  let b = Buffer.create 16 in
  let n = String.length s in
  let rec go i =
    if i < n then begin
      let j = ref i in
      while !j < n && s.[!j] = s.[i] do incr j done;
      if !j - i > 1 then Buffer.add_string b (string_of_int (!j - i));
      Buffer.add_char b s.[i];
      go !j
    end in
  go 0;
  Buffer.contents b

let decode s =
  let b = Buffer.create 16 in
  let count = ref 0 in
  String.iter (function
      | '0' .. '9' as c -> count := !count * 10 + Char.code c - Char.code '0'
      | c ->
        Buffer.add_string b (String.make (max 1 !count) c);
        count := 0) s;
  Buffer.contents b

let rec pack = function
  | [] -> []
  | x :: rest ->
    match pack rest with
    | ((y :: _) as run) :: runs when y = x -> (x :: run) :: runs
    | runs -> [ x ] :: runs

let encode_list l = List.map (fun run -> (List.length run, List.hd run)) (pack l)

let () =
  List.iter (fun s ->
      let e = encode s in
      Printf.printf "%S -> %S -> %b\n" s e (decode e = s))
    [ ""; "a"; "aaaabbbcca"; "wwwwwwwwwwwwwbwwww"; "abc"; "   x" ];
  print_endline (decode "3x2y10-z");
  List.iter (fun (n, x) -> Printf.printf "%dx%d " n x) (encode_list [ 1; 1; 2; 3; 3; 3; 1 ]);
  print_newline ();
  List.iter (fun (n, x) -> Printf.printf "%dx%b " n x) (encode_list [ true; true; false ]);
  print_newline ()
