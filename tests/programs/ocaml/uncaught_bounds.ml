(* Uncaught Invalid_argument from an array access out of bounds: exit code 2. *)

let a = Array.init 5 (fun i -> i * i)

let () =
  let sum = ref 0 in
  for i = 0 to 5 do
    sum := !sum + a.(i);
    Printf.printf "%d -> %d\n" i !sum
  done
