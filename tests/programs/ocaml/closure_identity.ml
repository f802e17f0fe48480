(* One closure is itself, wherever it is kept. *)
let f x = x + 1
let g = f
let h y = let k x = x + y in k
let () =
  Printf.printf "%b %b\n" (f == f) (f == g);
  let a = h 3 in let b = a in
  Printf.printf "%b\n" (a == b);
  let l = [f; g; a] in
  Printf.printf "%b %b\n" (List.memq f l) (List.memq a l);
  let r = ref f in
  Printf.printf "%b\n" (!r == f);
  let k x = x * 2 in
  Printf.printf "%b\n" (k == k);
  let tbl = Array.make 3 k in
  Printf.printf "%b %b\n" (tbl.(0) == k) (tbl.(1) == tbl.(2));
  let y = Sys.opaque_identity 5 in
  let m x = x + y in
  let p = (m, m) in
  Printf.printf "%b %b\n" (fst p == snd p) (m == fst p);
  (try print_endline (string_of_bool (f = g)) with Invalid_argument s -> print_endline s);
  (try print_endline (string_of_bool (m = h 2)) with Invalid_argument s -> print_endline s);
  let rec loop n = if n = 0 then () else loop (n-1) in
  Printf.printf "%b\n" (loop == loop);
  let module M = struct let f = List.length end in
  Printf.printf "%b\n" (M.f == M.f);
  let q = (+) 1 in Printf.printf "%b\n" (q == q);
  let id x = x in Printf.printf "%b\n" ((id : int -> int) == id)
