(* covers Bigarray *)
open Bigarray

let t f = try f () with e -> print_endline (Printexc.to_string e)

let () =
  let a = Array1.create float64 c_layout 5 in
  for i = 0 to 4 do a.{i} <- float_of_int (i * i) done;
  for i = 0 to Array1.dim a - 1 do Printf.printf "%g " a.{i} done;
  print_newline ();
  let m = Array2.init int c_layout 2 3 (fun i j -> (10 * i) + j) in
  m.{1, 2} <- 99;
  for i = 0 to 1 do for j = 0 to 2 do Printf.printf "%d " m.{i, j} done done;
  print_newline ();
  let row = Array2.slice_left m 1 in
  row.{0} <- -1;
  Printf.printf "%d %d %d\n" m.{1, 0} (Array1.dim row) row.{2};
  let f = Array2.init int32 fortran_layout 2 3 (fun i j -> Int32.of_int ((10 * i) + j)) in
  Printf.printf "%ld %ld\n" f.{1, 1} f.{2, 3};
  let column = Array2.slice_right f 3 in
  Printf.printf "%ld %ld\n" column.{1} column.{2};
  let c = Array2.change_layout f c_layout in
  Printf.printf "%d %d %ld\n" (Array2.dim1 c) (Array2.dim2 c) c.{2, 1};
  let k = Array3.init int16_unsigned c_layout 2 2 2 (fun i j k -> (i * 4) + (j * 2) + k) in
  k.{1, 1, 1} <- 70000;
  Printf.printf "%d %d\n" k.{1, 0, 1} k.{1, 1, 1};
  let plane = Array3.slice_left_2 k 1 and line = Array3.slice_left_1 k 0 1 in
  Printf.printf "%d %d\n" plane.{0, 1} line.{1};
  let g = Genarray.create char c_layout [| 2; 2; 2; 2 |] in
  Genarray.fill g 'x';
  g.{0, 1, 0, 1} <- 'y';
  Printf.printf "%c %c %d %d\n" g.{0, 1, 0, 1} (Genarray.get g [| 1; 1; 1; 1 |]) (Genarray.num_dims g) (Genarray.size_in_bytes g);
  let s = Array1.of_array int8_signed c_layout [| 127; 128; -129; 255 |] in
  for i = 0 to 3 do Printf.printf "%d " s.{i} done;
  let h = Array1.of_array float16 c_layout [| 1.0; 0.1; 65504.0; 65520.0; 1e-8; -2.5; 6e-8; nan; 2049.0; 2051.0 |] in
  for i = 0 to 9 do Printf.printf "%h " h.{i} done;
  let z = Array1.of_array complex32 c_layout [| { Complex.re = 0.1; im = 2.0 } |] in
  Printf.printf "%.17g %g\n" z.{0}.Complex.re z.{0}.Complex.im;
  let z = Array1.of_array complex64 c_layout [| { Complex.re = 0.1; im = 2.0 } |] in
  Printf.printf "%.17g\n" z.{0}.Complex.re;
  let f32 = Array1.of_array float32 c_layout [| 0.1; 1e300 |] in
  Printf.printf "%.17g %g %d\n" f32.{0} f32.{1} (Array1.size_in_bytes f32);
  let n = Array1.of_array nativeint fortran_layout [| 5n; -7n |] and l = Array1.of_array int64 c_layout [| Int64.min_int |] in
  Printf.printf "%nd %Ld\n" n.{2} l.{0};
  let part = Array1.sub a 1 3 in
  part.{0} <- 100.0;
  Printf.printf "%g %d\n" a.{1} (Array1.dim part);
  Array1.blit (Array1.sub a 0 3) (Array1.sub a 2 3);
  for i = 0 to 4 do Printf.printf "%g " a.{i} done;
  print_newline ();
  let re = reshape_2 (genarray_of_array1 a) 5 1 in
  Printf.printf "%g\n" re.{4, 0};
  let zero = Array0.of_value int c_layout 42 in
  Printf.printf "%d %d\n" (Array0.get zero) (Array0.get (Array1.slice (Array1.of_array int c_layout [| 7; 8 |]) 1));
  t (fun () -> Printf.printf "%g" a.{5});
  t (fun () -> Printf.printf "%g" a.{-1});
  t (fun () -> a.{9} <- 1.);
  t (fun () -> Printf.printf "%ld" f.{0, 1});
  t (fun () -> ignore (Array1.create int c_layout (-1)));
  t (fun () -> ignore (Array1.sub a 3 4));
  t (fun () -> Array1.blit a part);
  t (fun () -> ignore (Genarray.get g [| 0 |]));
  t (fun () -> Genarray.set g [| 0 |] 'a');
  t (fun () -> ignore (array1_of_genarray g));
  t (fun () -> ignore (reshape_1 g 5));
  t (fun () -> ignore (Genarray.nth_dim g 4));
  t (fun () -> ignore (Array2.of_array int c_layout [| [| 1 |]; [||] |]));
  t (fun () -> ignore (Array2.slice_left m 2));
  t (fun () -> ignore (Genarray.slice_left g [| 0; 0; 0; 0; 0 |]));
  Printf.printf "%d %d %d\n" (kind_size_in_bytes complex64) (kind_size_in_bytes float16) (kind_size_in_bytes char);
  let sum = ref 0 in
  let init = Genarray.init int fortran_layout [| 2; 2 |] (fun i -> incr sum; (!sum * 100) + (i.(0) * 10) + i.(1)) in
  Printf.printf "%d %d %d\n" (Genarray.get init [| 1; 2 |]) (Genarray.get init [| 2; 1 |]) (Genarray.get init [| 2; 2 |])
