(* k-means over points that are records of two floats. *)

type point = { x : float; y : float }

let square d = d *. d
let distance a b = square (a.x -. b.x) +. square (a.y -. b.y)

let nearest centers p =
  let rec go i best d =
    if i = Array.length centers then best
    else
      let e = distance p centers.(i) in
      if e < d then go (i + 1) i e else go (i + 1) best d
  in
  go 0 0 infinity

let step points centers =
  let k = Array.length centers in
  let sums = Array.make k { x = 0.0; y = 0.0 } and counts = Array.make k 0 in
  Array.iter
    (fun p ->
      let i = nearest centers p in
      let s = sums.(i) in
      sums.(i) <- { x = s.x +. p.x; y = s.y +. p.y };
      counts.(i) <- counts.(i) + 1)
    points;
  Array.mapi
    (fun i s ->
      let n = float_of_int counts.(i) in
      if counts.(i) = 0 then centers.(i) else { x = s.x /. n; y = s.y /. n })
    sums

let seed = ref 3
let random () =
  seed := ((!seed * 1103515245) + 12345) land 0x3fffffff;
  float_of_int (!seed lsr 8) /. 4194304.0

let () =
  let points = Array.init 100_000 (fun _ -> let x = random () in { x; y = random () }) in
  let rec loop n centers = if n = 0 then centers else loop (n - 1) (step points centers) in
  let centers = loop 30 (Array.sub points 0 16) in
  let s = Array.fold_left (fun s c -> s +. c.x +. (2.0 *. c.y)) 0.0 centers in
  Printf.printf "%.6f\n" s
