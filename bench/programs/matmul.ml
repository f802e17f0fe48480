(* Matrices as arrays of rows. *)

let make n seed =
  Array.init n (fun i ->
      Array.init n (fun j -> float_of_int (((i * 7) + (j * 3) + seed) mod 10) /. 10.0))

let multiply n a b c =
  for i = 0 to n - 1 do
    let row = a.(i) and out = c.(i) in
    for k = 0 to n - 1 do
      let factor = row.(k) and other = b.(k) in
      for j = 0 to n - 1 do
        out.(j) <- out.(j) +. (factor *. other.(j))
      done
    done
  done

let () =
  let n = 500 in
  let a = make n 1 and b = make n 2 in
  let c = Array.make_matrix n n 0.0 in
  for _ = 1 to 18 do
    multiply n a b c
  done;
  let trace = ref 0.0 in
  for i = 0 to n - 1 do
    trace := !trace +. c.(i).(i)
  done;
  Printf.printf "%.3f\n" !trace
