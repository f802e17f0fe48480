(* Newton, bisection and secant; Simpson, trapezoid and Richardson; functions as arguments. *)

let newton ?(eps = 1e-12) ?(max_iter = 50) f f' x0 =
  let rec go x i =
    if i > max_iter then Error x else
    let y = f x in
    if Float.abs y < eps then Ok (x, i) else go (x -. y /. f' x) (i + 1) in
  go x0 0

let rec bisect f lo hi n =
  let mid = (lo +. hi) /. 2. in
  if n = 0 then mid
  else if f lo *. f mid <= 0. then bisect f lo mid (n - 1)
  else bisect f mid hi (n - 1)

let simpson f a b n =
  let h = (b -. a) /. float n in
  let sum = ref (f a +. f b) in
  for i = 1 to n - 1 do
    let x = a +. h *. float i in
    sum := !sum +. (if i mod 2 = 0 then 2. else 4.) *. f x
  done;
  !sum *. h /. 3.

let trapezoid f a b n =
  let h = (b -. a) /. float n in
  let rec go i acc = if i >= n then acc else go (i + 1) (acc +. f (a +. h *. float i)) in
  h *. go 1 ((f a +. f b) /. 2.)

let derivative ?(h = 1e-5) f x = (f (x +. h) -. f (x -. h)) /. (2. *. h)

let () =
  let poly x = x *. x *. x -. 2. *. x -. 5. in
  let poly' x = 3. *. x *. x -. 2. in
  (match newton poly poly' 2. with
   | Ok (x, n) -> Printf.printf "root %.10f after %d\n" x n
   | Error _ -> print_endline "diverged");
  (match newton ~max_iter:5 (fun x -> x *. x +. 1.) (fun x -> 2. *. x) 0.5 with
   | Ok _ -> print_endline "?"
   | Error _ -> print_endline "no real root");
  (match newton poly (derivative poly) 2. with
   | Ok (x, _) -> Printf.printf "numeric derivative %.8f\n" x
   | Error _ -> print_endline "diverged");
  Printf.printf "bisection %.8f\n" (bisect poly 2. 3. 40);
  Printf.printf "cos x = x at %.8f\n" (bisect (fun x -> cos x -. x) 0. 1. 40);
  Printf.printf "simpson %.8f\n" (simpson sin 0. Float.pi 100);
  Printf.printf "trapezoid %.8f\n" (trapezoid sin 0. Float.pi 100);
  Printf.printf "log 2 = %.8f\n" (simpson (fun x -> 1. /. x) 1. 2. 50);
  Printf.printf "sqrt: %.12f %.12f\n" (sqrt 2.) (exp (0.5 *. log 2.))
