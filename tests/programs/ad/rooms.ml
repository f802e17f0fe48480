(* Loops in loops whose way back needs values of each round: room for them is made before the outermost loop where
   all bounds are known there, else as they come.
   covers: K10 *)

let ok = ref 0

let agree name f x =
  let by_code = Ad.gradient f x and forward = Ad.forward_gradient f x in
  Array.iteri
    (fun i g ->
      if abs_float (g -. forward.(i)) > 1e-9 *. (1.0 +. abs_float g) then
        Printf.printf "%s: input %d: %.15g, forward %.15g\n" name i g forward.(i)
      else incr ok)
    by_code

let x = [| 0.3; -0.2; 0.5 |]

(* All bounds known, the inner ones constant, from outside, and of a variable before the loops. *)
let flat n x =
  let m = (2 * n) + 1 in
  let s = ref x.(0) in
  for i = 1 to n do
    s := sin (!s +. x.(1));
    for _ = 1 to 4 do
      s := tanh (!s *. x.(2)) +. (0.1 *. float i);
      for j = m downto 3 do
        s := cos !s +. (x.(0) *. float j)
      done
    done;
    for _ = 0 to n - 1 do
      s := exp (-.(!s *. !s))
    done
  done;
  !s

(* Bounds of the inner loop change from round to round. *)
let triangle n x =
  let s = ref x.(1) in
  for i = 0 to n do
    for j = i to n do
      s := sin (!s +. (x.(0) *. float (i * j))) *. x.(2)
    done;
    s := tanh (!s +. x.(0))
  done;
  !s

(* A loop in a branch, and one that ends early. *)
let rare n x =
  let s = ref x.(0) in
  for i = 1 to n do
    if i mod 3 = 0 then
      for _ = 1 to 5 do
        s := sin (!s *. x.(1)) +. x.(2)
      done
    else s := exp (!s *. 0.1);
    let k = ref 0 in
    while !k < i && !s > -0.9 do
      s := sin (!s -. x.(0));
      incr k
    done
  done;
  !s

(* Arrays that change are kept, too. *)
let cells n x =
  let a = Array.map sin x in
  for _ = 1 to n do
    for i = 0 to Array.length x - 1 do
      a.(i) <- a.(i) *. a.((i + 1) mod Array.length x) +. exp (-.x.(i))
    done
  done;
  a.(0) +. a.(1) +. a.(2)

(* Two inner loops without rounds: both counts are negative. *)
let empty n x =
  let s = ref x.(0) in
  for _ = 1 to -n do
    for _ = 1 to -n do
      s := sin !s
    done
  done;
  for _ = 1 to n do
    s := sin (!s *. x.(1));
    for _ = 5 to 5 - n do
      s := exp !s
    done
  done;
  !s

let () =
  for n = 0 to 7 do
    agree "flat" (flat n) x;
    agree "triangle" (triangle n) x;
    agree "rare" (rare n) x;
    agree "cells" (cells n) x;
    agree "empty" (empty n) x
  done;
  Printf.printf "%d derivatives agree\n" !ok
