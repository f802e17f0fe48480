(* [fast_exp] and [fast_tanh]: close to the C library's at all sizes, at the edges, and with the same derivatives.
   covers: K10 *)

let units a b =
  if a = b || (a <> a && b <> b) then 0.0
  else
    let size = abs_float b in
    abs_float (a -. b) /. (Float.succ size -. size)

let seed = ref 42

let random () =
  seed := ((!seed * 1103515245) + 12345) land 0x3FFFFFFF;
  (float !seed /. float 0x3FFFFFFF) -. 0.5

let xs = Array.init 1024 (fun _ -> random ())

(* Loops over arrays: several numbers at once where the compiler can. *)
let worst fast exact scale =
  let found = Array.map (fun x -> fast (x *. scale)) xs in
  let most = ref 0.0 in
  Array.iteri (fun i y -> most := max !most (units y (exact (xs.(i) *. scale)))) found;
  !most

let () =
  List.iter
    (fun scale ->
      let e = worst Ad.fast_exp exp scale and t = worst Ad.fast_tanh tanh scale in
      if e > 2.0 then Printf.printf "exp, numbers up to %g: %g units\n" scale e;
      if t > 4.0 then Printf.printf "tanh, numbers up to %g: %g units\n" scale t)
    [ 1e-300; 1e-17; 1e-8; 0.001; 0.1; 0.5; 1.0; 3.0; 10.0; 50.0; 1600.0; 1e300 ];
  let show name fast exact =
    List.iter
      (fun x ->
        let a = fast x and b = exact x in
        if units a b > 1.0 || 1.0 /. a <> 1.0 /. b && units (1.0 /. a) (1.0 /. b) > 2.0 then
          Printf.printf "%s %h: %h, not %h\n" name x a b)
      [ 0.0; -0.0; 5e-324; -5e-324; infinity; neg_infinity; nan; 22.0; -22.0; 709.78; 709.79; 710.0; -708.5;
        -745.1; -745.2; -750.0; max_float; -.max_float ]
  in
  show "exp" Ad.fast_exp exp;
  show "tanh" Ad.fast_tanh tanh;
  Printf.printf "%.12g %.12g %.12g\n" (Ad.fast_exp 1.0) (Ad.fast_tanh 0.5) (Ad.fast_sigmoid 0.25)

(* Derivatives in each mode. *)
let close name a b =
  if abs_float (a -. b) > 1e-12 *. (1.0 +. abs_float b) then Printf.printf "%s: %.15g, not %.15g\n" name a b

let () =
  List.iter
    (fun x ->
      let e = exp x and t = tanh x in
      let s = 1.0 /. (1.0 +. exp (-.x)) in
      close "exp'" (Ad.derivative Ad.fast_exp x) e;
      close "exp', reverse" (Ad.reverse_derivative Ad.fast_exp x) e;
      close "exp''" (Ad.derivative (Ad.derivative Ad.fast_exp) x) e;
      close "exp, series" (Ad.derivative_n 3 Ad.fast_exp x) e;
      close "tanh'" (Ad.derivative Ad.fast_tanh x) (1.0 -. (t *. t));
      close "tanh', reverse" (Ad.reverse_derivative Ad.fast_tanh x) (1.0 -. (t *. t));
      close "tanh''" (Ad.derivative_n 2 Ad.fast_tanh x) (-2.0 *. t *. (1.0 -. (t *. t)));
      close "sigmoid'" (Ad.derivative Ad.fast_sigmoid x) (s *. (1.0 -. s));
      (* Inside of a loop, where the way back keeps the result. *)
      let layer w = Array.fold_left ( +. ) 0.0 (Array.map (fun v -> Ad.fast_tanh (v *. x)) w) in
      Array.iter2
        (fun w g ->
          let t = tanh (w *. x) in
          close "layer" g (x *. (1.0 -. (t *. t))))
        [| 0.5; -1.0; 2.0 |]
        (Ad.gradient layer [| 0.5; -1.0; 2.0 |]))
    [ -2.0; -0.3; 0.0; 0.7; 3.0 ];
  print_endline "derivatives agree"
