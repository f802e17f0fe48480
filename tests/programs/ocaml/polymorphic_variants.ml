let area = function
  | `Circle r -> 3.14 *. r *. r
  | `Rect (w, h) -> w *. h
  | `Unit -> 1.0

let name = function `A -> "a" | `B -> "b" | _ -> "other"

let rec sum = function `Nil -> 0 | `Cons (x, r) -> x + sum r

type color = [ `Red | `Green | `Blue of int ]
type more = [ color | `Black ]

let show_color : color -> string = function
  | `Red -> "red" | `Green -> "green" | `Blue n -> "blue" ^ string_of_int n

let show_more : more -> string = function
  | #color as c -> show_color c
  | `Black -> "black"

let widen (c : color) = (c :> more)

type expr = [ `Num of int | `Add of expr * expr | `Mul of expr * expr ]
let rec eval : expr -> int = function
  | `Num n -> n
  | `Add (a, b) -> eval a + eval b
  | `Mul (a, b) -> eval a * eval b

let () =
  List.iter (fun s -> Printf.printf "%.2f\n" (area s)) [ `Circle 1.0; `Rect (2.0, 3.0); `Unit ];
  print_endline (name `A); print_endline (name `C);
  print_int (sum (`Cons (1, `Cons (2, `Nil)))); print_newline ();
  print_endline (show_more (`Blue 3));
  print_endline (show_more (widen `Red));
  print_endline (show_more `Black);
  print_int (eval (`Add (`Num 1, `Mul (`Num 2, `Num 3)))); print_newline ();
  let l = List.sort compare [ `C; `A; `B; `D 3; `D 1; `E "x" ] in
  List.iter (function `A -> print_string "A " | `B -> print_string "B " | `C -> print_string "C "
    | `D n -> Printf.printf "D%d " n | `E s -> Printf.printf "E%s " s) l;
  print_newline ();
  Printf.printf "%d %d %d\n" (Hashtbl.hash `A) (Hashtbl.hash (`D 3)) (Hashtbl.hash [`Foo; `Bar]);
  Printf.printf "%b %b %b\n" (`A = `A) (`D 1 = `D 2) (compare `A (`D 1) < 0);
  let m = (widen `Red : more :> [> more | `X ]) in
  (match m with `X -> print_endline "x" | #more as m -> print_endline (show_more m))
