(* A long loop with twenty states kept: memory does not grow with its steps. rounds: 20000 *)

let () =
  let steps = int_of_string Sys.argv.(1) in
  let step _ p s = [| s.(0) +. (0.001 *. sin (p.(0) *. s.(0))) |] in
  let value, dp, ds = Ad.checkpointed (Ad.Binomial 20) steps step (fun _ s -> s.(0)) [| 0.3 |] [| 1.0 |] in
  Printf.printf "%.6f %.6f %.6f\n" value dp.(0) ds.(0)
