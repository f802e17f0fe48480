let () =
  for i = 1 to 5 do Printf.printf "%d %d %d %.17g %b\n" (Random.bits ()) (Random.int 1000) (Random.full_int 100000000000) (Random.float 3.) (Random.bool ()) done;
  Random.init 42;
  for i = 1 to 5 do Printf.printf "%ld %Ld %nd %ld %Ld\n" (Random.int32 1000000l) (Random.int64 100000000000L) (Random.nativeint 77n) (Random.bits32 ()) (Random.bits64 ()) done;
  Random.full_init [|1;2;3|];
  for i = 1 to 20 do Printf.printf "%d " (Random.int_in_range ~min:(-5) ~max:5); Printf.printf "%d " (Random.int_in_range ~min:min_int ~max:max_int);  Printf.printf "%d " (Random.int_in_range ~min:(-1073741824) ~max:1073741823); Printf.printf "%d " (Random.int_in_range ~min:(-1) ~max:max_int); Printf.printf "%d " (Random.int_in_range ~min:(min_int) ~max:5);
   Printf.printf "%d " (Random.int_in_range ~min:(0) ~max:0x7fffffff); Printf.printf "%d " (Random.int_in_range ~min:(0) ~max:0x3fffffff); Printf.printf "%d " (Random.int_in_range ~min:(1) ~max:0x3fffffff);Printf.printf "%d " (Random.int_in_range ~min:(-2147483648) ~max:2147483647); Printf.printf "%d " (Random.int_in_range ~min:(-4294967296) ~max:(4294967296));
   Printf.printf "%ld " (Random.int32_in_range ~min:(-5l) ~max:5l); Printf.printf "%ld " (Random.int32_in_range ~min:Int32.min_int ~max:Int32.max_int);
   Printf.printf "%Ld " (Random.int64_in_range ~min:(-5L) ~max:5L); Printf.printf "%Ld " (Random.int64_in_range ~min:Int64.min_int ~max:Int64.max_int); Printf.printf "%nd\n" (Random.nativeint_in_range ~min:(-50n) ~max:5n) done;
  let s = Random.split () in Printf.printf "%d %d\n" (Random.State.bits s) (Random.bits ());
  let s = Random.State.make [||] in Printf.printf "%d\n" (Random.State.bits s);
  let a = Array.init 10 Fun.id in Array.shuffle ~rand:Random.int a; Array.iter (Printf.printf "%d ") a; print_newline ();
  let s = Random.State.of_binary_string (Random.State.to_binary_string s) in Printf.printf "%d %d\n" (Random.State.bits s) (Random.State.full_int s 2000000000)
