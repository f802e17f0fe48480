(* Descriptive statistics, linear regression, histogram, percentiles over float lists. *)

let data = [ 23.1; 19.8; 30.2; 25.5; 18.0; 22.2; 27.9; 21.4; 24.6; 35.0; 20.1; 26.3 ]

let sum = List.fold_left ( +. ) 0.
let mean l = sum l /. float (List.length l)
let variance l = let m = mean l in sum (List.map (fun x -> (x -. m) ** 2.) l) /. float (List.length l - 1)
let stddev l = sqrt (variance l)

let percentile p l =
  let a = Array.of_list l in
  Array.sort compare a;
  let pos = p /. 100. *. float (Array.length a - 1) in
  let i = int_of_float (floor pos) in
  let f = pos -. floor pos in
  if i + 1 < Array.length a then a.(i) *. (1. -. f) +. a.(i + 1) *. f else a.(i)

let median = percentile 50.

let kahan l =
  let rec go s c = function
    | [] -> s
    | x :: r ->
      let y = x -. c in
      let t = s +. y in
      go t (t -. s -. y) r in
  go 0. 0. l

let regression pts =
  let n = float (List.length pts) in
  let sx, sy, sxy, sxx =
    List.fold_left (fun (a, b, c, d) (x, y) -> (a +. x, b +. y, c +. x *. y, d +. x *. x))
      (0., 0., 0., 0.) pts in
  let slope = (n *. sxy -. sx *. sy) /. (n *. sxx -. sx *. sx) in
  (slope, (sy -. slope *. sx) /. n)

let histogram ~bins l =
  let lo = List.fold_left min infinity l and hi = List.fold_left max neg_infinity l in
  let counts = Array.make bins 0 in
  List.iter (fun x ->
      let b = min (bins - 1) (int_of_float (float bins *. (x -. lo) /. (hi -. lo))) in
      counts.(b) <- counts.(b) + 1) l;
  Array.iteri (fun i c ->
      let from = lo +. (hi -. lo) *. float i /. float bins in
      Printf.printf "%6.2f | %-8s %d\n" from (String.make c '=') c) counts

let () =
  Printf.printf "n=%d mean=%.4f sd=%.4f var=%g\n" (List.length data) (mean data) (stddev data) (variance data);
  Printf.printf "median=%g p10=%.3f p90=%.3f\n" (median data) (percentile 10. data) (percentile 90. data);
  histogram ~bins:5 data;
  let slope, icept = regression (List.mapi (fun i y -> (float i, y)) data) in
  Printf.printf "y = %.5fx + %.5f\n" slope icept;
  let tricky = List.concat (List.init 100 (fun _ -> [ 1e10; 0.001; -1e10 ])) in
  Printf.printf "naive %.6f, kahan %.6f\n" (sum tricky) (kahan tricky);
  Printf.printf "empty mean: %f\n" (mean [])
