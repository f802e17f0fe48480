(* Small deeply recursive functions: Ackermann, Takeuchi, McCarthy 91, gcd, Collatz records. *)

let rec ack m n = if m = 0 then n + 1 else if n = 0 then ack (m - 1) 1 else ack (m - 1) (ack m (n - 1))
let rec tak x y z = if y >= x then z else tak (tak (x - 1) y z) (tak (y - 1) z x) (tak (z - 1) x y)
let rec mc91 n = if n > 100 then n - 10 else mc91 (mc91 (n + 11))
let rec binom n k = if k = 0 || k = n then 1 else binom (n - 1) (k - 1) + binom (n - 1) k
let collatz n = let rec go n k = if n = 1 then k else go (if n mod 2 = 0 then n / 2 else (3 * n) + 1) (k + 1) in go n 0

let () =
  Printf.printf "%d %d %d\n" (ack 1 5) (ack 2 4) (ack 2 50);
  Printf.printf "%d\n" (tak 9 6 3);
  Printf.printf "%d %d\n" (mc91 1) (mc91 150);
  Printf.printf "%d\n" (binom 14 7);
  let best = ref 0 in
  for n = 1 to 300 do if collatz n > collatz (max 1 !best) then best := n done;
  Printf.printf "%d takes %d\n" !best (collatz !best)
