(* Floats in loops, without memory. *)

let iterations cr ci limit =
  let rec go zr zi n =
    if n >= limit then n
    else
      let zr2 = zr *. zr and zi2 = zi *. zi in
      if zr2 +. zi2 > 4.0 then n
      else go (zr2 -. zi2 +. cr) ((2.0 *. zr *. zi) +. ci) (n + 1)
  in
  go 0.0 0.0 0

let () =
  let size = 1200 in
  let total = ref 0 in
  for row = 0 to size - 1 do
    let ci = (2.0 *. float_of_int row /. float_of_int size) -. 1.0 in
    for column = 0 to size - 1 do
      let cr = (3.0 *. float_of_int column /. float_of_int size) -. 2.0 in
      total := !total + iterations cr ci 1000
    done
  done;
  Printf.printf "%d\n" !total
