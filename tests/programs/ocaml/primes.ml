(* Primes: sieve with Bytes, trial division, factorisation, totient, gcd, Miller-Rabin on small ints. *)

let sieve n =
  let b = Bytes.make (n + 1) '1' in
  Bytes.fill b 0 2 '0';
  let i = ref 2 in
  while !i * !i <= n do
    if Bytes.get b !i = '1' then begin
      let j = ref (!i * !i) in
      while !j <= n do Bytes.set b !j '0'; j := !j + !i done
    end;
    incr i
  done;
  List.filter (fun k -> Bytes.get b k = '1') (List.init (n + 1) Fun.id)

let factor n =
  let rec go n p acc =
    if n = 1 then List.rev acc
    else if p * p > n then List.rev ((n, 1) :: acc)
    else if n mod p = 0 then
      let rec strip n k = if n mod p = 0 then strip (n / p) (k + 1) else (n, k) in
      let n, k = strip n 0 in
      go n (p + 1) ((p, k) :: acc)
    else go n (p + 1) acc in
  go n 2 []

let rec gcd a b = if b = 0 then abs a else gcd b (a mod b)
let lcm a b = a / gcd a b * b
let rec egcd a b = if b = 0 then (a, 1, 0) else let g, x, y = egcd b (a mod b) in (g, y, x - a / b * y)

let totient n = List.fold_left (fun t (p, _) -> t / p * (p - 1)) n (factor n)

let rec powmod b e m =
  if e = 0 then 1
  else
    let h = powmod (b * b mod m) (e / 2) m in
    if e land 1 = 1 then b * h mod m else h

let miller_rabin n =
  if n < 2 then false
  else if n < 4 then true
  else if n mod 2 = 0 then false
  else begin
    let rec split d s = if d mod 2 = 0 then split (d / 2) (s + 1) else (d, s) in
    let d, s = split (n - 1) 0 in
    let witness a =
      let rec squares x i = i > 0 && (x = n - 1 || squares (x * x mod n) (i - 1)) in
      let x = powmod a d n in
      not (x = 1 || squares x s) in
    not (List.exists (fun a -> a mod n <> 0 && witness a) [ 2; 3; 5; 7 ])
  end

let () =
  let ps = sieve 200 in
  Printf.printf "%d primes: %s\n" (List.length ps) (String.concat " " (List.map string_of_int ps));
  List.iter (fun n ->
      Printf.printf "%d = %s\n" n
        (String.concat " * " (List.map (fun (p, k) ->
             if k = 1 then string_of_int p else Printf.sprintf "%d^%d" p k) (factor n))))
    [ 12; 97; 360; 1001; 65536; 999999; 1234567 ];
  Printf.printf "gcd %d lcm %d phi %d %d\n" (gcd 1071 (-462)) (lcm 21 6) (totient 36) (totient 97);
  let g, x, y = egcd 240 46 in
  Printf.printf "%d = 240*%d + 46*%d\n" g x y;
  Printf.printf "%d %d\n" (powmod 3 200 1000007) (powmod 2 10 1000);
  Printf.printf "same: %b\n" (List.filter miller_rabin (List.init 201 Fun.id) = ps);
  List.iter (fun n -> Printf.printf "%d %b\n" n (miller_rabin n)) [ 561; 7919; 104729; 1000003; 1000001 ]
