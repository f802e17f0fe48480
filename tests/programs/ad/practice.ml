(* Programs as they are written in practice: physics, numerical methods, optimisers. The expected numbers are those of
   central differences of order eight, computed by another compiler.
   covers: K10, K11, K12 *)

let show name values =
  Printf.printf "%s:" name;
  Array.iter (fun v -> Printf.printf " %.6g" (if abs_float v < 1e-9 then 0.0 else v)) values;
  print_newline ()

let rows name m = Array.iteri (fun i row -> show (Printf.sprintf "%s %d" name i) row) m

(* 1. A pendulum by Runge and Kutta: the angle after a while, by length, damping and start. *)
type state = { angle : float; speed : float }

let rk4 f h s =
  let add s k h = { angle = s.angle +. (h *. k.angle); speed = s.speed +. (h *. k.speed) } in
  let k1 = f s in
  let k2 = f (add s k1 (h /. 2.0)) in
  let k3 = f (add s k2 (h /. 2.0)) in
  let k4 = f (add s k3 h) in
  {
    angle = s.angle +. (h /. 6.0 *. (k1.angle +. (2.0 *. k2.angle) +. (2.0 *. k3.angle) +. k4.angle));
    speed = s.speed +. (h /. 6.0 *. (k1.speed +. (2.0 *. k2.speed) +. (2.0 *. k3.speed) +. k4.speed));
  }

let pendulum p =
  let field s = { angle = s.speed; speed = -.(9.81 /. p.(0) *. sin s.angle) -. (p.(1) *. s.speed) } in
  let rec go n s = if n = 0 then s.angle else go (n - 1) (rk4 field 0.02 s) in
  go 50 { angle = p.(2); speed = 0.0 }

let () = show "pendulum" (Ad.gradient pendulum [| 1.2; 0.1; 0.8 |])

(* 2. Step size by error: a while loop whose number of rounds depends on the numbers (held back where it does not). *)
let adaptive p =
  let t = ref 0.0 and y = ref p.(0) and h = ref 0.1 in
  let f y = (p.(1) *. y) -. (p.(2) *. y *. y) in
  while !t < 1.0 -. 1e-12 do
    let k1 = f !y in
    let k2 = f (!y +. (!h *. k1)) in
    let error = abs_float (!h *. (k2 -. k1) /. 2.0) in
    if error > 0.05 then h := !h /. 2.0
    else begin
      y := !y +. (!h *. (k1 +. k2) /. 2.0);
      t := !t +. !h;
      if !t +. !h > 1.0 then h := 1.0 -. !t
    end
  done;
  !y

let () = show "adaptive" (Ad.gradient adaptive [| 0.3; 1.5; 0.7 |])

(* 3. A natural cubic spline: tridiagonal solve in place. *)
let spline ys x =
  let n = Array.length ys in
  let m = Array.make n 0.0 and c = Array.make n 0.0 in
  for i = 1 to n - 2 do
    let rhs = 6.0 *. (ys.(i + 1) -. (2.0 *. ys.(i)) +. ys.(i - 1)) in
    let by = 4.0 -. c.(i - 1) in
    c.(i) <- 1.0 /. by;
    m.(i) <- (rhs -. m.(i - 1)) /. by
  done;
  for i = n - 2 downto 1 do
    m.(i) <- m.(i) -. (c.(i) *. m.(i + 1))
  done;
  let i = min (n - 2) (int_of_float x) in
  let t = x -. float i in
  let a = 1.0 -. t in
  (a *. ys.(i)) +. (t *. ys.(i + 1))
  +. ((((a *. a *. a) -. a) *. m.(i)) +. (((t *. t *. t) -. t) *. m.(i + 1))) /. 6.0

let () =
  let ys = [| 0.0; 1.0; 0.5; -0.5; 0.25 |] in
  show "spline by values" (Ad.gradient (fun ys -> spline ys 1.7) ys);
  show "spline by place" [| Ad.derivative (spline ys) 2.3; Ad.derivative_n 2 (spline ys) 2.3 |]

(* 4. The root of a function by bisection and then by the theorem of implicit functions. *)
let root a =
  let f x = (x *. x *. x) +. x -. a in
  let rec go lo hi n =
    if n = 0 then 0.5 *. (lo +. hi)
    else
      let mid = 0.5 *. (lo +. hi) in
      if f mid > 0.0 then go lo mid (n - 1) else go mid hi (n - 1)
  in
  go 0.0 10.0 80

let implicit = Ad.custom root (fun a -> let x = root a in 1.0 /. ((3.0 *. x *. x) +. 1.0))
let () = show "implicit root" (Ad.gradient (fun p -> sin (implicit (p.(0) *. p.(1)))) [| 2.0; 1.5 |])

