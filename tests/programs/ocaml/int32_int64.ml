(* Int32, Int64 and Nativeint: literals, wrapping, shifts, conversions, comparison, hashing by FNV and xorshift. *)

let fnv32 s =
  let h = ref 0x811c9dc5l in
  String.iter (fun c ->
      h := Int32.mul (Int32.logxor !h (Int32.of_int (Char.code c))) 0x01000193l) s;
  !h

let fnv64 s =
  String.fold_left (fun h c -> Int64.mul (Int64.logxor h (Int64.of_int (Char.code c))) 0x100000001b3L)
    0xcbf29ce484222325L s

let xorshift state =
  let open Int64 in
  let x = !state in
  let x = logxor x (shift_left x 13) in
  let x = logxor x (shift_right_logical x 7) in
  let x = logxor x (shift_left x 17) in
  state := x;
  x

let () =
  let p = Printf.printf in
  p "%ld %ld\n" Int32.max_int Int32.min_int;
  p "%Ld %Ld\n" Int64.max_int Int64.min_int;
  p "%ld %ld\n" (Int32.add Int32.max_int 1l) (Int32.neg Int32.min_int);
  p "%Ld %Ld\n" (Int64.succ Int64.max_int) (Int64.mul Int64.max_int 2L);
  p "%ld %ld %ld\n" (Int32.div (-7l) 2l) (Int32.rem (-7l) 2l) (Int32.sub 3l 10l);
  p "%ld %ld %ld\n" (Int32.shift_left 1l 31) (Int32.shift_right (-8l) 1) (Int32.shift_right_logical (-8l) 1);
  p "%Lx %LX %Lo %Lu\n" (-1L) 0xDEADBEEFL 8L (-1L);
  p "%lx %lu\n" (-1l) (-1l);
  p "%d %d\n" (Int32.to_int (-5l)) (Int64.to_int 0x7FFFFFFFFFFFFFFFL);
  p "%ld %ld\n" (Int32.of_int 0x1_0000_0001) (Int32.of_int (-1));
  p "%ld %Ld\n" (Int64.to_int32 0x1_8000_0000L) (Int64.of_int32 (-1l));
  p "%s %s\n" (Int32.to_string 77l) (Int64.to_string (-77L));
  p "%ld %Ld\n" (Int32.of_string "0xFF") (Int64.of_string "-9223372036854775808");
  p "%b %d %d\n" (3l = 3l) (Int32.compare 1l 2l) (compare 5L (-5L));
  p "%b %b\n" (1L < 2L) (Int64.equal 4L 4L);
  p "%Ld %.1f\n" (Int64.of_float 1e15) (Int64.to_float 123L);
  p "%Lx\n" (Int64.bits_of_float 1.5);
  p "%g\n" (Int64.float_of_bits 0x4009_21FB_5444_2D18L);
  p "%ld\n" (Int32.bits_of_float 1.0);
  p "%lx %lx\n" (fnv32 "hello") (fnv32 "");
  p "%Lx %Lx\n" (fnv64 "hello") (fnv64 "oxbow");
  let st = ref 88172645463325252L in
  for _ = 1 to 4 do p "%Ld " (xorshift st) done;
  p "\n";
  p "%nd %nd\n" (Nativeint.add 1n 2n) (Nativeint.shift_left 1n 40);
  p "%Ld %Ld %Ld\n" (Int64.logand 12L 10L) (Int64.logor 12L 10L) (Int64.lognot 0L);
  (try ignore (Int64.div 1L 0L) with Division_by_zero -> p "div by zero\n");
  (try ignore (Int32.rem 1l 0l) with Division_by_zero -> p "rem by zero\n");
  (try ignore (Int32.of_string "99999999999") with Failure m -> p "%s\n" m);
  p "%Ld\n" (List.fold_left Int64.add 0L [ 1L; 2L; 3L ]);
  p "%Ld %Ld\n" (Int64.abs (-9L)) (Int64.pred 0L);
  let a = [| 3L; 1L; 2L |] in
  Array.sort Int64.compare a;
  Array.iter (p "%Ld ") a;
  p "\n"
