(* A loop in continuation-passing style. rounds: 100000, full: 100000000 *)
let rec sum_to n acc k = if n = 0 then k acc else sum_to (n - 1) ((acc + n) mod 1000003) (fun r -> k (r + 1))

let rec loop n acc k =
  if n = 0 then k acc else sum_to 100 acc (fun r -> loop (n - 100) (r mod 1000003) k)

let () = loop (int_of_string Sys.argv.(1)) 0 (fun r -> Printf.printf "%d\n" r)