(* 5. Newton's method with derivatives taken inside: nested. *)
let newton f x0 =
  let rec go n x = if n = 0 then x else go (n - 1) (x -. (f x /. Ad.derivative f x)) in
  go 12 x0

let () =
  show "nested newton" [| Ad.derivative (fun a -> newton (fun x -> exp x -. (a *. x) -. 2.0) 2.0) 1.5 |]

(* 6. Gradient descent inside of a derivative: a learning rate that is learnt. *)
let descend rate =
  let loss w = ((w.(0) -. 1.0) ** 2.0) +. (3.0 *. ((w.(1) +. 0.5) ** 2.0)) +. (w.(0) *. w.(1)) in
  let w = ref [| 0.0; 0.0 |] in
  for _ = 1 to 5 do
    let g = Ad.gradient loss !w in
    w := Array.mapi (fun i v -> v -. (rate *. g.(i))) !w
  done;
  loss !w

let () = show "learning rate" [| descend 0.1; Ad.derivative descend 0.1 |]

(* 7. Kalman filter: matrices as arrays of rows. *)
let multiply a b =
  Array.init 2 (fun i -> Array.init 2 (fun j -> (a.(i).(0) *. b.(0).(j)) +. (a.(i).(1) *. b.(1).(j))))

let transpose a = Array.init 2 (fun i -> Array.init 2 (fun j -> a.(j).(i)))
let seen = [| 0.1; 0.4; 0.35; 0.9; 1.1; 1.2; 1.65 |]

let kalman p =
  let q = exp p.(0) and r = exp p.(1) in
  let f = [| [| 1.0; 0.1 |]; [| 0.0; 1.0 |] |] in
  let x = ref [| 0.0; p.(2) |] and cov = ref [| [| 1.0; 0.0 |]; [| 0.0; 1.0 |] |] in
  let total = ref 0.0 in
  Array.iter
    (fun z ->
      let x' = [| !x.(0) +. (0.1 *. !x.(1)); !x.(1) |] in
      let c = multiply (multiply f !cov) (transpose f) in
      c.(0).(0) <- c.(0).(0) +. q;
      c.(1).(1) <- c.(1).(1) +. q;
      let s = c.(0).(0) +. r in
      let e = z -. x'.(0) in
      let k0 = c.(0).(0) /. s and k1 = c.(1).(0) /. s in
      total := !total +. log s +. (e *. e /. s);
      x := [| x'.(0) +. (k0 *. e); x'.(1) +. (k1 *. e) |];
      cov :=
        [|
          [| (1.0 -. k0) *. c.(0).(0); (1.0 -. k0) *. c.(0).(1) |];
          [| c.(1).(0) -. (k1 *. c.(0).(0)); c.(1).(1) -. (k1 *. c.(0).(1)) |];
        |])
    seen;
  !total

let () = show "kalman" (Ad.gradient kalman [| -2.0; -3.0; 0.5 |])

(* 8. Hidden Markov model: the forward algorithm with log-sum-exp over lists. *)
let log_sum_exp l =
  let m = List.fold_left max neg_infinity l in
  m +. log (List.fold_left (fun s x -> s +. exp (x -. m)) 0.0 l)

let hmm p =
  let stay = log (1.0 /. (1.0 +. exp (-.p.(0)))) and leave = log (1.0 /. (1.0 +. exp p.(0))) in
  let emit s o = let d = o -. p.(1 + s) in -.(d *. d) in
  let step alpha o =
    List.mapi
      (fun s _ ->
        log_sum_exp (List.mapi (fun s' a -> a +. if s = s' then stay else leave) alpha) +. emit s o)
      alpha
  in
  let first = List.init 2 (fun s -> log 0.5 +. emit s 0.2) in
  -.log_sum_exp (List.fold_left step first [ 0.1; 0.9; 1.1; 0.3 ])

let () = show "hmm" (Ad.gradient hmm [| 0.7; 0.1; 1.0 |])

(* 9. A tree of decisions with soft gates: recursion over own data. *)
type gate = Leaf of int | Split of int * gate * gate

let rec soft w x = function
  | Leaf i -> w.(i)
  | Split (i, a, b) ->
      let g = 1.0 /. (1.0 +. exp (-.(w.(i) *. x))) in
      (g *. soft w x a) +. ((1.0 -. g) *. soft w x b)

let () =
  let tree = Split (0, Split (1, Leaf 2, Leaf 3), Leaf 4) in
  show "soft tree" (Ad.gradient (fun w -> soft w 0.7 tree) [| 0.5; -1.0; 2.0; 3.0; -1.0 |])

(* 10. Symbols: an expression with variables, evaluated in an environment of active numbers. *)
type expr =
  | Num of float
  | Var of string
  | Add of expr * expr
  | Mul of expr * expr
  | Let of string * expr * expr
  | If of expr * expr * expr
  | Call of (float -> float) * expr

let rec eval env = function
  | Num x -> x
  | Var name -> List.assoc name env
  | Add (a, b) -> eval env a +. eval env b
  | Mul (a, b) -> eval env a *. eval env b
  | Let (name, a, b) -> eval ((name, eval env a) :: env) b
  | If (c, a, b) -> if eval env c > 0.0 then eval env a else eval env b
  | Call (f, a) -> f (eval env a)

let () =
  let e =
    Let
      ( "z",
        Mul (Var "x", Add (Var "y", Num 1.0)),
        If (Var "z", Call (sin, Mul (Var "z", Var "z")), Call (exp, Var "x")) )
  in
  let f p = eval [ ("x", p.(0)); ("y", p.(1)) ] e in
  show "expr" (Ad.gradient f [| 0.5; 0.3 |]);
  show "expr other branch" (Ad.gradient f [| -0.5; 0.3 |]);
  rows "expr hessian" (Ad.hessian f [| 0.5; 0.3 |])

(* 11. Recursion without a loop: Chebyshev by both predecessors, and a continued fraction. *)
let rec chebyshev n x =
  if n = 0 then 1.0 else if n = 1 then x
  else (2.0 *. x *. chebyshev (n - 1) x) -. chebyshev (n - 2) x

let rec fraction w i = if i = Array.length w then 1.0 else w.(i) +. (1.0 /. fraction w (i + 1))

let () =
  show "chebyshev" [| Ad.derivative (chebyshev 7) 0.3; (Ad.gradient (fun p -> chebyshev 7 p.(0)) [| 0.3 |]).(0) |];
  show "fraction" (Ad.gradient (fun w -> fraction w 0) [| 1.0; 2.0; 3.0; 4.0 |]);
  rows "fraction hessian" (Ad.hessian (fun w -> fraction w 0) [| 1.0; 2.0; 3.0 |])

(* 12. Mutual recursion over numbers, which changes a reference outside. *)
let alternate p =
  let calls = ref 0.0 in
  let rec even n x =
    calls := !calls +. (0.01 *. x);
    if n = 0 then x *. p.(0) else odd (n - 1) (x *. p.(1)) +. 0.5
  and odd n x = if n = 0 then x +. p.(1) else even (n - 1) (x +. p.(0)) *. 0.9 in
  let v = even 7 p.(2) in
  v *. (1.0 +. !calls)

let () = show "alternate" (Ad.gradient alternate [| 0.4; 1.1; 0.7 |])

(* 13. Early exits by exceptions, with a number inside. *)
exception Found of float

let first_above limit w =
  try
    let sum = ref 0.0 in
    Array.iteri
      (fun i x ->
        sum := !sum +. (x *. x *. float (i + 1));
        if !sum > limit then raise (Found (!sum *. x)))
      w;
    !sum
  with Found v -> v *. 2.0

let () =
  show "exit taken" (Ad.gradient (first_above 0.6) [| 0.5; 0.6; 0.7 |]);
  show "exit not taken" (Ad.gradient (first_above 9.0) [| 0.5; 0.6; 0.7 |])

(* 14. Handlers in loops: terms that fail are replaced. *)
let guarded w =
  let total = ref 0.0 in
  for i = 0 to Array.length w - 1 do
    total :=
      !total
      +. (try if w.(i) < 0.0 then invalid_arg "negative" else sqrt w.(i)
          with Invalid_argument _ -> w.(i) *. w.(i))
  done;
  !total

let () = show "guarded" (Ad.gradient guarded [| 4.0; -3.0; 0.25; -0.5 |])

(* 15. Functions in a table, chosen by the data. *)
let table = [| sin; cos; (fun x -> x *. x); exp |]
let chosen w = Array.fold_left ( +. ) 0.0 (Array.mapi (fun i x -> table.((i * 3) mod 4) (x *. float (i + 1))) w)
let () = show "chosen" (Ad.gradient chosen [| 0.1; 0.2; 0.3; 0.4; 0.5 |])

(* 16. Compose what was returned. *)
let compose fs = List.fold_left (fun f g x -> g (f x)) (fun x -> x) fs
let power n x = x ** float n

let () =
  let f = compose [ sin; power 3; (fun x -> x +. 1.0); log ] in
  show "composed" [| Ad.derivative f 0.8; (Ad.gradient (fun p -> f (p.(0) *. p.(1))) [| 0.8; 1.1 |]).(1) |]
