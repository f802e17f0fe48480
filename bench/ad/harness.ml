(* What the models share: numbers to start with, and the loop that is timed.
   usage of each model: MODEL (primal|gradient|derivative) ROUNDS *)

let seed = ref 12345

let random () =
  seed := ((!seed * 1103515245) + 12345) land 0x3FFFFFFF;
  (float !seed /. float 0x3FFFFFFF) -. 0.5

(* Each round moves the first parameter a little, so that no round can be left out. *)
let run ?(derivative = fun _ -> 0.0) ~primal ~gradient w =
  let rounds = int_of_string Sys.argv.(2) in
  let n = Array.length w in
  let check = ref 0.0 in
  (match Sys.argv.(1) with
  | "primal" ->
      for _ = 1 to rounds do
        w.(0) <- w.(0) +. 1e-6;
        check := !check +. primal w
      done
  | "derivative" ->
      for _ = 1 to rounds do
        w.(0) <- w.(0) +. 1e-6;
        check := !check +. derivative w.(0)
      done
  | _ ->
      for i = 1 to rounds do
        w.(0) <- w.(0) +. 1e-6;
        let g = gradient w in
        check := !check +. g.(i mod n)
      done);
  Printf.printf "%.10g\n" !check
