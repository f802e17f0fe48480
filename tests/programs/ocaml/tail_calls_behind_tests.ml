(* Calls in tail position with arguments in memory. Behind a test, `third` makes room for those of `first`; before the
   test it calls `second`, which has none. The room must not be given back where it was not made. *)

let seen = ref 0

type first =
  int -> string -> int -> string ref -> int -> int64 -> float -> string ref -> float -> int list -> string -> int

let table : first array ref = ref [||]

let rec first n (s : string) a (r : string ref) b (c : int64) x (q : string ref) y (l : int list) (t : string) =
  if n <= 0 then a
  else if n land 1 = 0 then
    try
      seen := (!seen + 1) land 0xffff;
      if n land 3 = 0 then raise (Failure t);
      raise Exit
    with
    | Failure _ -> second (n - 2) a
    | Exit -> second (n - 1) ((a * 3 + n) land 1023)
  else !table.(n mod 2) (n - 1) t ((a * 3 + n) land 1023) r b (Int64.add c 1L) y q x l s

and second n a =
  if n <= 0 then a
  else
    try
      seen := (!seen + 1) land 0xffff;
      if n land 1 = 0 then raise Not_found;
      raise Exit
    with
    | Not_found -> third (n - 1) (a land 255) 5L (a + 1)
    | Exit -> first (n - 2) "s" 39 (ref "x") 4 2L 11. (ref "y") 0.5 [ 1 ] "t"

and third n a c b =
  if n land 3 = 0 then second (n - 1) b
  else first (n - 1) "c" ((b * 3 + n) land 1023) (ref "y") a c 2.5 (ref "z") 9.5 [ 5; 0 ] "b"

let () = table := [| first; (fun n s a r b c x q y l t -> seen := !seen lxor 1; first n s a r b c x q y l t) |]

let () =
  List.iter
    (fun n ->
      Printf.printf "%d %d\n" (third n 49 1L 96) !seen;
      Printf.printf "%d %d\n" (second n 49) !seen)
    [ 1; 2; 16; 17; 20_000 ]
