(* Side effects in arguments, tuples, records, constructors and operators: right to left, as ocamlopt does. *)

let t s v = print_string s; v
let nl () = print_newline ()
let f a b c = a + b + c
type r = { x : int; y : int; z : int }
type v = V of int * int

let () =
  ignore (f (t "1" 1) (t "2" 2) (t "3" 3)); nl ();
  ignore (t "1" 1, t "2" 2, t "3" 3); nl ();
  ignore (t "1" 1 + t "2" 2 * t "3" 3); nl ();
  ignore { x = t "x" 1; y = t "y" 2; z = t "z" 3 }; nl ();
  ignore (V (t "1" 1, t "2" 2)); nl ();
  ignore [ t "1" 1; t "2" 2; t "3" 3 ]; nl ();
  ignore (t "a" 1 :: t "b" []); nl ();
  let g = t "g" (fun a b -> a - b) in
  ignore (g (t "1" 1) (t "2" 2)); nl ();
  ignore (t "a" "x" ^ t "b" "y" ^ t "c" "z"); nl ()
