(* Names of primitives and of library functions are ordinary names. *)

let plain = 1 + 2 * 3

module Saturating = struct
  let ( + ) a b = Stdlib.min 100 (Stdlib.( + ) a b)
  let rec times a b = if b = 0 then 0 else a + times a (Stdlib.pred b)
  let ( * ) a b = times a b
  let sum l = List.fold_left ( + ) 0 l
end

let with_operators a b =
  let ( + ) x y = Printf.sprintf "(%s+%s)" x y in
  let ( * ) x y = x ^ "*" ^ y in
  let ( ! ) x = "!" ^ x in
  let ( ~- ) x = "-" ^ x in
  a + b * !a + -b

let not b = if b then "was true" else "was false"
let compare a b = Stdlib.compare b a
let fst (_, b) = b
let ref x = [ x; x ]
let ignore x = x
let print_int n = print_string ("<" ^ string_of_int n ^ ">")
let string_of_int n = "n" ^ string_of_int n
let rec length l = match l with [] -> 100 | _ :: rest -> 1 + length rest
let ( := ) a b = (a, b)
let ( @ ) f x = f x
let ( |> ) x f = (x, f x)
let incr x = x + 1
let raise x = x + 1000
let max = 3 and min = 4
let exit code = "exit " ^ Stdlib.string_of_int code

module List = struct
  let map f l = Stdlib.List.rev_map f l
  let iter f l = Stdlib.List.iter f (Stdlib.List.rev l)
end

let () =
  Printf.printf "%d %d %d %d\n" plain (Saturating.sum [ 50; 40; 30 ]) Saturating.(70 + 20) (1 + 2);
  print_endline (with_operators "a" "b");
  Printf.printf "%s %s\n" (not true) (not (1 = 2));
  Printf.printf "%d %d\n" (compare 1 2) (Stdlib.compare 1 2);
  Printf.printf "%s %d\n" (fst (1, "two")) (length (ref 'x'));
  print_int (ignore 5);
  print_int (incr 7);
  print_string (string_of_int 9);
  print_newline ();
  let a, b = 1 := 2 in
  let c, d = 5 |> incr in
  Printf.printf "%d %d %d %d %d\n" a b c d (incr @ incr @ 1);
  Printf.printf "%d %d %s\n" (raise 1) (max + min) (exit 3);
  List.iter print_int (List.map incr [ 1; 2; 3 ]);
  print_newline ()
