(* Programs as users write them: each gradient is compared with central differences.
   covers: K10, K12 *)

let ok = ref 0

let central f x i =
  let h = 1e-5 *. (1.0 +. abs_float x.(i)) in
  let at d = f (Array.mapi (fun j v -> if i = j then v +. d else v) x) in
  ((8.0 *. (at h -. at (-.h))) -. (at (2.0 *. h) -. at (-2.0 *. h))) /. (12.0 *. h)

let check name f g x =
  let g = g x in
  Array.iteri
    (fun i v ->
      let d = central f x i in
      if abs_float (v -. d) > 1e-7 *. (1.0 +. abs_float d) then
        Printf.printf "%s: input %d: %.12g, differences %.12g\n" name i v d
      else incr ok)
    g

let seed = ref 2024

let random () =
  seed := ((!seed * 1103515245) + 12345) land 0x3FFFFFFF;
  float !seed /. float 0x3FFFFFFF

(* 1. Adam on Rosenbrock's valley. *)
let rosenbrock x =
  let sum = ref 0.0 in
  for i = 0 to Array.length x - 2 do
    let a = 1.0 -. x.(i) and b = x.(i + 1) -. (x.(i) *. x.(i)) in
    sum := !sum +. (a *. a) +. (100.0 *. b *. b)
  done;
  !sum

type adam = { mutable step : int; m : float array; v : float array }

let adam f x steps =
  let n = Array.length x in
  let it = { step = 0; m = Array.make n 0.0; v = Array.make n 0.0 } in
  let x = Array.copy x in
  for _ = 1 to steps do
    it.step <- it.step + 1;
    let g = Ad.gradient f x in
    Array.iteri
      (fun i g ->
        it.m.(i) <- (0.9 *. it.m.(i)) +. (0.1 *. g);
        it.v.(i) <- (0.999 *. it.v.(i)) +. (0.001 *. g *. g);
        let m = it.m.(i) /. (1.0 -. (0.9 ** float it.step)) in
        let v = it.v.(i) /. (1.0 -. (0.999 ** float it.step)) in
        x.(i) <- x.(i) -. (0.02 *. m /. (sqrt v +. 1e-8)))
      g
  done;
  x

(* 2. Poisson regression over a list of records. *)
type row = { features : float array; count : int }

let rows =
  List.init 30 (fun i ->
      let features = [| 1.0; random (); random () |] in
      { features; count = i mod 4 })

let poisson w =
  List.fold_left
    (fun total { features; count } ->
      let eta = ref 0.0 in
      Array.iteri (fun i x -> eta := !eta +. (x *. w.(i))) features;
      total +. exp !eta -. (float count *. !eta))
    0.0 rows

(* 3. The log-likelihood of a Gaussian process: Cholesky in place. *)
let points = Array.init 6 (fun i -> float i *. 0.4)
let values = Array.map (fun x -> sin x +. (0.1 *. (random () -. 0.5))) points

let gaussian_process p =
  let n = Array.length points in
  let scale = exp p.(0) and length = exp p.(1) and noise = exp p.(2) in
  let a =
    Array.init n (fun i ->
        Array.init n (fun j ->
            let d = (points.(i) -. points.(j)) /. length in
            (scale *. exp (-0.5 *. d *. d)) +. if i = j then noise else 0.0))
  in
  for j = 0 to n - 1 do
    for k = 0 to j - 1 do
      for i = j to n - 1 do
        a.(i).(j) <- a.(i).(j) -. (a.(i).(k) *. a.(j).(k))
      done
    done;
    let root = sqrt a.(j).(j) in
    for i = j to n - 1 do
      a.(i).(j) <- a.(i).(j) /. root
    done
  done;
  let z = Array.make n 0.0 in
  let log_det = ref 0.0 in
  for i = 0 to n - 1 do
    let sum = ref values.(i) in
    for j = 0 to i - 1 do
      sum := !sum -. (a.(i).(j) *. z.(j))
    done;
    z.(i) <- !sum /. a.(i).(i);
    log_det := !log_det +. log a.(i).(i)
  done;
  Array.fold_left (fun t z -> t +. (0.5 *. z *. z)) !log_det z

(* 4. A root by Newton's method, as a function of its parameters. *)
let root p =
  let rec go n x =
    let value = (x *. x *. x) +. (p.(0) *. x) -. p.(1) in
    let slope = (3.0 *. x *. x) +. p.(0) in
    if n = 0 || abs_float value < 1e-14 then x else go (n - 1) (x -. (value /. slope))
  in
  (* One step more than the value needs: the derivative of a step at the root is exact. *)
  let x = go 40 1.0 in
  x -. (((x *. x *. x) +. (p.(0) *. x) -. p.(1)) /. ((3.0 *. x *. x) +. p.(0)))

(* 5. Planets: the energy after some steps of leapfrog. *)
type body = { mass : float; px : float; py : float; vx : float; vy : float }

let accelerate bodies =
  Array.map
    (fun b ->
      let ax = ref 0.0 and ay = ref 0.0 in
      Array.iter
        (fun o ->
          let dx = o.px -. b.px and dy = o.py -. b.py in
          let d = (dx *. dx) +. (dy *. dy) +. 0.01 in
          let by = o.mass /. (d *. sqrt d) in
          ax := !ax +. (by *. dx);
          ay := !ay +. (by *. dy))
        bodies;
      (!ax, !ay))
    bodies

let orbit p =
  let bodies =
    ref
      [|
        { mass = 1.0; px = 0.0; py = 0.0; vx = 0.0; vy = 0.0 };
        { mass = p.(2); px = 1.0; py = 0.0; vx = p.(0); vy = p.(1) };
      |]
  in
  for _ = 1 to 20 do
    let a = accelerate !bodies in
    bodies :=
      Array.mapi
        (fun i b ->
          let ax, ay = a.(i) in
          let vx = b.vx +. (0.05 *. ax) and vy = b.vy +. (0.05 *. ay) in
          { b with vx; vy; px = b.px +. (0.05 *. vx); py = b.py +. (0.05 *. vy) })
        !bodies
  done;
  let last = !bodies.(1) in
  (last.px *. last.px) +. (2.0 *. last.py)

(* 6. A network whose layers stand in a list, and whose activations are functions in a list. *)
let network sizes activations w input =
  let at = ref 0 in
  let layer activation x rows =
    Array.init rows (fun _ ->
        let sum = ref w.(!at) in
        incr at;
        Array.iter
          (fun x ->
            sum := !sum +. (w.(!at) *. x);
            incr at)
          x;
        activation !sum)
  in
  (List.fold_left2 (fun x rows activation -> layer activation x rows) input sizes activations).(0)

let softplus x = log (1.0 +. exp x)
let deep w = network [ 3; 2; 1 ] [ tanh; softplus; (fun x -> x) ] w [| 0.5; -0.3 |] ** 2.0

(* 7. Expressions as data, evaluated by recursion. *)
type expr = Const of float | Param of int | Add of expr * expr | Mul of expr * expr | Sin of expr

let rec eval p = function
  | Const c -> c
  | Param i -> p.(i)
  | Add (a, b) -> eval p a +. eval p b
  | Mul (a, b) -> eval p a *. eval p b
  | Sin a -> sin (eval p a)

let formula = Add (Mul (Param 0, Sin (Mul (Param 1, Const 2.0))), Mul (Param 1, Param 1))
let by_formula p = eval p formula

(* 8. A line search that gives up by an exception. *)
exception Found of float

let first_below p =
  try
    let x = ref p.(0) in
    for i = 1 to 100 do
      x := !x *. p.(1);
      if !x < 0.1 then raise (Found (!x *. float i))
    done;
    !x
  with Found x -> x *. p.(0)

(* 9. Splines: a tridiagonal system is solved in place. *)
let spline y =
  let n = Array.length y in
  let diagonal = Array.make n 4.0 and right = Array.map (fun v -> 6.0 *. v) y in
  for i = 1 to n - 1 do
    let by = 1.0 /. diagonal.(i - 1) in
    diagonal.(i) <- diagonal.(i) -. by;
    right.(i) <- right.(i) -. (by *. right.(i - 1))
  done;
  let c = Array.make n 0.0 in
  for i = n - 1 downto 0 do
    let next = if i < n - 1 then c.(i + 1) else 0.0 in
    c.(i) <- (right.(i) -. next) /. diagonal.(i)
  done;
  Array.fold_left (fun t v -> t +. (v *. v)) 0.0 c

(* 10. Hamiltonian Monte Carlo: the gradient of a density that is a closure. *)
let hamiltonian density x steps =
  let momentum = ref (Array.map (fun _ -> random () -. 0.5) x) and at = ref x in
  for _ = 1 to steps do
    let g = Ad.gradient density !at in
    momentum := Array.mapi (fun i p -> p +. (0.05 *. g.(i))) !momentum;
    at := Array.mapi (fun i v -> v +. (0.1 *. !momentum.(i))) !at
  done;
  !at

(* 11. A sum over a tree. *)
type tree = Leaf of float | Node of tree * float * tree

let rec build depth p k =
  if depth = 0 then Leaf (sin (p.(0) *. float k))
  else Node (build (depth - 1) p (2 * k), p.(1) *. float k, build (depth - 1) p ((2 * k) + 1))

let rec total = function Leaf v -> v | Node (l, v, r) -> (total l *. 0.5) +. v +. (total r *. 0.25)
let tree p = total (build 3 p 1)

let () =
  check "rosenbrock" rosenbrock (Ad.gradient rosenbrock) [| -0.5; 0.7; 1.3 |];
  let best = adam rosenbrock [| -0.5; 0.7 |] 4000 in
  Printf.printf "adam: %.3f %.3f\n" best.(0) best.(1);
  check "poisson" poisson (Ad.gradient poisson) [| 0.1; 0.2; -0.3 |];
  check "gaussian process" gaussian_process (Ad.gradient gaussian_process) [| 0.1; -0.2; -2.0 |];
  check "root" root (Ad.gradient root) [| 0.7; 2.0 |];
  check "orbit" orbit (Ad.gradient orbit) [| 0.1; 0.9; 0.2 |];
  check "deep" deep (Ad.gradient deep) (Array.init 20 (fun i -> cos (float i)));
  check "formula" by_formula (Ad.gradient by_formula) [| 0.4; 1.2 |];
  check "exception" first_below (Ad.gradient first_below) [| 2.0; 0.6 |];
  check "spline" spline (Ad.gradient spline) [| 1.0; 3.0; 2.0; 5.0 |];
  let mean = [| 1.0; -2.0 |] in
  let density x =
    let d0 = x.(0) -. mean.(0) and d1 = x.(1) -. mean.(1) in
    -0.5 *. ((d0 *. d0) +. (2.0 *. d1 *. d1) +. (d0 *. d1))
  in
  check "density" density (Ad.gradient density) [| 0.3; 0.4 |];
  let final = hamiltonian density [| 0.0; 0.0 |] 50 in
  Printf.printf "hamiltonian: %b\n" (abs_float final.(0) < 10.0);
  check "tree" tree (Ad.gradient tree) [| 0.3; 0.8 |];
  Printf.printf "%d derivatives agree\n" !ok
