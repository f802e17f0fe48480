(* Closures with 0, 1, 7, 8, 16, 17, 33 and 65 captured variables of several types. *)

let cap0 () = fun x -> x * 2
let cap1 a = fun x -> a + x
let cap7 a b c d e f g = fun x -> a + b + c + d + e + f + g + x
let cap8 a b c d e f g h = fun x -> a - b + c - d + e - f + g - h + x

let cap16 a =
  let b = a + 1 in let c = b + 1 in let d = c + 1 in let e = d * 2 in let f = e + 1 in
  let g = f + 1 in let h = g * 3 in let i = h + 1 in let j = i + 1 in let k = j + 1 in
  let l = k + 1 in let m = l - a in let n = m + 1 in let o = n + 1 in let p = o + 1 in
  fun x -> a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9 + j * 10
           + k * 11 + l * 12 + m * 13 + n * 14 + o * 15 + p * 16 + x

let cap17 (a : float) s =
  let b = a +. 0.5 in let c = b *. 2. in let d = c -. 1. in let e = d /. 4. in
  let t = s ^ "!" in let u = t ^ s in let v = String.length u in let w = v * v in
  let l = [ v; w ] in let m = w :: l in let p = (a, s) in let q = Some b in
  let r = [| c; d |] in let z = ref w in let y = 'y' in
  fun n ->
    z := !z + n;
    Printf.sprintf "%.2f %.2f %.2f %.2f %.2f %s %s %s %d %d %d %d %.1f %.2f %.2f %d %c"
      a b c d e s t u v w (List.length l) (List.length m) (fst p)
      (match q with Some f -> f | None -> 0.) r.(1) !z y

let cap33 a0 =
  let a1 = a0 + 1 in let a2 = a1 + 1 in let a3 = a2 + 1 in let a4 = a3 + 1 in
  let a5 = a4 + 1 in let a6 = a5 + 1 in let a7 = a6 + 1 in let a8 = a7 + 1 in
  let a9 = a8 + 1 in let a10 = a9 + 1 in let a11 = a10 + 1 in let a12 = a11 + 1 in
  let a13 = a12 + 1 in let a14 = a13 + 1 in let a15 = a14 + 1 in let a16 = a15 + 1 in
  let a17 = a16 + 1 in let a18 = a17 + 1 in let a19 = a18 + 1 in let a20 = a19 + 1 in
  let a21 = a20 + 1 in let a22 = a21 + 1 in let a23 = a22 + 1 in let a24 = a23 + 1 in
  let a25 = a24 + 1 in let a26 = a25 + 1 in let a27 = a26 + 1 in let a28 = a27 + 1 in
  let a29 = a28 + 1 in let a30 = a29 + 1 in let a31 = a30 + 1 in let a32 = a31 + 1 in
  fun x ->
    [ a32; a31; a30; a29; a28; a27; a26; a25; a24; a23; a22; a21; a20; a19; a18; a17; a16;
      a15; a14; a13; a12; a11; a10; a9; a8; a7; a6; a5; a4; a3; a2; a1; a0; x ]

let cap65 s =
  let f k = s ^ string_of_int k in
  let b0 = f 0 in let b1 = f 1 in let b2 = f 2 in let b3 = f 3 in let b4 = f 4 in
  let b5 = f 5 in let b6 = f 6 in let b7 = f 7 in let b8 = f 8 in let b9 = f 9 in
  let c0 = 10 in let c1 = c0 + 1 in let c2 = c1 + 1 in let c3 = c2 + 1 in let c4 = c3 + 1 in
  let c5 = c4 + 1 in let c6 = c5 + 1 in let c7 = c6 + 1 in let c8 = c7 + 1 in let c9 = c8 + 1 in
  let d0 = 0.5 in let d1 = d0 +. 1. in let d2 = d1 +. 1. in let d3 = d2 +. 1. in let d4 = d3 +. 1. in
  let d5 = d4 +. 1. in let d6 = d5 +. 1. in let d7 = d6 +. 1. in let d8 = d7 +. 1. in let d9 = d8 +. 1. in
  let e0 = ref 0 in let e1 = ref 1 in let e2 = ref 2 in let e3 = ref 3 in let e4 = ref 4 in
  let e5 = ref 5 in let e6 = ref 6 in let e7 = ref 7 in let e8 = ref 8 in let e9 = ref 9 in
  let g0 = (c0, b0) in let g1 = (c1, b1) in let g2 = (c2, b2) in let g3 = (c3, b3) in let g4 = (c4, b4) in
  let g5 = (c5, b5) in let g6 = (c6, b6) in let g7 = (c7, b7) in let g8 = (c8, b8) in let g9 = (c9, b9) in
  let h0 = fun x -> x + c0 in let h1 = fun x -> x + c1 in let h2 = fun x -> h0 (h1 x) in
  let h3 = fun x -> h2 (h2 x) in let h4 = fun x -> h3 x - c9 in
  let i0 = [ s ] in let i1 = s :: i0 in let i2 = List.length i1 in let i3 = 'z' in let i4 = s <> "" in
  let i5 = Int64.of_int c9 in let i6 = [| d9 |] in let i7 = lazy (String.uppercase_ascii s) in
  let i8 = Some c5 in let i9 = max_int in
  fun x ->
    List.iter incr [ e0; e1; e2; e3; e4; e5; e6; e7; e8; e9 ];
    Printf.printf "%s\n" (String.concat "," [ b0; b1; b2; b3; b4; b5; b6; b7; b8; b9 ]);
    Printf.printf "%d\n" (c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7 + c8 + c9);
    Printf.printf "%.1f\n" (d0 +. d1 +. d2 +. d3 +. d4 +. d5 +. d6 +. d7 +. d8 +. d9);
    Printf.printf "%d\n" (!e0 + !e1 + !e2 + !e3 + !e4 + !e5 + !e6 + !e7 + !e8 + !e9);
    List.iter (fun (n, t) -> Printf.printf "%d%s;" n t) [ g0; g1; g2; g3; g4; g5; g6; g7; g8; g9 ];
    Printf.printf "\n%d %d %d %d %d\n" (h0 x) (h1 x) (h2 x) (h3 x) (h4 x);
    Printf.printf "%d %d %c %b %Ld %.1f %s %b %d\n" (List.length i0) i2 i3 i4 i5 i6.(0)
      (Lazy.force i7) (i8 = Some 15) (i9 - x)

let () =
  Printf.printf "%d %d\n" (cap0 () 21) (cap1 40 2);
  Printf.printf "%d %d\n" (cap7 1 2 3 4 5 6 7 8) (cap8 1 2 3 4 5 6 7 8 9);
  let k = cap7 1 1 1 1 1 1 1 in
  Printf.printf "%d %d\n" (k 0) (k 10);
  Printf.printf "%d\n" (cap16 5 1000);
  let c17 = cap17 1.5 "ab" in
  print_endline (c17 1);
  print_endline (c17 10);
  print_endline (String.concat " " (List.map string_of_int (cap33 100 7)));
  let c65 = cap65 "q" in
  c65 1;
  c65 2
