(* Opening a module of the library brings in what OCaml's has, and none of our own helpers:
   names, fields and constructors of the program keep their meaning. *)

let entropy () = "mine"
let default = 3
let parse s = "parsed " ^ s
let before = 1
let same a b = a + b
let position = 5
let is_space c = c = '_'
let power_2_above x n = x + n
let is_slash s i = s.[i] = '|'

let () =
  print_endline Hashtbl.(ignore hash; entropy ());
  print_int Random.(ignore bool; default);
  print_endline Int64.(ignore zero; parse "12");
  print_int Float.(ignore zero; before);
  (let open Bytes in
   ignore empty;
   print_int position;
   print_string (String.concat "," (List.map (fun c -> string_of_bool (is_space c)) [ '_'; ' ' ])));
  (let open Hashtbl in
   ignore hash;
   print_int (same 1 2);
   print_int (power_2_above 1 2));
  Filename.(print_endline (string_of_bool (is_slash (concat "a" "b") 1)))

type cursor = { position : int; length : int; first : string; size : int; value : int }
type 'a chain = Nil | Cons of 'a * 'a chain | Empty

open Buffer
open Queue
open Stack
open Hashtbl
open Atomic

let sum_of cursor = cursor.position + cursor.length + cursor.size + cursor.value
let first_of cursor = cursor.first
let rec sum = function Nil -> 0 | Cons (x, rest) -> x + sum rest | Empty -> 100

let () =
  let cursor = { position = 1; length = 2; first = "a"; size = 3; value = 4 } in
  print_int (sum_of cursor);
  print_endline (first_of cursor);
  print_int (sum (Cons (1, Cons (2, Nil))))
