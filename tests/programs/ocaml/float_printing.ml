(* Float printing and special values: string_of_float, nan, infinities, negative zero, rounding. *)

let () =
  List.iter (fun x -> print_endline (string_of_float x))
    [ 0.; -0.; 1.; 1.5; 100.; 1e15; 1e16; 1e21; 1e22; 123456789.; 0.1; 0.1 +. 0.2; 1. /. 3.; 1e-5; 1e-7; 1e100;
      infinity; neg_infinity; nan; max_float; min_float; epsilon_float; 4.9e-324; 2. ** 53.; 1e300 *. 1e10 ];
  List.iter (fun x -> Printf.printf "%g %f %e %.15g %.17g\n" x x x x x) [ 0.1; 2.5; -1234.5678; 1e-10 ];
  Printf.printf "%f %g %e %.2f\n" infinity neg_infinity nan infinity;
  print_float 2.0; print_newline ();
  print_float 3.25; print_newline ();
  Printf.printf "%b %b %b\n" (nan = nan) (nan <> nan) (nan < 1.);
  Printf.printf "%d %d %d\n" (compare nan nan) (compare nan 1.) (compare 1. nan);
  Printf.printf "%b %b\n" (0. = -0.) (1. /. 0. = 1. /. -0.);
  Printf.printf "%d %d %d %d\n" (int_of_float 2.9) (int_of_float (-2.9)) (truncate 1e10) (int_of_float (-0.5));
  Printf.printf "%g %g %g %g %g\n" (floor (-2.5)) (ceil (-2.5)) (Float.round 2.5) (Float.round (-2.5)) (Float.trunc (-2.7));
  Printf.printf "%g %g %g\n" (mod_float 7.5 2.) (mod_float (-7.5) 2.) (Float.rem 5. 3.);
  Printf.printf "%g %g %b\n" (abs_float (-3.)) (Float.copy_sign 2. (-1.)) (Float.sign_bit (-0.));
  let m, e = frexp 10. in
  Printf.printf "%g %d %g\n" m e (ldexp 0.75 4);
  let f, i = modf 3.75 in
  Printf.printf "%g %g\n" f i;
  Printf.printf "%s %s %s\n" (Float.to_string 1e5) (string_of_float (float_of_string "1_000.5")) (string_of_float (float_of_string "0x1p-3"));
  Printf.printf "%s %s\n" (match float_of_string_opt "abc" with None -> "none" | Some _ -> "some") (match float_of_string_opt "1e3" with Some x -> string_of_float x | None -> "none");
  (match classify_float 0. with FP_zero -> print_endline "zero" | _ -> print_endline "?");
  (match List.map classify_float [ 1.; 1e-320; infinity; nan ] with
   | [ FP_normal; FP_subnormal; FP_infinite; FP_nan ] -> print_endline "classified"
   | _ -> print_endline "?");
  Printf.printf "%.3f %.3f %.3f %.3f\n" (exp 1.) (log 10.) (log10 1000.) (sqrt 2.);
  Printf.printf "%.4f %.4f %.4f %.4f\n" (sin 1.) (cos 1.) (tan 1.) (atan2 1. 2.);
  Printf.printf "%.4f %.4f %.4f\n" (sinh 1.) (hypot 3. 4.) (2. ** 0.5);
  Printf.printf "%.6g %.6g %.6g\n" (Float.log2 8.) (Float.cbrt 27.) (expm1 1e-10);
  Printf.printf "%.0f %.0f %.0f %.0f\n" 0.5 1.5 2.5 3.5;
  Printf.printf "%.1f %.1f %.2f\n" 0.25 0.35 1.005;
  Printf.printf "%g %g\n" (min 1. nan) (Float.min_num 1. nan)
