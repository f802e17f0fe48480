(* Training by gradients: as code, by the tape, and with a tape so long that it is given back. rounds: 400 *)

let data = Array.init 40 (fun i -> float (i mod 7) /. 7.0)

let loss w =
  let total = ref 0.0 in
  Array.iter
    (fun x ->
      let layer = Array.init 4 (fun j -> tanh (w.(j) *. x)) in
      let error = Array.fold_left ( +. ) w.(4) layer -. (x *. x) in
      total := !total +. (error *. error))
    data;
  !total

let unknown = List.nth [ (fun _ -> 0.0); loss ] 1
let long w = let x = ref w.(0) in for _ = 1 to 40000 do x := sin !x +. w.(1) done; !x
let unknown_long = List.nth [ (fun _ -> 0.0); long ] 1

let () =
  let w = Array.init 5 (fun i -> 0.1 *. float i) in
  let rounds = int_of_string Sys.argv.(1) in
  for i = 1 to rounds do
    let step = if i mod 2 = 0 then Ad.gradient loss w else Ad.gradient unknown w in
    Array.iteri (fun j g -> w.(j) <- w.(j) -. (0.001 *. g)) step;
    if i mod 100 = 0 then ignore (Ad.gradient long w, Ad.gradient unknown_long w)
  done;
  Printf.printf "%.6f\n" (loss w)
