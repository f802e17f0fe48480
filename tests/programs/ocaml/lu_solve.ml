(* Gaussian elimination with partial pivoting, LU residuals, singular matrices by exception. *)

exception Singular of int

let solve a b =
  let n = Array.length a in
  let m = Array.map Array.copy a and x = Array.copy b in
  for col = 0 to n - 1 do
    let pivot = ref col in
    for r = col + 1 to n - 1 do
      if abs_float m.(r).(col) > abs_float m.(!pivot).(col) then pivot := r
    done;
    if abs_float m.(!pivot).(col) < 1e-12 then raise (Singular col);
    if !pivot <> col then begin
      let t = m.(col) in m.(col) <- m.(!pivot); m.(!pivot) <- t;
      let t = x.(col) in x.(col) <- x.(!pivot); x.(!pivot) <- t
    end;
    for r = col + 1 to n - 1 do
      let f = m.(r).(col) /. m.(col).(col) in
      if f <> 0. then begin
        for c = col to n - 1 do m.(r).(c) <- m.(r).(c) -. f *. m.(col).(c) done;
        x.(r) <- x.(r) -. f *. x.(col)
      end
    done
  done;
  for r = n - 1 downto 0 do
    for c = r + 1 to n - 1 do x.(r) <- x.(r) -. m.(r).(c) *. x.(c) done;
    x.(r) <- x.(r) /. m.(r).(r)
  done;
  x

let residual a x b =
  let worst = ref 0. in
  Array.iteri (fun i row ->
      let s = ref 0. in
      Array.iteri (fun j v -> s := !s +. v *. x.(j)) row;
      worst := Float.max !worst (Float.abs (!s -. b.(i)))) a;
  !worst

let inverse a =
  let n = Array.length a in
  let cols = Array.init n (fun j -> solve a (Array.init n (fun i -> if i = j then 1. else 0.))) in
  Array.init n (fun i -> Array.init n (fun j -> cols.(j).(i)))

let () =
  let a = [| [| 2.; 1.; -1. |]; [| -3.; -1.; 2. |]; [| -2.; 1.; 2. |] |] in
  let b = [| 8.; -11.; -3. |] in
  let x = solve a b in
  Array.iteri (fun i v -> Printf.printf "x%d = %.6f\n" i v) x;
  Printf.printf "residual below 1e-9: %b\n" (residual a x b < 1e-9);
  Array.iter (fun row -> Array.iter (Printf.printf "%8.3f") row; print_newline ()) (inverse a);
  (match solve [| [| 1.; 2. |]; [| 2.; 4. |] |] [| 1.; 2. |] with
   | _ -> print_endline "solved?"
   | exception Singular c -> Printf.printf "singular at column %d\n" c);
  let n = 12 in
  let h = Array.init n (fun i -> Array.init n (fun j -> if i = j then 4. else 1. /. float (i + j + 1))) in
  let y = solve h (Array.make n 1.) in
  Printf.printf "sum %.6f\n" (Array.fold_left ( +. ) 0. y)
