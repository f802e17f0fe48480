(* Memo tables hidden in closures; open recursion; lazy tables. *)

let memo f =
  let table = Hashtbl.create 16 in
  fun x ->
    match Hashtbl.find_opt table x with
    | Some y -> y
    | None ->
      let y = f x in
      Hashtbl.add table x y;
      y

let memo_rec f =
  let table = Hashtbl.create 16 in
  let rec g x =
    try Hashtbl.find table x
    with Not_found ->
      let y = f g x in
      Hashtbl.replace table x y;
      y in
  g

let calls = ref 0

let slow_square x = incr calls; x * x

let fib = memo_rec (fun self n -> if n < 2 then n else self (n - 1) + self (n - 2))

let lcs a b =
  let f = memo_rec (fun self (i, j) ->
      if i = String.length a || j = String.length b then ""
      else if a.[i] = b.[j] then String.make 1 a.[i] ^ self (i + 1, j + 1)
      else
        let x = self (i + 1, j) and y = self (i, j + 1) in
        if String.length x >= String.length y then x else y) in
  f (0, 0)

let change = memo_rec (fun self (amount, coins) ->
    match coins with
    | _ when amount = 0 -> 1
    | [] -> 0
    | c :: rest -> self (amount, rest) + if c <= amount then self (amount - c, coins) else 0)

let binomials n =
  let rec t = lazy (Array.init (n + 1) (fun i -> Array.init (i + 1) (fun j ->
      lazy (if j = 0 || j = i then 1
            else
              let row = (Lazy.force t).(i - 1) in
              Lazy.force row.(j - 1) + Lazy.force row.(j))))) in
  fun i j -> Lazy.force (Lazy.force t).(i).(j)

let () =
  let sq = memo slow_square in
  let total = List.fold_left (fun acc x -> acc + sq (x mod 5)) 0 (List.init 100 Fun.id) in
  Printf.printf "%d with %d calls\n" total !calls;
  Printf.printf "%d %d\n" (fib 50) (fib 80);
  print_endline (lcs "the quick brown fox" "a thick crown of ox");
  Printf.printf "%d\n" (change (100, [ 50; 25; 10; 5; 1 ]));
  let c = binomials 30 in
  Printf.printf "%d %d %d\n" (c 10 5) (c 30 15) (c 20 0);
  (* the memo keeps the first answer of an impure function *)
  let r = ref 0 in
  let m = memo (fun () -> incr r; !r) in
  Printf.printf "%d %d %d\n" (m ()) (m ()) !r
