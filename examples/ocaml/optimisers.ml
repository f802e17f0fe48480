(* Optimisers that take the function as a closure: Newton's method with exact second derivatives, and L-BFGS with exact
   gradients, both on Rosenbrock's valley. *)

let rosenbrock a x =
  let total = ref 0.0 in
  for i = 0 to Array.length x - 2 do
    let u = 1.0 -. x.(i) and v = x.(i + 1) -. (x.(i) *. x.(i)) in
    total := !total +. (u *. u) +. (a *. v *. v)
  done;
  !total

let norm x = sqrt (Ad.dot x x)
let along x t d = Array.map2 (fun x d -> x +. (t *. d)) x d

(* Gaussian elimination with pivots. *)
let solve matrix right =
  let n = Array.length right in
  let a = Array.map Array.copy matrix and b = Array.copy right in
  for k = 0 to n - 1 do
    let pivot = ref k in
    for i = k + 1 to n - 1 do
      if abs_float a.(i).(k) > abs_float a.(!pivot).(k) then pivot := i
    done;
    let row = a.(k) and value = b.(k) in
    a.(k) <- a.(!pivot);
    a.(!pivot) <- row;
    b.(k) <- b.(!pivot);
    b.(!pivot) <- value;
    for i = k + 1 to n - 1 do
      let factor = a.(i).(k) /. a.(k).(k) in
      for j = k to n - 1 do
        a.(i).(j) <- a.(i).(j) -. (factor *. a.(k).(j))
      done;
      b.(i) <- b.(i) -. (factor *. b.(k))
    done
  done;
  for k = n - 1 downto 0 do
    for j = k + 1 to n - 1 do
      b.(k) <- b.(k) -. (a.(k).(j) *. b.(j))
    done;
    b.(k) <- b.(k) /. a.(k).(k)
  done;
  b

(* Halves the step until the value falls enough, or doubles it as long as the value falls. *)
let line_search f x value slope d =
  let at t = f (along x t d) in
  let enough t = at t <= value +. (1e-4 *. t *. slope) in
  let rec shorter t = if t < 1e-12 || enough t then t else shorter (t /. 2.0) in
  let rec longer t = if t < 1e6 && enough (2.0 *. t) && at (2.0 *. t) < at t then longer (2.0 *. t) else t in
  if enough 1.0 then longer 1.0 else shorter 0.5

let newton f start =
  let rec go rounds x =
    let value, g = Ad.value_and_gradient f x in
    if norm g < 1e-9 || rounds = 200 then (x, rounds)
    else begin
      let d = Array.map (fun v -> -.v) (solve (Ad.hessian f x) g) in
      (* Not downhill: follow the gradient. *)
      let d = if Ad.dot g d < 0.0 then d else Array.map (fun v -> -.v) g in
      go (rounds + 1) (along x (line_search f x value (Ad.dot g d) d) d)
    end
  in
  go 0 start

let lbfgs memory f start =
  let rec take n = function x :: rest when n > 0 -> x :: take (n - 1) rest | _ -> [] in
  (* The product of the approximate inverse Hessian with the gradient, by two loops over the pairs. *)
  let direction pairs g =
    let rec down q = function
      | [] -> (
          match pairs with
          | (s, y) :: _ ->
              let scale = Ad.dot s y /. Ad.dot y y in
              Array.map (fun v -> scale *. v) q
          | [] -> q)
      | (s, y) :: rest ->
          let alpha = Ad.dot s q /. Ad.dot s y in
          let r = down (along q (-.alpha) y) rest in
          let beta = Ad.dot y r /. Ad.dot s y in
          along r (alpha -. beta) s
    in
    Array.map (fun v -> -.v) (down g pairs)
  in
  let rec go rounds pairs x value g =
    if norm g < 1e-8 || rounds = 500 then (x, rounds)
    else begin
      let d = direction pairs g in
      let pairs, d = if Ad.dot g d < 0.0 then (pairs, d) else ([], Array.map (fun v -> -.v) g) in
      let next = along x (line_search f x value (Ad.dot g d) d) d in
      let next_value, next_g = Ad.value_and_gradient f next in
      let s = along next (-1.0) x and y = along next_g (-1.0) g in
      let pairs = if Ad.dot s y > 1e-9 *. norm s *. norm y then take memory ((s, y) :: pairs) else pairs in
      go (rounds + 1) pairs next next_value next_g
    end
  in
  let value, g = Ad.value_and_gradient f start in
  go 0 [] start value g

let () =
  let report name (x, rounds) limit =
    let off = Array.fold_left (fun worst v -> max worst (abs_float (v -. 1.0))) 0.0 x in
    Printf.printf "%s: %s, %s\n" name
      (if off < 1e-6 then "at the minimum" else Printf.sprintf "off by %g" off)
      (if rounds < limit then Printf.sprintf "in fewer than %d rounds" limit else Printf.sprintf "%d rounds" rounds)
  in
  let steep = 100.0 in
  report "Newton, 2 dimensions" (newton (fun x -> rosenbrock steep x) [| -1.2; 1.0 |]) 30;
  report "Newton, 6 dimensions" (newton (rosenbrock steep) (Array.make 6 (-0.5))) 60;
  report "L-BFGS, 2 dimensions" (lbfgs 8 (fun x -> rosenbrock steep x) [| -1.2; 1.0 |]) 60;
  report "L-BFGS, 20 dimensions" (lbfgs 8 (rosenbrock steep) (Array.init 20 (fun i -> if i mod 2 = 0 then -1.2 else 1.0))) 300
