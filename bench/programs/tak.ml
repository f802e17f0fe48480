(* Takeuchi's function, curried: calls with several arguments. *)

let rec tak x y z =
  if y >= x then z
  else tak (tak (x - 1) y z) (tak (y - 1) z x) (tak (z - 1) x y)

let () =
  let sum = ref 0 in
  for i = 0 to 399 do
    sum := !sum + tak (24 + (i land 1)) 16 8
  done;
  Printf.printf "%d\n" !sum
