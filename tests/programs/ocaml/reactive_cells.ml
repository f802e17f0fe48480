(* Small reactive cells: computed values recomputed on change, with dependency lists of closures. *)

type cell = { mutable value : int; mutable watchers : (int -> unit) list; name : string }

let cell name value = { value; watchers = []; name }
let watch c f = c.watchers <- c.watchers @ [ f ]
let set c v =
  if v <> c.value then begin
    c.value <- v;
    List.iter (fun f -> f v) c.watchers
  end

let computed name inputs f =
  let eval () = f (List.map (fun c -> c.value) inputs) in
  let out = cell name (eval ()) in
  List.iter (fun c -> watch c (fun _ -> set out (eval ()))) inputs;
  out

let () =
  let a = cell "a" 1 and b = cell "b" 2 in
  let sum = computed "sum" [ a; b ] (List.fold_left ( + ) 0) in
  let big = computed "big" [ sum ] (function [ s ] -> if s > 10 then 1 else 0 | _ -> assert false) in
  let log c = watch c (Printf.printf "%s is now %d\n" c.name) in
  List.iter log [ sum; big ];
  set a 5;
  set b 2;
  set b 20;
  set a 4;
  set a (-30);
  Printf.printf "%d %d %d %d\n" a.value b.value sum.value big.value
