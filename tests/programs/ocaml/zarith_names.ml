let p s = let z = Z.of_string s in Printf.printf "%s hash=%d Z.hash=%d seeded=%d pair=%d\n" s (Hashtbl.hash z) (Z.hash z) (Z.seeded_hash 5 z) (Hashtbl.hash (z,1))
let () = List.iter p ["0";"1";"-1";"4611686018427387903";"4611686018427387904";"-4611686018427387904";"-4611686018427387905";"18446744073709551616";"-18446744073709551616";"123456789012345678901234567890123456789012345678901234567890"]
let t s f = match f () with x -> Printf.printf "%s = %s\n%!" s x | exception e -> Printf.printf "%s raises %s\n%!" s (Printexc.to_string e)
let z = Z.of_string
let () =
  List.iter (fun s -> t ("of_string " ^ s) (fun () -> Z.to_string (z s))) [""; "-"; "+"; "+5"; "0x"; "0xff"; "-0b101"; "0o17"; "0X1F"; "1_000"; "_1"; "1__0_"; "-0"; " 1"; "1 "; "12a"; "--1"; "0b2"; "123456789012345678901234567890x"; "0x_f"];
  List.iter (fun (b,s) -> t (Printf.sprintf "of_string_base %d %s" b s) (fun () -> Z.to_string (Z.of_string_base b s))) [1,"0";2,"101";16,"ff";16,"0xff";17,"g";10,"+12";10,"";36,"z";16,"-FF"];
  t "sub" (fun () -> Z.to_string (Z.of_substring "abc123def" ~pos:3 ~len:3));
  t "sub2" (fun () -> Z.to_string (Z.of_substring "abc123def" ~pos:3 ~len:30));
  t "sub3" (fun () -> Z.to_string (Z.of_substring "abc123def" ~pos:(-1) ~len:3));
  t "sub4" (fun () -> Z.to_string (Z.of_substring_base 10 "abc123def" ~pos:3 ~len:30));
  let s = Z.to_string in
  t "div0" (fun () -> s (Z.div Z.one Z.zero));
  t "sl" (fun () -> s (Z.shift_left Z.one (-1)));
  t "sr" (fun () -> s (Z.shift_right Z.one (-1)));
  t "srt" (fun () -> s (Z.shift_right_trunc Z.one (-1)));
  t "pow" (fun () -> s (Z.pow Z.one (-1)));
  t "pow2" (fun () -> s (Z.pow (Z.of_int 2) max_int));
  t "pow1" (fun () -> s (Z.pow (Z.of_int (-1)) max_int));
  t "sqrt" (fun () -> s (Z.sqrt (Z.of_int (-1))));
  t "sqrt_rem" (fun () -> s (fst (Z.sqrt_rem (Z.of_int (-1)))));
  t "root" (fun () -> s (Z.root (Z.of_int (-8)) 3));
  t "root2" (fun () -> s (Z.root (Z.of_int (-8)) 2));
  t "root0" (fun () -> s (Z.root (Z.of_int 8) 0));
  t "rootrem" (fun () -> let a,b = Z.rootrem (Z.of_int (-9)) 3 in s a ^ "," ^ s b);
  t "rootrem0" (fun () -> let a,b = Z.rootrem (Z.of_int (-9)) 0 in s a ^ "," ^ s b);
  t "rootrem2" (fun () -> let a,b = Z.rootrem (Z.of_int (-9)) 2 in s a ^ "," ^ s b);
  t "fac" (fun () -> s (Z.fac (-1)));
  t "fac2" (fun () -> s (Z.fac2 (-1)));
  t "facM" (fun () -> s (Z.facM 10 3)); t "facM0" (fun () -> s (Z.facM 10 0)); t "facMn" (fun () -> s (Z.facM (-10) 2)); t "facM0b" (fun () -> s (Z.facM 10 (-1)));
  t "primorial" (fun () -> s (Z.primorial (-1)));
  t "bin" (fun () -> s (Z.bin (Z.of_int 5) (-1)));
  t "binneg" (fun () -> s (Z.bin (Z.of_int (-5)) 3));
  t "fib" (fun () -> s (Z.fib (-1)));
  t "lucnum" (fun () -> s (Z.lucnum (-1)));
  t "log2" (fun () -> string_of_int (Z.log2 Z.zero)); t "log2up" (fun () -> string_of_int (Z.log2up Z.zero));
  t "extract" (fun () -> s (Z.extract Z.one (-1) 2)); t "extract2" (fun () -> s (Z.extract Z.one 0 0));
  t "sextract" (fun () -> s (Z.signed_extract Z.one (-1) 2)); t "sextract2" (fun () -> s (Z.signed_extract Z.one 0 0));
  t "testbit" (fun () -> string_of_bool (Z.testbit Z.one (-1)));
  t "popcount" (fun () -> string_of_int (Z.popcount Z.minus_one));
  t "hamdist" (fun () -> string_of_int (Z.hamdist Z.minus_one Z.one));
  t "hamdist-" (fun () -> string_of_int (Z.hamdist (Z.of_int (-10)) (Z.of_int (-3))));
  t "to_int" (fun () -> string_of_int (Z.to_int (Z.shift_left Z.one 80)));
  t "to_int32" (fun () -> Int32.to_string (Z.to_int32 (Z.shift_left Z.one 80)));
  t "to_int64u" (fun () -> Int64.to_string (Z.to_int64_unsigned (Z.minus_one)));
  t "of_float" (fun () -> s (Z.of_float nan));
  t "of_float" (fun () -> s (Z.of_float 1e30));
  t "of_float" (fun () -> s (Z.of_float (-1e19)));
  t "powm" (fun () -> s (Z.powm (Z.of_int 3) (Z.of_int (-1)) (Z.of_int 7)));
  t "powm" (fun () -> s (Z.powm (Z.of_int 3) (Z.of_int (-1)) (Z.of_int 9)));
  t "powm-" (fun () -> s (Z.powm (Z.of_int (-3)) (Z.of_int 3) (Z.of_int (-7))));
  t "powm_sec" (fun () -> s (Z.powm_sec (Z.of_int (-3)) (Z.of_int 0) (Z.of_int (-7))));
  t "powm_sec" (fun () -> s (Z.powm_sec (Z.of_int (-3)) (Z.of_int 3) (Z.of_int 7)));
  t "powm_sec" (fun () -> s (Z.powm_sec (Z.of_int (-3)) (Z.of_int 3) (Z.of_int 6)));
  t "invert" (fun () -> s (Z.invert (Z.of_int (3)) (Z.of_int (-7))));
  t "invert" (fun () -> s (Z.invert (Z.of_int (3)) (Z.of_int (0))));
  t "invert" (fun () -> s (Z.invert (Z.of_int (0)) (Z.of_int (1))));
  t "invert" (fun () -> s (Z.invert (Z.of_int (3)) (Z.of_int (-1))));
  t "congruent" (fun () -> string_of_bool (Z.congruent (Z.of_int 3) (Z.of_int 13) Z.zero));
  t "divisible" (fun () -> string_of_bool (Z.divisible (Z.of_int 0) Z.zero));
  t "divexact" (fun () -> s (Z.divexact Z.one Z.zero));
  t "remove" (fun () -> let a,b = Z.remove (Z.of_int 24) (Z.of_int 2) in s a ^ "," ^ string_of_int b);
  t "remove1" (fun () -> let a,b = Z.remove (Z.of_int 24) (Z.of_int 1) in s a ^ "," ^ string_of_int b);
  t "remove-1" (fun () -> let a,b = Z.remove (Z.of_int 24) (Z.of_int (-1)) in s a ^ "," ^ string_of_int b);
  t "remove-2" (fun () -> let a,b = Z.remove (Z.of_int 24) (Z.of_int (-2)) in s a ^ "," ^ string_of_int b);
  t "remove00" (fun () -> let a,b = Z.remove (Z.of_int 0) (Z.of_int 2) in s a ^ "," ^ string_of_int b);
  t "jacobi" (fun () -> string_of_int (Z.jacobi (Z.of_int 2) (Z.of_int 4)));
  t "jacobi-" (fun () -> string_of_int (Z.jacobi (Z.of_int 2) (Z.of_int (-3))));
  t "legendre" (fun () -> string_of_int (Z.legendre (Z.of_int 2) (Z.of_int 4)));
  t "kron" (fun () -> string_of_int (Z.kronecker (Z.of_int 3) (Z.of_int 4)));
  t "random_int" (fun () -> s (Z.random_int Z.zero)); t "random_bits" (fun () -> s (Z.random_bits (-1)));
  t "random_int" (fun () -> s (Z.random_int (Z.of_string "1000000000000000000000")));
  t "random_int" (fun () -> s (Z.random_int (Z.of_string "1000")));
  t "random_bits" (fun () -> s (Z.random_bits 100)); t "random_bits" (fun () -> s (Z.random_bits 10)); t "random_bits" (fun () -> s (Z.random_bits 0));
  t "random_bits" (fun () -> s (Z.random_bits_gen ~fill:(fun b p l -> for i = p to p+l-1 do Bytes.set b i (Char.chr (i*37 land 255)) done) 77));
  t "random_int" (fun () -> s (Z.random_int_gen ~fill:(fun b p l -> for i = p to p+l-1 do Bytes.set b i (Char.chr (i*37 land 255)) done) (Z.of_string "1000000000000000000000")));
  List.iter (fun x -> t "to_bits" (fun () -> String.escaped (Z.to_bits (z x)))) ["0";"1";"255";"-256";"18446744073709551616"];
  List.iter (fun x -> t "of_bits" (fun () -> s (Z.of_bits x))) ["";"\000";"\001\002";"abcdefghijkl";"abcdefghijkl\000\000\000\000\000\000\000\000\000"];
  List.iter (fun (f,x) -> t ("format " ^ f ^ " " ^ x) (fun () -> "[" ^ Z.format f (z x) ^ "]")) ["%d","5";"%10d","-5";"%-10d","5";"%010d","-5";"%+d","5";"% d","5";"%x","-255";"%#x","255";"%#X","-255";"%#o","8";"%#b","5";"%#20X","255";"%#020x","-255";"abc %5d def","7";"%i","3";"%u","-3";"%c","3";"","3";"%","3";"%-010d","5";"%d","123456789012345678901234567890";"%#x","123456789012345678901234567890";"%40b","0";"%+ d","1";"%5","2"; "%d%d","4"; "x","4";"%.3d","4";"%ld","4"];
  List.iter (fun (a,b) -> t ("gcdext " ^ a ^ " " ^ b) (fun () -> let g,x,y = Z.gcdext (z a) (z b) in s g ^ " " ^ s x ^ " " ^ s y)) ["0","0";"0","5";"5","0";"-5","0";"0","-5";"5","5";"5","-5";"-5","5";"12","18";"-12","18";"12","-18";"240","46";"6","3";"3","6";"4","6";"123456789012345678901234567890","987654321098765432109876543210";"987654321098765432109876543210","-123456789012345678901234567891";"100000000000000000000000","100000000000000000000000";"200000000000000000000000","100000000000000000000000";"100000000000000000000000","200000000000000000000000";"100000000000000000000000","300000000000000000000000"; "17","100000000000000000000000"];
  List.iter (fun a -> t ("prime " ^ a) (fun () -> string_of_int (Z.probab_prime (z a) 25) ^ " " ^ s (Z.nextprime (z a)))) ["-7";"0";"1";"2";"4";"97";"1000003";"999983000001";"18446744073709551557";"18446744073709551629";"340282366920938463463374607431768211507"; "4611686018427387903";"-10"; "561"; "35184372088832";"35184372088777";"70368744177643"; "70368744177679";"1000000000039"];
  List.iter (fun a -> t ("pp " ^ a) (fun () -> string_of_bool (Z.perfect_power (z a)) ^ " " ^ string_of_bool (Z.perfect_square (z a)))) ["0";"1";"-1";"-8";"-4";"4";"27";"12";"1000000000000000000000000000000";"99999999999999999999"; "-2";"-1000000000000000000000000000000"];
  t "version" (fun () -> Z.version);
  List.iter (fun x -> t "size" (fun () -> string_of_int (Z.size (z x)))) ["0";"5";"4611686018427387904";"18446744073709551616"];
  List.iter (fun (x,b) -> t "rtf" (fun () -> Printf.sprintf "%h" (Z.round_to_float (z x) b))) ["9007199254740993",true;"9007199254740993",false;"18014398509481985",true;"18014398509481985",false; "36028797018963969",true; "36028797018963969",false;"3",true;"3",false];
  List.iter (fun x -> t "to_float" (fun () -> Printf.sprintf "%h" (Z.to_float (z x)))) ["9007199254740993";"-9007199254740995";"1" ^ String.make 400 '0';"-1" ^ String.make 400 '0';"36893488147419107329"; "36893488147419107328";"295147905179352891392"]

