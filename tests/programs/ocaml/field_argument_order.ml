(* The order in which the parts of calls, tuples, lists, records and constructors are evaluated. *)

let log s v = print_string s; print_char ' '; v
let nl () = print_newline ()
type r = { a : int; mutable b : int; c : int -> int }
type t = T of int * int * int
let f3 x y z = (x * 100) + (y * 10) + z
let make x = print_string "make "; fun y -> print_string "made "; x + y
let unknown = Sys.opaque_identity f3

let () =
  ignore (f3 (log "x" 1) (log "y" 2) (log "z" 3)); nl ();
  ignore (unknown (log "x" 1) (log "y" 2) (log "z" 3)); nl ();
  ignore ((fun x y -> x + y) (log "x" 1) (log "y" 2)); nl ();
  ignore (let g = f3 (log "x" 1) in g (log "y" 2) (log "z" 3)); nl ();
  ignore (make (log "x" 1) (log "y" 2)); nl ();
  ignore (log "x" 1, log "y" 2, log "z" 3); nl ();
  ignore [ log "x" 1; log "y" 2; log "z" 3 ]; nl ();
  ignore [| log "x" 1; log "y" 2 |]; nl ();
  ignore { a = log "a" 1; c = log "c" succ; b = log "b" 2 }; nl ();
  ignore (T (log "x" 1, log "y" 2, log "z" 3)); nl ();
  ignore (log "x" 1 + log "y" 2 * log "z" 3); nl ();
  ignore (log "x" "a" ^ log "y" "b" ^ log "z" "c"); nl ();
  ignore (log "x" true && log "y" false && log "z" true); nl ();
  ignore (log "x" 1 :: log "y" [ 2 ]); nl ();
  let x = log "x" 1 and y = log "y" 2 in
  let r = log "r" (ref (x + y)) in
  log "cell" r := log "value" 5; nl ();
  (log "array" [| 1; 2 |]).(log "index" 1) <- log "value" 3; nl ();
  for i = log "from" 1 to log "to" 2 do print_int i done; nl ();
  let counter = ref 0 in
  let next () = incr counter; !counter in
  Printf.printf "%d\n" (f3 (next ()) (next ()) (next ()));
  let a, b = (next (), next ()) in
  Printf.printf "%d %d\n" a b;
  let s = { a = 1; b = 2; c = succ } in
  let u = { (log "base" s) with b = log "field" 9 } in
  Printf.printf "%d\n" (u.a + u.b);
  let g ?(o = log "default" 1) ~l p = o + l + p in
  ignore (g ~l:(log "l" 1) (log "p" 2)); nl ();
  ignore (g (log "p" 2) ~l:(log "l" 1) ~o:(log "o" 3)); nl ();
  ignore (g ~o:(log "o" 3) ~l:(log "l" 1) (log "p" 2)); nl ();
  ignore (max (log "x" 1) (log "y" 2) |> log "f" succ); nl ()
