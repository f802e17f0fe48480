(* Calls in tail position whose arguments are not all in registers, from functions that have fewer, more or other ones,
   behind handlers, in several branches, and through function values. None may take stack; and where a function returns
   early, before it has made room for such a call, it gives no room back. *)

exception Bail of int

let seen = ref 0
let note n = seen := (!seen + n) land 0xffff

type wide = int -> int -> float -> string ref -> float -> int -> int list -> int -> float * float -> int -> int

let table : wide array ref = ref [||]

(* Few arguments: one branch calls what has more in memory, the other one what has none, and neither needs a frame. *)
let rec few n a =
  if n land 6 = 0 then narrow (n - 1) a 0.5
  else wide (n - 1) a 1.5 (ref "few") 2.5 n [ 1; 2 ] (a land 7) (0., 1.) 3

and narrow n a x =
  if n <= 0 then a
  else
    try
      note 1;
      if n land 3 = 0 then raise (Bail (n + 1));
      raise Exit
    with
    | Bail m -> many (m - 2) a x (x +. 0.5) 1. 2. 3. 4. 5. 6. 7. a "bail"
    | Exit -> many (n - 1) (a + 1) x 1. x 2. x 3. x 4. x n "exit"

and wide n a x s y b l c (p, q) d =
  if n <= 0 then a + b + c + d + String.length !s
  else if n land 1 = 0 then
    match l with
    | [] -> few (n - 1) ((a + b) land 1023)
    | i :: _ ->
        let s = if n land 1023 = 0 then ref (!s ^ ".") else s in
        !table.(n mod 3) (n - 1) (a lxor (i land 1023)) y s x c [] d (q, p) b
  else if n land 8 = 0 then narrow (n - 1) (a land 1023) (x +. y)
  else
    let next = wide (n - 1) (a land 511) in
    note n;
    next y (ref "k") x c l b (q, p +. 1.) d

and many n a x0 x1 x2 x3 x4 x5 x6 x7 x8 b s =
  if n <= 0 then a
  else if x8 > x0 +. 100. then few (n - 1) (a lxor b land 1023)
  else if n land 2 = 0 then few (n - 1) ((a * 3 + b) land 1023)
  else wide (n - 1) (a land 1023) x1 (ref s) x2 b [ a; b ] n (x3, x4) (int_of_float (x5 +. x6 +. x7) land 7)

let () =
  table :=
    [| wide;
       (fun n a x s y b l c p d -> note 3; wide n a x s y b l c p d);
       (fun n a x _ _ b _ _ _ d -> many n a x 1. 2. 3. 4. 5. 6. 7. 8. (b + d) "t") |]

let show r = Printf.printf "%d %d\n" r !seen
let rounds = if Array.length Sys.argv > 1 then int_of_string Sys.argv.(1) else 20_000

let () =
  List.iter
    (fun n ->
      show (few n 1);
      show (narrow n 2 0.25);
      show (wide n 3 0.5 (ref "main") 1.5 4 [ 5; 6 ] 7 (8., 9.) 10);
      show (many n 4 0. 1. 2. 3. 4. 5. 6. 7. 8. 9 "main"))
    [ 0; 1; 2; 5; 17; rounds ]
