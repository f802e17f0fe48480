(* Functions given fewer arguments than they take, and more. *)

let add3 a b c = (a + b) lxor c
let weigh w x y z = ((w land 0xfff) * x) + (y land z)
let rec iterate n f x = if n = 0 then x else iterate (n - 1) f (f x)
let select i = if i land 1 = 0 then fun x y -> x + y else fun x y -> x lxor y
let rec fold_range lo hi f acc = if lo >= hi then acc else fold_range (lo + 1) hi f (f acc lo)

let () =
  let acc = ref 0 in
  for i = 1 to 20_000_000 do
    let f = add3 i in
    let g = f (i land 7) in
    acc := (!acc + g 5) land 0xffffff
  done;
  for i = 1 to 1_000_000 do
    let w = weigh i 3 in
    acc := (!acc + iterate 10 (w 255) !acc) land 0xffffff
  done;
  for i = 1 to 20_000_000 do
    acc := select i !acc i land 0xffffff
  done;
  let fs = List.map (fun k -> add3 k) [ 1; 2; 3; 4; 5; 6; 7; 8 ] in
  for i = 1 to 2_000_000 do
    acc := List.fold_left (fun a f -> f a i) !acc fs land 0xffffff
  done;
  acc := fold_range 0 50_000_000 (add3 1) !acc;
  Printf.printf "%d\n" !acc
