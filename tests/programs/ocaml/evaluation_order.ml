(* Defined orders only: let sequences, &&/||, if, match, sequences, for bounds, when guards, lazy default arguments. *)

let out = Buffer.create 100
let t s v = Buffer.add_string out s; Buffer.add_char out ' '; v
let flush name = Printf.printf "%s: %s\n" name (Buffer.contents out); Buffer.clear out

let opt ?(x = t "default" 1) () = x

let () =
  let a = t "a" 1 in
  let b = t "b" 2 in
  ignore (a + b);
  flush "lets";
  ignore (t "l" false && t "r" true);
  ignore (t "l" true && t "r" true);
  ignore (t "l" true || t "r" true);
  ignore (t "l" false || t "r" false);
  flush "boolean";
  ignore (if t "c" true then t "then" 1 else t "else" 2);
  flush "if";
  (match t "scrutinee" 5 with
   | n when t "g1" (n > 10) -> ()
   | 5 when t "g2" false -> ()
   | 5 -> t "body" ()
   | _ when t "g3" true -> ()
   | _ -> ());
  flush "match";
  for i = t "from" 1 to t "to" 3 do ignore (t (string_of_int i) ()) done;
  flush "for";
  let n = ref 0 in
  while t "cond" (!n < 2) do incr n; t "body" () done;
  flush "while";
  ignore (opt ());
  ignore (opt ~x:(t "given" 2) ());
  flush "optional";
  (try t "before" (); raise Exit with Exit -> t "handler" ());
  flush "try";
  let l = lazy (t "forced" 1) in
  t "made" ();
  ignore (Lazy.force l + Lazy.force l);
  flush "lazy";
  List.iter (fun x -> t x ()) [ "1"; "2"; "3" ];
  ignore (List.fold_left (fun acc x -> t (string_of_int x) (acc + x)) 0 [ 4; 5 ]);
  ignore (List.fold_right (fun x acc -> t (string_of_int x) (acc + x)) [ 6; 7 ] 0);
  flush "list";
  let f x = t "f" (fun y -> t "g" (x + y)) in
  let g = f 1 in
  ignore (g 2);
  flush "staged";
  ignore (t "piped" 3 |> fun x -> t "into" x);
  flush "pipe";
  begin t "x" (); t "y" () end;
  flush "seq"
