type id = { id : 'a. 'a -> 'a; n : int }
type 'b k = { k : 'a. 'a -> 'b -> 'a; b : 'b }
let r = { id = (fun x -> x); n = 1 }
let f { id; n } = (id n, id true, id "s")
let { id; n = one } = r
let g = function { k; b } -> (k 1 b, k "a" b)
let { k = first; b = _ } = { k = (fun a _ -> a); b = None }
type t = A of { h : 'a. 'a list -> int }
let h (A r) = r.h [1; 2] + r.h ["x"]
let () =
  let a, b, c = f r in
  Printf.printf "%d %b %s %d %s %d\n" a b c (id 5) (id "x") one;
  let x, y = g { k = (fun a _ -> a); b = 2.5 } in
  Printf.printf "%d %s %d\n" x y (h (A { h = List.length }));
  Printf.printf "%d %s\n" (first 3 (Some 1)) (first "f" None);
  let { id = local; _ } = { id = (fun x -> print_string "."; x); n = 2 } in
  Printf.printf "%d %c\n" (local 1) (local 'c');
  match r with { id = g; n = 1 } -> Printf.printf "%d %g\n" (g 1) (g 2.5) | _ -> ()
