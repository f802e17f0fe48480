(* A few million float and int operations in tight loops with refs and arrays. *)

let () =
  let pi = ref 0. and sign = ref 1. in
  for k = 0 to 1_000_000 do
    pi := !pi +. !sign /. float_of_int ((2 * k) + 1);
    sign := -. !sign
  done;
  Printf.printf "%.5f\n" (4. *. !pi);
  let n = 200_000 in
  let a = Array.init n (fun i -> (i * 7919) mod 10007) in
  let s = ref 0 in
  for r = 1 to 5 do
    for i = 0 to n - 1 do s := (!s + (a.(i) * r)) land 0xFFFFFFF done
  done;
  Printf.printf "%d\n" !s;
  let x = ref 0.5 in
  for _ = 1 to 500_000 do x := 3.7 *. !x *. (1. -. !x) done;
  Printf.printf "%b\n" (!x > 0. && !x < 1.)
