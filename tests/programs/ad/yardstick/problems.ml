(* The problems that GradBench compares tools of differentiation by, stated anew from their definitions: the functions,
   not their derivatives. Matrices are arrays of rows. *)

let sum f n =
  let total = ref 0.0 in
  for i = 0 to n - 1 do
    total := !total +. f i
  done;
  !total

let log_sum_exp a =
  let top = Array.fold_left max neg_infinity a in
  top +. log (Array.fold_left (fun total x -> total +. exp (x -. top)) 0.0 a)

(* hello: the square. *)
let square x = x *. x

(* llsq: the best polynomial for the sign of [n] numbers between -1 and 1. *)
let least_squares n x =
  let error i =
    let t = -1.0 +. (2.0 *. float i /. float (n - 1)) in
    let sign = if t < 0.0 then -1.0 else if t > 0.0 then 1.0 else 0.0 in
    let power = ref 1.0 and left = ref sign in
    Array.iter
      (fun c ->
        left := !left -. (c *. !power);
        power := !power *. t)
      x;
    !left
  in
  0.5 *. sum (fun i -> let e = error i in e *. e) n

(* det: expansion by minors of the first row that is left; [rows] and [columns] are those that are left. *)
let rec minor size a row columns =
  match columns with
  | [] -> 1.0
  | _ ->
      let rec expand before columns sign =
        match columns with
        | [] -> 0.0
        | column :: rest ->
            let others = List.rev_append before rest in
            (sign *. a.((row * size) + column) *. minor size a (row + 1) others)
            +. expand (column :: before) rest (-.sign)
      in
      expand [] columns 1.0

let determinant size a = minor size a 0 (List.init size Fun.id)

(* The same with arrays: the columns that are left are a linked list in an array, as tools without lists do it. *)
let determinant_in_place size a =
  let next = Array.init (size + 1) (fun i -> (i + 1) mod (size + 1)) in
  let rec minor row =
    if row = size then 1.0
    else begin
      let total = ref 0.0 and sign = ref 1.0 and before = ref size in
      let column = ref next.(size) in
      while !column <> size do
        let behind = next.(!column) in
        next.(!before) <- behind;
        total := !total +. (!sign *. a.((row * size) + !column) *. minor (row + 1));
        next.(!before) <- !column;
        sign := -. !sign;
        before := !column;
        column := behind
      done;
      !total
    end
  in
  minor 0

