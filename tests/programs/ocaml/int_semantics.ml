(* 63-bit integers: overflow wraps, shifts, division and mod of negatives, bit tricks, conversions. *)

let p = Printf.printf

let () =
  p "%d %d\n" max_int min_int;
  p "%d %d %d\n" (max_int + 1) (min_int - 1) (- min_int);
  p "%d %d\n" (max_int * 2) (max_int * max_int);
  p "%d %d %d %d\n" (7 / 2) (-7 / 2) (7 / -2) (-7 / -2);
  p "%d %d %d %d\n" (7 mod 2) (-7 mod 2) (7 mod -2) (-7 mod -2);
  p "%d %d\n" (min_int / -1) (min_int mod -1);
  p "%d %d %d\n" (1 lsl 10) (1 lsl 61) (1 lsl 62);
  p "%d %d %d\n" (-1 lsr 1) (-1 asr 1) (-16 asr 2);
  p "%d %d\n" (-16 lsr 60) (max_int lsr 61);
  p "%d %d %d %d\n" (12 land 10) (12 lor 10) (12 lxor 10) (lnot 12);
  p "%d %d %d\n" (abs (-5)) (abs min_int) (succ max_int);
  p "%d %d %d\n" 0xFF 0o17 0b1011;
  p "%d %d\n" 1_000_000 0x7FFF_FFFF_FFFF_FFFF;
  p "%d %d %d\n" (int_of_string "123") (int_of_string "-0x1F") (int_of_string "0b101");
  p "%s %s\n" (match int_of_string_opt "4611686018427387904" with None -> "overflow" | Some n -> string_of_int n)
    (match int_of_string_opt "4611686018427387903" with None -> "overflow" | Some n -> string_of_int n);
  List.iter (fun s -> p "%s:%s " s (match int_of_string_opt s with None -> "none" | Some n -> string_of_int n))
    [ ""; "-"; "+5"; "12a"; " 1"; "1_0"; "0x"; "0xFFFFFFFFFFFFFFFF"; "0u123" ];
  p "\n";
  p "%d %d\n" (compare 3 5) (compare 5 3);
  p "%d %d\n" (min 3 (-4)) (max 3 (-4));
  List.iter (fun f -> try p "%d\n" (f ()) with Division_by_zero -> p "division by zero\n")
    [ (fun () -> 1 / (1 - 1)); (fun () -> 5 mod (2 - 2)); (fun () -> 10 / 3) ];
  let rec popcount n = if n = 0 then 0 else 1 + popcount (n land (n - 1)) in
  p "%d %d %d\n" (popcount 255) (popcount (-1)) (popcount max_int);
  (* a multiplicative hash that relies on wrapping *)
  let h = ref 0 in
  String.iter (fun c -> h := (!h * 1_000_003) lxor Char.code c) "overflow on purpose, please";
  p "%d\n" !h;
  let rec collatz n k = if n = 1 then k else collatz (if n land 1 = 0 then n lsr 1 else 3 * n + 1) (k + 1) in
  p "%d\n" (collatz 97 0);
  p "%d %d %d\n" (Int.shift_left 3 4) (Int.logxor 5 1) (Int.neg 8);
  p "%d %d\n" (- 5 + 3) (-(5 + 3));
  p "%d\n" (2 + 3 * 4 - 10 / 3 mod 2);
  p "%d %d\n" (1 lsl 2 + 1) ((1 lsl 2) + 1)