let () =
  List.iter (fun s -> t ("of_string " ^ s) (fun () -> let q = Q.of_string s in Q.to_string q ^ " " ^ Z.to_string q.Q.num ^ " " ^ Z.to_string q.Q.den))
   ["";"1";"-1";"+1";"1/2";"-1/2";"1/-2";"2/4";"+2/+4";"1/0";"-1/0";"0/0";"5/0";"inf";"+inf";"-inf";"undef";"nan";"1.5";"-1.5";".5";"5.";".";"-.5";"1e3";"1e-3";"1.25e2";"1.25E-2";"1e";"e5";"1e+5";"0x1.8";"0x1.8p1";"0xff";"0xff/0x10";"0b1.1";"0o7.7";"1_000.5";" 1";"1.5/2";"1/2/3";"1.5.5";"1e2e3";"-";"+";"1p3";"0x1p-3";"0x1e2";"infinity";"INF";"-undef";"1.e2";"0b1e3";"0x1.8P1";"1./2";"/2";"1/";"-0.0";"1e400"];
  let z = Z.of_int in
  let l = ["0",Q.zero;"1",Q.one;"-1",Q.minus_one;"inf",Q.inf;"-inf",Q.minus_inf;"undef",Q.undef;"1/2",Q.of_ints 1 2;"-3/4",Q.of_ints (-3) 4] in
  let s = Q.to_string in
  List.iter (fun (n,a) -> 
    Printf.printf "%s: sign %d real %b inv %s neg %s abs %s m2 %s d2 %s float %h kind %d\n" n (Q.sign a) (Q.is_real a) (s (Q.inv a)) (s (Q.neg a)) (s (Q.abs a)) (s (Q.mul_2exp a 3)) (s (Q.div_2exp a 3)) (Q.to_float a) (Obj.magic (Q.classify a));
    t "  to_bigint" (fun () -> Z.to_string (Q.to_bigint a)); t "  to_int" (fun () -> string_of_int (Q.to_int a));
    List.iter (fun (m,b) -> Printf.printf "  %s %s: + %s - %s * %s / %s cmp %d eq %b leq %b geq %b lt %b gt %b min %s max %s = %b <> %b < %b\n" n m (s (Q.add a b)) (s (Q.sub a b)) (s (Q.mul a b)) (s (Q.div a b)) (Q.compare a b) (Q.equal a b) (Q.leq a b) (Q.geq a b) (Q.lt a b) (Q.gt a b) (s (Q.min a b)) (s (Q.max a b)) Q.(a = b) Q.(a <> b) Q.(a < b)) l) l;
  List.iter (fun f -> t (Printf.sprintf "of_float %h" f) (fun () -> s (Q.of_float f))) [0.;-0.;1.;0.5;0.1;1e300;-1e-300;infinity;neg_infinity;nan;4.9e-324;3.];
  List.iter (fun (a,b) -> t "to_float" (fun () -> Printf.sprintf "%h" (Q.to_float (Q.make (Z.of_string a) (Z.of_string b))))) ["1","3";"-2","3";"1","10";"123456789012345678901234567890","7";"1","1" ^ String.make 320 '0';"1" ^ String.make 320 '0',"1";"1","1"^String.make 400 '0';"9007199254740993","1";"9007199254740993","2";"9007199254740993","3";"4503599627370497","9007199254740992"; "1", "5" ^ String.make 323 '0'];
  t "make" (fun () -> s (Q.make (z 6) (z (-4)))); t "of_ints" (fun () -> s (Q.of_ints 6 0));
  t "of_ints" (fun () -> s (Q.of_ints min_int (-1)));
  t "mul2n" (fun () -> s (Q.mul_2exp Q.one (-1))); t "div2n" (fun () -> s (Q.div_2exp Q.one (-1)));
  t "pow" (fun () -> Z.to_string (Z.pow Z.one (1 lsl 40)));
  t "pow" (fun () -> Z.to_string (Z.pow Z.one (1 lsl 31)));
  t "pow" (fun () -> Z.to_string (Z.pow Z.one (1 lsl 37)));
  t "pow" (fun () -> Z.to_string (Z.pow Z.one ((1 lsl 37) - 1)));
  t "pow" (fun () -> Z.to_string (Z.pow Z.one (1 lsl 36)));
  t "pow0" (fun () -> Z.to_string (Z.pow Z.zero max_int));
  t "sl" (fun () -> string_of_int (Z.numbits (Z.shift_left Z.one max_int)));
  t "sl" (fun () -> string_of_int (Z.numbits (Z.shift_left Z.one (1 lsl 50))));
  t "sl" (fun () -> string_of_int (Z.numbits (Z.shift_left Z.one (1 lsl 38))));
  t "sl0" (fun () -> string_of_int (Z.numbits (Z.shift_left Z.zero (max_int))));
  t "fib" (fun () -> Z.to_string (Z.fib 0) ^ Z.to_string (Z.fac 0) ^ Z.to_string (Z.lucnum 0) ^ Z.to_string (Z.primorial 0)^ Z.to_string (Z.fac2 0)^ Z.to_string (Z.facM 0 3));
  t "cmp" (fun () -> string_of_int (compare (Z.of_int 3) (Z.of_int 5)) ^ string_of_int (compare (Z.pow (z (-2)) 63) (Z.of_int 5)) ^ string_of_int (compare (Z.pow (z (-2)) 63) (Z.pow (z (-2)) 65)) ^ string_of_bool (Z.pow (z 2) 70 = Z.pow (z 4) 35));
  t "marshal" (fun () -> Z.to_string (Marshal.from_string (Marshal.to_string (Z.pow (z (-7)) 63) []) 0 : Z.t));
  Format.printf "%a %a@." Z.pp_print (Z.pow (z 7) 30) Q.pp_print (Q.of_ints 3 9);
  Printf.printf "%a %a\n" Z.output (Z.pow (z 7) 30) Q.output (Q.of_ints 3 9);
  print_endline (Printf.sprintf "%a %a" Z.sprint (Z.pow (z 7) 30) Q.sprint (Q.of_ints 3 9));
  let b = Buffer.create 3 in Printf.bprintf b "%a %a" Z.bprint (Z.pow (z 7) 30) Q.bprint (Q.of_ints 3 9); print_endline (Buffer.contents b)