(* ode: y_0' = x_0 and y_i' = (x_1 + … + x_i) y_(i - 1) from 0, by Runge and Kutta's method in [steps] steps to 1. *)
let ode steps x =
  let n = Array.length x in
  let field y =
    let slope = Array.make n x.(0) and rate = ref 0.0 in
    for i = 1 to n - 1 do
      rate := !rate +. x.(i);
      slope.(i) <- !rate *. y.(i - 1)
    done;
    slope
  in
  let h = 1.0 /. float steps in
  let along y by k = Array.map2 (fun y k -> y +. (by *. k)) y k in
  let y = ref (Array.make n 0.0) in
  for _ = 1 to steps do
    let k1 = field !y in
    let k2 = field (along !y (h /. 2.0) k1) in
    let k3 = field (along !y (h /. 2.0) k2) in
    let k4 = field (along !y h k3) in
    let mean i = (k1.(i) +. (2.0 *. k2.(i)) +. (2.0 *. k3.(i)) +. k4.(i)) /. 6.0 in
    y := Array.mapi (fun i y -> y +. (h *. mean i)) !y
  done;
  !y

(* kmeans: the sum of squares of the distances from points to the nearest centre. *)
let distance a b =
  let total = ref 0.0 in
  for i = 0 to Array.length a - 1 do
    let d = a.(i) -. b.(i) in
    total := !total +. (d *. d)
  done;
  !total

let clusters points centres =
  Array.fold_left
    (fun total point ->
      total +. Array.fold_left (fun least centre -> Float.min least (distance point centre)) infinity centres)
    0.0 points

(* gmm: the logarithm of the posterior of a mixture of Gaussians. The inverse of a covariance is Q Q^T, where Q has
   exponentials on its diagonal and [below], row by row, below it; Wishart's distribution is the prior of both. *)
type mixture = {
  weights : float array;
  means : float array array;
  diagonals : float array array;
  below : float array array;
}

let gamma = 1.0
let freedom = 0.0

let mixture points { weights; means; diagonals; below } =
  let k = Array.length weights and d = Array.length points.(0) in
  let scales = Array.map (Array.map exp) diagonals in
  let sums = Array.map (Array.fold_left ( +. ) 0.0) diagonals in
  let terms = Array.make k 0.0 in
  let of_point x =
    for j = 0 to k - 1 do
      let away = Array.map2 ( -. ) x means.(j) in
      let square = ref 0.0 and at = ref 0 in
      for row = 0 to d - 1 do
        let z = ref (scales.(j).(row) *. away.(row)) in
        for column = 0 to row - 1 do
          z := !z +. (below.(j).(!at) *. away.(column));
          incr at
        done;
        square := !square +. (!z *. !z)
      done;
      terms.(j) <- weights.(j) +. sums.(j) -. (0.5 *. !square)
    done;
    log_sum_exp terms
  in
  let likelihood = Array.fold_left (fun total x -> total +. of_point x) 0.0 points in
  let squares a = Array.fold_left (fun total x -> total +. (x *. x)) 0.0 a in
  let prior =
    sum
      (fun j ->
        (0.5 *. gamma *. gamma *. (squares scales.(j) +. squares below.(j))) -. (freedom *. sums.(j)))
      k
  in
  likelihood -. (float (Array.length points) *. log_sum_exp weights) -. prior

(* ba: how far cameras see points from where they were seen. *)
type camera = { turn : float array; centre : float array; focus : float; middle : float array; bend : float array }

(* Rodrigues' formula; near no turn at all its first terms. *)
let rotate turn x =
  let square = (turn.(0) *. turn.(0)) +. (turn.(1) *. turn.(1)) +. (turn.(2) *. turn.(2)) in
  let cross a b =
    let minor i j = (a.(i) *. b.(j)) -. (a.(j) *. b.(i)) in
    [| minor 1 2; minor 2 0; minor 0 1 |]
  in
  if square > 1e-12 then begin
    let angle = sqrt square in
    let c = cos angle and s = sin angle in
    let axis = Array.map (fun t -> t /. angle) turn in
    let across = cross axis x in
    let along = ((axis.(0) *. x.(0)) +. (axis.(1) *. x.(1)) +. (axis.(2) *. x.(2))) *. (1.0 -. c) in
    Array.init 3 (fun i -> (x.(i) *. c) +. (across.(i) *. s) +. (axis.(i) *. along))
  end
  else
    let across = cross turn x in
    Array.init 3 (fun i -> x.(i) +. across.(i))

let project camera x =
  let moved = rotate camera.turn (Array.map2 ( -. ) x camera.centre) in
  let u = moved.(0) /. moved.(2) and v = moved.(1) /. moved.(2) in
  let r = (u *. u) +. (v *. v) in
  let bent = 1.0 +. (camera.bend.(0) *. r) +. (camera.bend.(1) *. r *. r) in
  ((u *. bent *. camera.focus) +. camera.middle.(0), (v *. bent *. camera.focus) +. camera.middle.(1))

(* Eleven numbers of the camera, three of the point, the weight of the sight. *)
let sight (seen_u, seen_v) p =
  let camera =
    {
      turn = Array.sub p 0 3;
      centre = Array.sub p 3 3;
      focus = p.(6);
      middle = Array.sub p 7 2;
      bend = Array.sub p 9 2;
    }
  in
  let u, v = project camera (Array.sub p 11 3) in
  [| p.(14) *. (u -. seen_u); p.(14) *. (v -. seen_v); 1.0 -. (p.(14) *. p.(14)) |]

(* lstm: two layers whose matrices are diagonal predict the next character of a text; the loss is the mean logarithm
   of what was not expected. Of each layer the weights and offsets of its four gates. *)
type gate = { weight : float array; offset : float array }
type layer = { forget : gate; input : gate; output : gate; change : gate }
type network = { layers : layer array; scale_in : float array; scale_out : float array; offset_out : float array }

let sigmoid x = 1.0 /. (1.0 +. exp (-.x))

let predict network state x =
  let x = ref (Array.map2 ( *. ) x network.scale_in) in
  Array.iteri
    (fun at layer ->
      let hidden, cell = state.(at) in
      let gate f g v = Array.mapi (fun i v -> f ((g.weight.(i) *. v) +. g.offset.(i))) v in
      let forget = gate sigmoid layer.forget !x and input = gate sigmoid layer.input hidden in
      let output = gate sigmoid layer.output !x and change = gate tanh layer.change hidden in
      let cell = Array.mapi (fun i c -> (c *. forget.(i)) +. (input.(i) *. change.(i))) cell in
      let hidden = Array.mapi (fun i c -> output.(i) *. tanh c) cell in
      state.(at) <- (hidden, cell);
      x := hidden)
    network.layers;
  Array.mapi (fun i x -> (x *. network.scale_out.(i)) +. network.offset_out.(i)) !x

let text_loss text network =
  let width = Array.length text.(0) in
  let state = Array.map (fun _ -> (Array.make width 0.0, Array.make width 0.0)) network.layers in
  let total = ref 0.0 in
  for t = 0 to Array.length text - 2 do
    let guess = predict network state text.(t) in
    let norm = log (2.0 +. Array.fold_left (fun total x -> total +. exp x) 0.0 guess) in
    Array.iteri (fun i wanted -> total := !total +. (wanted *. (guess.(i) -. norm))) text.(t + 1)
  done;
  -. !total /. float (width * (Array.length text - 1))

(* ht: a hand of bones in each other, each turned about three axes, moves the points of its skin; how far are they from
   what was measured? A matrix of four rows and columns moves and turns. *)
type hand = {
  parents : int array;  (* -1 for the wrist *)
  rest : float array array array;  (* of each bone, in that of its parent *)
  back : float array array array;  (* from the whole at rest to the bone *)
  skin : float array array;
  shares : float array array;  (* of each bone in each point *)
  measured : (int * float array) array;
}

let product a b = Array.map (fun row -> Array.init 4 (fun j -> sum (fun k -> row.(k) *. b.(k).(j)) 4)) a

let turned x y z =
  let c = cos and s = sin in
  let about_x = [| [| 1.; 0.; 0.; 0. |]; [| 0.; c x; -.s x; 0. |]; [| 0.; s x; c x; 0. |]; [| 0.; 0.; 0.; 1. |] |] in
  let about_y = [| [| c y; 0.; s y; 0. |]; [| 0.; 1.; 0.; 0. |]; [| -.s y; 0.; c y; 0. |]; [| 0.; 0.; 0.; 1. |] |] in
  let about_z = [| [| c z; -.s z; 0.; 0. |]; [| s z; c z; 0.; 0. |]; [| 0.; 0.; 1.; 0. |]; [| 0.; 0.; 0.; 1. |] |] in
  product about_z (product about_y about_x)

(* [theta]: the turn and the place of the whole hand, then three angles for each bone. *)
let hand_errors hand theta =
  let bones = Array.length hand.parents in
  let places = Array.make bones [||] in
  for b = 0 to bones - 1 do
    let at = 6 + (3 * b) in
    let own = product hand.rest.(b) (turned theta.(at) theta.(at + 1) theta.(at + 2)) in
    places.(b) <- (if hand.parents.(b) < 0 then own else product places.(hand.parents.(b)) own)
  done;
  let moves = Array.mapi (fun b place -> product place hand.back.(b)) places in
  let turn = Array.sub theta 0 3 in
  let errors (point, where) =
    let p = hand.skin.(point) in
    let moved i =
      sum
        (fun b ->
          let m = moves.(b) in
          hand.shares.(point).(b)
          *. ((m.(i).(0) *. p.(0)) +. (m.(i).(1) *. p.(1)) +. (m.(i).(2) *. p.(2)) +. m.(i).(3)))
        bones
    in
    let x = rotate turn (Array.init 3 moved) in
    Array.init 3 (fun i -> where.(i) -. x.(i) -. theta.(3 + i))
  in
  Array.concat (Array.to_list (Array.map errors hand.measured))

(* particle: a charge flies past two others until it reaches the axis; where? [slope] is the gradient of the potential
   by any mode. *)
let flight slope w =
  let charges = [ (10.0, 10.0 -. w); (10.0, 0.0) ] in
  let potential x =
    List.fold_left
      (fun total (cx, cy) ->
        let dx = x.(0) -. cx and dy = x.(1) -. cy in
        total +. (1.0 /. sqrt ((dx *. dx) +. (dy *. dy))))
      0.0 charges
  in
  let dt = 0.1 in
  let rec fly steps x y vx vy =
    let force = slope potential [| x; y |] in
    let nx = x +. (dt *. vx) and ny = y +. (dt *. vy) in
    if ny <= 0.0 then begin
      (* Between the last two places, by a straight line. *)
      let rest = -.y /. vy in
      let x = x +. (rest *. vx) in
      x *. x
    end
    else if steps = 0 then (x *. x) +. (y *. y)
    else fly (steps - 1) nx ny (vx -. (dt *. force.(0))) (vy -. (dt *. force.(1)))
  in
  (* Some steering keeps it away for ever. *)
  fly 400 0.0 8.0 0.75 0.0

(* saddle: a function that one wants small and the other large. *)
let game x y = (x.(0) *. x.(0)) +. (x.(1) *. x.(1)) -. ((y.(0) *. y.(0)) +. (y.(1) *. y.(1)))

(* Goes down until the gradient is short, with steps that grow while they help; the first has the size [rate]. *)
let least rate f slope start =
  let rec go x value rate left =
    let g = slope f x in
    let size = sqrt (Array.fold_left (fun total g -> total +. (g *. g)) 0.0 g) in
    if size <= 1e-5 || left = 0 then x
    else
      let rec attempt rate =
        let next = Array.map2 (fun x g -> x -. (rate *. g)) x g in
        let found = f next in
        if found < value then Some (next, found, rate) else if rate < 1e-12 then None else attempt (rate /. 2.0)
      in
      match attempt rate with
      | None -> x
      | Some (next, found, rate) -> go next found (2.0 *. rate) (left - 1)
  in
  go start (f start) rate 300
