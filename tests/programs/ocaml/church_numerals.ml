(* Church numerals, booleans, pairs and lists with let-polymorphism. *)

let zero _ x = x
let succ n f x = f (n f x)
let add m n f x = m f (n f x)
let mul m n f = m (n f)
let exp m n = n m
let to_int n = n (fun k -> k + 1) 0
let rec of_int k = if k = 0 then zero else let n = of_int (k - 1) in fun f x -> f (n f x)

let tru a _ = a
let fls _ b = b
let if_ c a b = c a b
let and_ p q a b = p (q a b) b
let or_ p q a b = p a (q a b)
let not_ p a b = p b a
let to_bool p = p true false

let pair a b sel = sel a b
let fst' p = p (fun a _ -> a)
let snd' p = p (fun _ b -> b)

let nil _ z = z
let cons h t c z = c h (t c z)
let to_list l = l (fun h t -> h :: t) []
let length l = l (fun _ n -> n + 1) 0

(* the Z combinator needs a recursive type *)
type 'a fix = Fix of ('a fix -> 'a)
let z f =
  let g (Fix x as w) = f (fun v -> x w v) in
  g (Fix g)

let () =
  let one f x = succ zero f x in
  let two f x = succ one f x in
  let three f x = add one two f x in
  Printf.printf "%d %d %d %d\n" (to_int one) (to_int two) (to_int three) (to_int zero);
  Printf.printf "%d %d %d\n" (to_int (add two three)) (to_int (mul three three)) (to_int (exp two three));
  Printf.printf "%d\n" (to_int (mul (of_int 12) (of_int 11)));
  print_endline (three (fun s -> s ^ "*") "");
  Printf.printf "%b %b %b %b\n" (to_bool (and_ tru fls)) (to_bool (or_ fls tru)) (to_bool (not_ tru)) (to_bool (not_ fls));
  print_endline (if_ tru "yes" "no");
  let p = pair 1 2 in
  Printf.printf "%d\n" (fst' p);
  let l c z = cons 10 (cons 20 (cons 30 nil)) c z in
  Printf.printf "%s (%d)\n" (String.concat ";" (List.map string_of_int (to_list l))) (length l);
  let fact = z (fun self n -> if n = 0 then 1 else n * self (n - 1)) in
  let fib = z (fun self n -> if n < 2 then n else self (n - 1) + self (n - 2)) in
  Printf.printf "%d %d\n" (fact 10) (fib 15)
