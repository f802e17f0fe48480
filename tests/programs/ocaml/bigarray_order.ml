(* `compare`, `=` and `Hashtbl.hash` of arrays of numbers; what is too large. *)
open Bigarray
let h x = Hashtbl.hash x
let show name l = Printf.printf "%s: %s\n" name (String.concat " " (List.map string_of_int l))
let () =
  let mk kind conv n = Array1.init kind c_layout n conv in
  let ints kind name =
    let a = mk kind (fun i -> (i * 37) mod 100 - 50) 300 and b = mk kind (fun i -> if i = 299 then 7 else (i * 37) mod 100 - 50) 300 in
    let hs = List.map (fun n -> h (Array1.sub a 0 n)) [0;1;2;3;4;5;63;64;65;127;128;129;255;256;257;300] in
    show name (compare a b :: compare b a :: compare a a :: Bool.to_int (a = b) :: Bool.to_int (Array1.sub a 3 7 = Array1.sub b 3 7) :: Bool.to_int (a < b) :: hs) in
  ints int8_signed "i8"; ints int8_unsigned "u8"; ints int16_signed "i16"; ints int16_unsigned "u16"; ints int "int";
  let fl kind name =
    let f i = if i mod 17 = 3 then nan else if i mod 13 = 1 then -0.0 else float i /. 3. -. 9. in
    let a = mk kind f 200 and b = mk kind (fun i -> if i = 199 then 0. else f i) 200 in
    let hs = List.map (fun n -> h (Array1.sub a 0 n)) [0;1;2;3;4;5;31;32;33;63;64;65;127;128;129;200] in
    show name (compare a b :: compare b a :: compare a a :: Bool.to_int (a = b) :: Bool.to_int (a = a) :: Bool.to_int (Array1.sub a 4 7 = Array1.sub b 4 7) :: Bool.to_int (a < b) :: Bool.to_int (a >= b) :: hs) in
  fl float32 "f32"; fl float64 "f64"; fl float16 "f16";
  let a = mk int32 (fun i -> Int32.of_int (i * 123456789)) 100 in
  show "i32" (List.map (fun n -> h (Array1.sub a 0 n)) [0;1;2;63;64;65;100]);
  let a = mk int64 (fun i -> Int64.mul (Int64.of_int (i-40)) 1234567890123L) 100 in
  show "i64" (List.map (fun n -> h (Array1.sub a 0 n)) [0;1;2;31;32;33;63;64;65;100]);
  let a = mk nativeint (fun i -> Nativeint.mul (Nativeint.of_int (i-40)) 1234567890123n) 100 in
  show "nat" (List.map (fun n -> h (Array1.sub a 0 n)) [0;1;2;31;32;33;63;64;65;100]);
  let a = mk char (fun i -> Char.chr (i land 255)) 300 in
  show "chr" (List.map (fun n -> h (Array1.sub a 0 n)) [0;1;2;31;32;33;63;64;65;255;256;257;300]);
  let c kind name =
    let a = mk kind (fun i -> { Complex.re = float i; im = if i = 5 then nan else -. float i }) 100 in
    show name (Bool.to_int (Array1.sub a 0 5 = Array1.sub a 0 5) :: Bool.to_int (a = a) :: compare a a :: List.map (fun n -> h (Array1.sub a 0 n)) [0;1;2;15;16;17;31;32;33;63;64;65;100]) in
  c complex32 "c32"; c complex64 "c64";
  let g d = let a = Genarray.create int c_layout d in Genarray.fill a 3; a in
  show "gen" [compare (g [|2;3|]) (g [|6|]); compare (g [|6|]) (g [|2;3|]); compare (g [|2;3|]) (g [|3;2|]); compare (g [||]) (g [|1|]); h (g [|2;3|]); h (g [|6|]); h (g [||])];
  let f d = let a = Genarray.create float64 fortran_layout d in Genarray.fill a 3.5; a in
  show "for" [compare (f [|2;3|]) (f [|6|]); compare (f [|2;3|]) (f [|2;3|]); h (f [|2;3|]); h (1, f [|6|], "x"); h [f [|1|]; f [|2|]]];
  show "nested" [compare (1, g [|2|]) (1, g [|3|]); Bool.to_int ([Some (g [|2|])] = [Some (g [|2|])])];
  (try ignore (Array1.create float64 c_layout max_int) with Out_of_memory -> print_endline "oom");
  (try ignore (Array2.create float64 c_layout (1 lsl 40) (1 lsl 40)) with Out_of_memory -> print_endline "oom");
  (try ignore (Array3.create int8_unsigned c_layout (1 lsl 40) (1 lsl 40) 0) with Out_of_memory -> print_endline "oom");
  (try ignore (Array1.create float64 c_layout (1 lsl 45)) with Out_of_memory -> print_endline "oom");
  (try ignore (Array1.create float64 c_layout (-1)) with Invalid_argument m -> print_endline m)
let () =
  let a = Array1.init float16 c_layout 12 (fun i -> [|0.; -0.; 1e-8; 6e-8; 65519.; 65520.; -65504.; 0.1; nan; infinity; 2e-5; 1.|].(i)) in
  for i = 0 to 11 do Printf.printf "%h " a.{i} done; print_newline ()
