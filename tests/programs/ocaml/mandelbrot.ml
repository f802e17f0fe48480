(* A text Mandelbrot set with float loops and early exit. *)

let palette = " .:-=+*#%@"

let escape cx cy limit =
  let rec go x y i =
    if i >= limit then limit
    else
      let x2 = x *. x and y2 = y *. y in
      if x2 +. y2 > 4.0 then i else go (x2 -. y2 +. cx) (2.0 *. x *. y +. cy) (i + 1) in
  go 0.0 0.0 0

let () =
  let w = 64 and h = 24 and limit = 60 in
  let area = ref 0 in
  for r = 0 to h - 1 do
    for c = 0 to w - 1 do
      let cx = -2.2 +. 3.2 *. float c /. float w in
      let cy = -1.2 +. 2.4 *. float r /. float h in
      let n = escape cx cy limit in
      if n = limit then incr area;
      print_char palette.[if n = limit then 9 else min 8 (n / 2)]
    done;
    print_char '\n'
  done;
  Printf.printf "%d points inside\n" !area
