(* A string or bytes that is indexed is evaluated before its index; for arrays it is the other way. *)
let t s v = print_string s; print_char ' '; v
let () = ignore ((t "s" "abc").[t "i" 1]); print_newline ();
  Bytes.set (t "b" (Bytes.create 2)) (t "i" 1) (t "c" 'c'); print_newline ();
  print_char ((t "s" "abc").[t "i" 1]); print_newline ();
  print_char (Bytes.get (t "s" (Bytes.of_string "abc")) (t "i" 1)); print_newline ();
  print_char (String.get (t "s" "abc") (t "i" 1)); print_newline ();
  print_int (String.get_uint8 (t "s" "abc") (t "i" 1)); print_newline ();
  print_int (Array.get (t "s" [|1;2;3|]) (t "i" 1)); print_newline ();
  print_float (Array.get (t "s" [|1.;2.;3.|]) (t "i" 1)); print_newline ();
  Array.set (t "s" [|1.;2.;3.|]) (t "i" 1) (t "v" 3.); print_newline ();
  (t "s" [|1.;2.;3.|]).(t "i" 1) <- (t "v" 3.); print_newline ();
  (t "s" [|"a";"b"|]).(t "i" 1) <- (t "v" "c"); print_newline ();
  Bytes.unsafe_set (t "b" (Bytes.create 2)) (t "i" 1) (t "c" 'c'); print_newline ();
  ignore (Array.unsafe_get (t "s" [|1;2;3|]) (t "i" 1)); print_newline ();
  print_int (Int64.to_int (Int64.add (t "a" 1L) (t "b" 2L))); print_newline ();
  print_int ((t "a" 1) / (t "b" 2)); print_int ((t "a" 1) mod (t "b" 2)); print_newline ();
  print_string (if (t "a" "x") < (t "b" "y") then "" else ""); print_newline ();
  print_string (if (t "a" "x") == (t "b" "y") then "" else ""); print_newline ();
  ignore ((t "a" 1.) ** (t "b" 2.)); ignore (atan2 (t "a" 1.) (t "b" 2.)); print_newline ();
  ignore (Float.fma (t "a" 1.) (t "b" 2.) (t "c" 3.)); print_newline ()
