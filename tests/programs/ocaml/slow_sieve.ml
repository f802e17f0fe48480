(* Sieve to half a million, prime gaps, and digit sums. *)

let () =
  let n = 500_000 in
  let composite = Array.make (n + 1) false in
  let i = ref 2 in
  while !i * !i <= n do
    if not composite.(!i) then begin
      let j = ref (!i * !i) in
      while !j <= n do composite.(!j) <- true; j := !j + !i done
    end;
    incr i
  done;
  let count = ref 0 and last = ref 2 and gap = ref (0, 0) in
  for k = 2 to n do
    if not composite.(k) then begin
      incr count;
      if k - !last > fst !gap then gap := (k - !last, !last);
      last := k
    end
  done;
  Printf.printf "%d primes, last %d, widest gap %d after %d\n" !count !last (fst !gap) (snd !gap);
  let rec digits k acc = if k = 0 then acc else digits (k / 10) (acc + k mod 10) in
  let total = ref 0 in
  for k = 1 to 100_000 do total := !total + digits k 0 done;
  Printf.printf "%d\n" !total
