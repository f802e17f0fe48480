(* Literals of many known numbers: each evaluation makes an array of its own. *)

let ints () =
  [| 0; 1; -1; 2; -2; 3; -3; max_int; min_int; 10; 11; 12; 13; 14; 15; 16; 17; 18; 19; 20;
     21; 22; 23; 24; 25; 26; 27; 28; 29; 30; 31; 32; 33; 34; 35; 36; 37; 38; 39; 0x7fff_ffff |]

let floats () =
  [| 0.0; -0.0; 1.5; -1.5; infinity; neg_infinity; nan; 1e-308; 4e-324; 1e308; 0.1; 0.2; 0.3;
     0.4; 0.5; 0.6; 0.7; 0.8; 0.9; 1.0; 1.1; 1.2; 1.3; 1.4; 1.6; 1.7; 1.8; 1.9; 2.0; 2.1; 2.2;
     2.3; 2.4; 2.5; 2.6; 2.7; 2.8; 2.9; 3.0; 3.1 |]

(* One element is computed. *)
let mixed x =
  [| 1.; 2.; 3.; 4.; 5.; 6.; 7.; 8.; 9.; 10.; 11.; 12.; 13.; 14.; 15.; 16.; 17.; 18.; 19.; 20.;
     21.; 22.; 23.; 24.; 25.; 26.; 27.; 28.; 29.; 30.; 31.; 32.; x; 34. |]

let days =
  [| "a"; "b"; "c"; "d"; "e"; "f"; "g"; "h"; "i"; "j"; "k"; "l"; "m"; "n"; "o"; "p"; "q"; "r";
     "s"; "t"; "u"; "v"; "w"; "x"; "y"; "z"; "aa"; "ab"; "ac"; "ad"; "ae"; "af"; "ag"; "ah" |]

let flags =
  [| true; false; true; true; false; false; true; false; true; true; false; true; true; false;
     true; true; false; false; true; false; true; true; false; true; false; true; true; false;
     true; true; false; true; false; false; true |]

let chars =
  [| 'a'; 'b'; 'c'; 'd'; 'e'; 'f'; 'g'; 'h'; 'i'; 'j'; 'k'; 'l'; 'm'; 'n'; 'o'; 'p'; 'q'; 'r';
     's'; 't'; 'u'; 'v'; 'w'; 'x'; 'y'; 'z'; '0'; '1'; '2'; '3'; '4'; '5'; '6'; '7'; '\255' |]

let long64 =
  [| 1L; 2L; 3L; 4L; 5L; 6L; 7L; 8L; 9L; 10L; 11L; 12L; 13L; 14L; 15L; 16L; 17L; 18L; 19L; 20L;
     21L; 22L; 23L; 24L; 25L; 26L; 27L; 28L; 29L; 30L; 31L; 32L; 33L; Int64.min_int |]

let () =
  let a = ints () and b = ints () in
  a.(3) <- 1000;
  Printf.printf "%d %d %d\n" a.(3) b.(3) (ints ()).(3);
  Array.iter (Printf.printf "%d ") b;
  print_newline ();
  let f = floats () and g = floats () in
  f.(2) <- 7.;
  Printf.printf "%g %g\n" f.(2) g.(2);
  Array.iter (Printf.printf "%h ") g;
  print_newline ();
  for i = 1 to 3 do
    let m = mixed (float_of_int i) in
    m.(0) <- m.(0) +. m.(32);
    Printf.printf "%g %g\n" m.(0) (Array.fold_left ( +. ) 0. m)
  done;
  print_endline (String.concat "," (Array.to_list days));
  Array.iter (fun b -> print_string (if b then "1" else "0")) flags;
  Array.iter (fun c -> Printf.printf " %d" (Char.code c)) chars;
  print_newline ();
  Printf.printf "%Ld\n" (Array.fold_left Int64.add 0L long64)
