(* Ten million tail calls in constant stack: self, mutual, with accumulators, and through a closure. *)

let rec count n acc = if n = 0 then acc else count (n - 1) (acc + 1)

let rec even n = if n = 0 then true else odd (n - 1)
and odd n = if n = 0 then false else even (n - 1)

let rec loop f n x = if n = 0 then x else loop f (n - 1) (f x)

let rec args a b c d e f g h n =
  if n = 0 then (a, b, c, d, e, f, g, h) else args b c d e f g h a (n - 1)

let () =
  Printf.printf "%d\n" (count 10_000_000 0);
  Printf.printf "%b\n" (even 1_000_001);
  Printf.printf "%d\n" (loop (fun x -> (x * 5 + 1) land 0xFFFF) 1_000_000 7);
  let a, _, _, d, _, _, _, h = args 1 2 3 4 5 6 7 8 100_003 in
  Printf.printf "%d %d %d\n" a d h
