(* covers: K11
   Derivatives inside of derivatives, in all mixes of modes. *)

let check name got want =
  let same = abs_float (got -. want) <= 1e-10 *. (1.0 +. abs_float want) in
  Printf.printf "%s %s\n" name (if same then "ok" else Printf.sprintf "%.17g, not %.17g" got want)

let d = Ad.derivative

(* The derivative of a function of one variable in reverse mode. *)
let r f x = (Ad.gradient (fun a -> f a.(0)) [| x |]).(0)

(* Each of these is wrong if the tangent of x is taken for that of y. *)
let () =
  check "x * d(x + y)" (d (fun x -> x *. d (fun y -> x +. y) 1.0) 1.0) 1.0;
  check "x * r(x + y)" (d (fun x -> x *. r (fun y -> x +. y) 1.0) 1.0) 1.0;
  check "r x * d(x + y)" (r (fun x -> x *. d (fun y -> x +. y) 1.0) 1.0) 1.0;
  check "r x * r(x + y)" (r (fun x -> x *. r (fun y -> x +. y) 1.0) 1.0) 1.0;
  check "x * d(x * y)" (d (fun x -> x *. d (fun y -> x *. y) 2.0) 3.0) 6.0;
  check "three deep"
    (d (fun x -> d (fun y -> d (fun z -> x *. y *. y *. z *. z *. z) x) x) 2.0)
    192.0

(* The same through a helper, a local helper, and a helper that is passed on. *)
let through op f x = op f x

let () =
  let helper f x = Ad.derivative f x in
  check "local helper" (helper (fun x -> x *. helper (fun y -> x *. y *. y) 3.0) 2.0) 24.0;
  check "passed operator" (d (fun x -> x *. through Ad.derivative (fun y -> x *. y *. y) 3.0) 2.0) 24.0;
  check "composed" (List.fold_left (fun total f -> total +. d (fun x -> f (d f x)) 1.5) 0.0 [ sin; exp ])
    ((cos (cos 1.5) *. -.sin 1.5) +. (exp (exp 1.5) *. exp 1.5))

(* Functions that return functions: the derivative of a curried function with respect to its first
   argument is a function that is differentiated again. *)
let shift u f x = f (x +. u)

let shifted f x = d (fun u -> shift u f x) 0.0

let () =
  check "shift" (shifted exp 1.0) (exp 1.0);
  check "shift of shift" (shifted (shifted exp) 1.0) (exp 1.0);
  check "shift three times" (shifted (shifted (shifted (fun x -> x *. x *. x *. x))) 2.0) 48.0;
  let make x = fun y -> x *. y *. y in
  check "curried" (d (fun x -> make x 3.0) 2.0) 9.0;
  check "curried twice" (d (fun x -> d (make x) 3.0) 2.0) 6.0;
  let stored = ref (fun y -> y) in
  let inner = d (fun x -> stored := (fun y -> x *. y); x *. x) 3.0 in
  check "stored" (inner +. d (fun y -> !stored y) 5.0) 9.0

(* Orders up to five, by nesting. *)
let () =
  let f x = exp (2.0 *. x) in
  check "second" (d (d f) 0.1) (4.0 *. f 0.1);
  check "third" (d (d (d f)) 0.1) (8.0 *. f 0.1);
  check "fourth" (d (d (d (d f))) 0.1) (16.0 *. f 0.1);
  check "fifth" (d (d (d (d (d f)))) 0.1) (32.0 *. f 0.1);
  check "ffr" (d (d (r f)) 0.1) (8.0 *. f 0.1);
  check "frf" (d (r (d f)) 0.1) (8.0 *. f 0.1);
  check "rff" (r (d (d f)) 0.1) (8.0 *. f 0.1);
  check "rrf" (r (r (d f)) 0.1) (8.0 *. f 0.1);
  check "rrr" (r (r (r f)) 0.1) (8.0 *. f 0.1)

(* A saddle point: the least over x of the greatest over y, by gradient steps that
   differentiate an inner optimisation. *)
let optimise gradient f start sign rate steps =
  let x = ref start in
  for _ = 1 to steps do
    x := !x +. (sign *. rate *. gradient f !x)
  done;
  !x

let saddle outer inner =
  let payoff x y = ((x -. 1.0) *. (x -. 1.0)) -. ((y -. x) *. (y -. x)) in
  optimise outer
    (fun x -> payoff x (optimise inner (fun y -> payoff x y) 0.0 1.0 0.25 40))
    0.0 (-1.0) 0.25 40

let () =
  check "saddle ff" (saddle d d) 1.0;
  check "saddle fr" (saddle d r) 1.0;
  check "saddle rf" (saddle r d) 1.0;
  check "saddle rr" (saddle r r) 1.0

(* A particle that falls through a field of charges: the charge's place is found so that it hits
   a target; the force is the derivative of the potential. *)
let particle outer inner =
  let run w =
    let potential x y = 1.0 /. sqrt (((x -. 10.0) ** 2.0) +. ((y -. (10.0 -. w)) ** 2.0)) in
    let rec step x y vx vy n =
      if n = 0 then y
      else
        let ax = -.inner (fun x -> potential x y) x and ay = -.inner (fun y -> potential x y) y in
        let vx = vx +. (0.1 *. ax) and vy = vy +. (0.1 *. ay) in
        step (x +. (0.1 *. vx)) (y +. (0.1 *. vy)) vx vy (n - 1)
    in
    step 0.0 8.0 0.75 0.0 60
  in
  outer run 0.5

let () =
  let reference = particle d d in
  let difference f x = (f (x +. 1e-5) -. f (x -. 1e-5)) /. 2e-5 in
  let plain = particle difference d in
  Printf.printf "particle %s\n" (if abs_float (reference -. plain) < 1e-6 then "ok" else "differs");
  check "particle fr" (particle d r) reference;
  check "particle rf" (particle r d) reference;
  check "particle rr" (particle r r) reference
