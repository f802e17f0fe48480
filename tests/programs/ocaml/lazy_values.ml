(* Lazy: forced once, sharing, exceptions in suspensions, lazy streams, circular lazies. *)

let trace = ref []
let note s = trace := s :: !trace

type 'a stream = Cons of 'a * 'a stream Lazy.t

let rec from n = Cons (n, lazy (from (n + 1)))
let rec take n (Cons (x, rest)) = if n = 0 then [] else x :: take (n - 1) (Lazy.force rest)
let rec map f (Cons (x, rest)) = Cons (f x, lazy (map f (Lazy.force rest)))
let rec filter p (Cons (x, rest)) =
  if p x then Cons (x, lazy (filter p (Lazy.force rest))) else filter p (Lazy.force rest)
let rec zip f (Cons (a, s)) (Cons (b, t)) = Cons (f a b, lazy (zip f (Lazy.force s) (Lazy.force t)))
let rec sieve (Cons (p, rest)) =
  Cons (p, lazy (sieve (filter (fun n -> n mod p <> 0) (Lazy.force rest))))

let rec fibs = Cons (0, lazy (Cons (1, lazy (
    let (Cons (_, tl)) = fibs in zip ( + ) fibs (Lazy.force tl)))))

let show l = String.concat " " (List.map string_of_int l)

let () =
  let v = lazy (note "forced"; 6 * 7) in
  note "before";
  Printf.printf "%b\n" (Lazy.is_val v);
  Printf.printf "%d %d\n" (Lazy.force v) (Lazy.force v);
  Printf.printf "%b\n" (Lazy.is_val v);
  print_endline (String.concat "," (List.rev !trace));
  let bad = lazy (note "bad"; failwith "boom") in
  for _ = 1 to 2 do
    try ignore (Lazy.force bad) with Failure m -> print_endline m
  done;
  print_endline (String.concat "," (List.rev !trace));
  print_endline (show (take 10 (from 1)));
  print_endline (show (take 5 (map (fun x -> x * x) (filter (fun x -> x mod 3 = 0) (from 1)))));
  print_endline (show (take 15 (sieve (from 2))));
  print_endline (show (take 20 fibs));
  let l = Lazy.from_fun (fun () -> print_string "once "; "val") in
  print_endline (Lazy.force l ^ Lazy.force l);
  let c = Lazy.from_val 3 in
  Printf.printf "%b %d\n" (Lazy.is_val c) (Lazy.force c);
  let both = lazy (Lazy.force v + Lazy.force c) in
  (match both with lazy n -> Printf.printf "%d\n" n);
  let choose b ~yes ~no = if b then Lazy.force yes else Lazy.force no in
  print_endline (choose true ~yes:(lazy "yes") ~no:(lazy (failwith "no")))
