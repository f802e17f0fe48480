(* The problems of GradBench: derivatives against formulas, derivatives written by hand, the other mode, and difference
   quotients. covers: K10, K12 *)

open Problems

let seed = ref 4711

let random () =
  seed := ((!seed * 1103515245) + 12345) land 0x3FFFFFFF;
  (2.0 *. float !seed /. float 0x3FFFFFFF) -. 1.0

let vector n = Array.init n (fun _ -> random ())
let matrix rows columns = Array.init rows (fun _ -> vector columns)
let near bound a b = abs_float (a -. b) <= bound *. (1.0 +. abs_float b)

let compare name bound found wanted =
  let same = ref (Array.length found = Array.length wanted) in
  if !same then
    Array.iteri
      (fun i v ->
        if not (near bound v wanted.(i)) then begin
          same := false;
          Printf.printf "%s: %d is %.17g, not %.17g\n" name i v wanted.(i)
        end)
      found
  else Printf.printf "%s: %d numbers, not %d\n" name (Array.length found) (Array.length wanted);
  if !same then Printf.printf "%s: %d numbers agree\n" name (Array.length wanted)

(* By four values, exact up to the fifth power. *)
let differences f x =
  Array.mapi
    (fun i v ->
      let h = 1e-3 *. (1.0 +. abs_float v) in
      let at by = f (Array.mapi (fun j x -> if i = j then x +. by else x) x) in
      ((8.0 *. (at h -. at (-.h))) -. (at (2.0 *. h) -. at (-2.0 *. h))) /. (12.0 *. h))
    x

let flat rows = Array.concat (Array.to_list rows)

let rows width a = Array.init (Array.length a / width) (fun i -> Array.sub a (i * width) width)

(* hello *)
let () =
  let second = Ad.derivative (Ad.derivative square) 3.0 in
  compare "hello" 0.0 [| square 3.0; Ad.derivative square 3.0; second |] [| 9.0; 6.0; 2.0 |]

(* lse: the gradient is the share of each exponential. *)
let () =
  let x = Array.map (fun v -> 5.0 *. v) (vector 30) in
  let whole = log_sum_exp x in
  compare "lse" 1e-13 (Ad.gradient log_sum_exp x) (Array.map (fun v -> exp (v -. whole)) x);
  let far = [| 1000.0; 1001.0; -1000.0 |] in
  compare "lse of large numbers" 1e-12 (Ad.gradient log_sum_exp far)
    [| 1.0 /. (1.0 +. exp 1.0); 1.0 /. (1.0 +. exp (-1.0)); 0.0 |]

(* llsq: minus the sums of errors times powers. *)
let () =
  let n = 51 and x = vector 6 in
  let t i = -1.0 +. (2.0 *. float i /. float (n - 1)) in
  let power i j = List.fold_left (fun p _ -> p *. t i) 1.0 (List.init j Fun.id) in
  let error i = float (Stdlib.compare (2 * i) (n - 1)) -. sum (fun j -> x.(j) *. power i j) 6 in
  compare "llsq" 1e-12
    (Ad.gradient (least_squares n) x)
    (Array.init 6 (fun j -> -.sum (fun i -> error i *. power i j) n));
  (* The second derivatives do not depend on the point. *)
  compare "llsq, Hessian" 1e-12
    (flat (Ad.hessian (least_squares n) x))
    (Array.init 36 (fun at -> sum (fun i -> power i (at / 6) *. power i (at mod 6)) n))

(* det: the derivative by an element is its cofactor. *)
let () =
  let size = 5 in
  let a = vector (size * size) in
  let without n a = Array.of_list (List.filteri (fun i _ -> i <> n) (Array.to_list a)) in
  let cofactor at =
    let row = at / size and column = at mod size in
    let rest = flat (Array.map (without column) (without row (rows size a))) in
    (if (row + column) mod 2 = 0 then 1.0 else -1.0) *. determinant (size - 1) rest
  in
  let wanted = Array.init (size * size) cofactor in
  compare "det" 1e-13 (Ad.gradient (determinant size) a) wanted;
  compare "det in place" 1e-13 (Ad.gradient (determinant_in_place size) a) wanted;
  compare "det, values" 1e-14 [| determinant size a |] [| determinant_in_place size a |]

(* ode: the solution is x_0 times products of sums of x over factorials, and the method is exact up to the fourth
   power of time. *)
let () =
  let x = [| 0.7; 0.4; 1.3; 0.2 |] in
  let sums = [| x.(1); x.(1) +. x.(2); x.(1) +. x.(2) +. x.(3) |] in
  let value = x.(0) *. sums.(0) *. sums.(1) *. sums.(2) /. 24.0 in
  let last x = (ode 20 x).(3) in
  let by j = sum (fun k -> if k + 1 >= j then value /. sums.(k) else 0.0) 3 in
  compare "ode, value" 1e-13 [| last x |] [| value |];
  compare "ode" 1e-13 (Ad.gradient last x) [| value /. x.(0); by 1; by 2; by 3 |];
  let x = Array.map (fun v -> 0.5 +. (0.3 *. v)) (vector 12) in
  compare "ode of twelve" 1e-9 (Ad.gradient (fun x -> (ode 20 x).(11)) x) (differences (fun x -> (ode 20 x).(11)) x);
  compare "ode, rows" 1e-12 (flat (Ad.jacobian (ode 5) x)) (flat (Ad.forward_jacobian (ode 5) x))

(* kmeans: twice the sums of differences of the points that are nearest; the Hessian is twice their number. *)
let () =
  let points = matrix 40 3 and centres = matrix 4 3 in
  let nearest = Array.map (fun p -> Array.map (distance p) centres) points in
  let belongs i j = Array.for_all (fun d -> nearest.(i).(j) <= d) nearest.(i) in
  let slope at =
    let j = at / 3 and c = at mod 3 in
    2.0 *. sum (fun i -> if belongs i j then centres.(j).(c) -. points.(i).(c) else 0.0) 40
  in
  let count at = 2.0 *. sum (fun i -> if belongs i (at / 3) then 1.0 else 0.0) 40 in
  compare "kmeans" 1e-12 (flat (Ad.gradient_of (clusters points) centres)) (Array.init 12 slope);
  let cost flat = clusters points (rows 3 flat) in
  compare "kmeans, of flat centres" 1e-12 (Ad.gradient cost (flat centres)) (Array.init 12 slope);
  (* One product with a vector of ones, since only the diagonal is not zero. *)
  compare "kmeans, Hessian" 1e-12 (Ad.hessian_vector cost (flat centres) (Array.make 12 1.0)) (Array.init 12 count)

(* gmm: the gradient by hand. *)
let mixture_by_hand points { weights; means; diagonals; below } =
  let k = Array.length weights and d = Array.length points.(0) in
  let zero = Array.map (fun row -> Array.map (fun _ -> 0.0) row) in
  let dw = Array.map (fun _ -> 0.0) weights and dm = zero means and dd = zero diagonals and db = zero below in
  let place row column = (row * (row - 1) / 2) + column in
  let entry j row column =
    if row = column then exp diagonals.(j).(row) else if column < row then below.(j).(place row column) else 0.0
  in
  let z x j = Array.init d (fun row -> sum (fun c -> entry j row c *. (x.(c) -. means.(j).(c))) d) in
  let total j = Array.fold_left ( +. ) 0.0 diagonals.(j) in
  Array.iter
    (fun x ->
      let terms = Array.init k (fun j -> weights.(j) +. total j -. (0.5 *. sum (fun i -> square (z x j).(i)) d)) in
      let all = log_sum_exp terms in
      for j = 0 to k - 1 do
        let share = exp (terms.(j) -. all) and z = z x j in
        dw.(j) <- dw.(j) +. share;
        for row = 0 to d - 1 do
          let away = x.(row) -. means.(j).(row) in
          dd.(j).(row) <- dd.(j).(row) +. (share *. (1.0 -. (z.(row) *. away *. entry j row row)));
          for c = 0 to row do
            dm.(j).(c) <- dm.(j).(c) +. (share *. z.(row) *. entry j row c);
            if c < row then
              let at = place row c in
              db.(j).(at) <- db.(j).(at) -. (share *. z.(row) *. (x.(c) -. means.(j).(c)))
          done
        done
      done)
    points;
  let all = log_sum_exp weights in
  Array.iteri (fun j w -> dw.(j) <- dw.(j) -. (float (Array.length points) *. exp (w -. all))) weights;
  let prior q = freedom -. (square gamma *. exp (2.0 *. q)) in
  Array.iteri (fun j row -> Array.iteri (fun i q -> row.(i) <- row.(i) +. prior q) diagonals.(j)) dd;
  Array.iteri (fun j row -> Array.iteri (fun i l -> row.(i) <- row.(i) -. (square gamma *. l)) below.(j)) db;
  { weights = dw; means = dm; diagonals = dd; below = db }

let () =
  let points = matrix 20 3 in
  let it = { weights = vector 4; means = matrix 4 3; diagonals = matrix 4 3; below = matrix 4 3 } in
  let all { weights; means; diagonals; below } = Array.concat [ weights; flat means; flat diagonals; flat below ] in
  compare "gmm" 1e-12 (all (Ad.gradient_of (mixture points) it)) (all (mixture_by_hand points it));
  let whole = all it in
  let of_flat a =
    let part at = rows 3 (Array.sub a at 12) in
    mixture points { weights = Array.sub a 0 4; means = part 4; diagonals = part 16; below = part 28 }
  in
  compare "gmm, of flat numbers" 1e-12 (Ad.gradient of_flat whole) (all (mixture_by_hand points it));
  compare "gmm, forward" 1e-12 (Ad.forward_gradient of_flat whole) (all (mixture_by_hand points it))

(* ba: difference quotients, the other mode; where nothing turns, the first terms of the formula. *)
let () =
  let p = [| 0.1; -0.2; 0.3; 0.5; -0.4; -5.0; 500.0; 320.0; 240.0; 0.1; -0.02; 0.3; 0.6; 1.0; 0.8 |] in
  let see = sight (300.0, 250.0) in
  let quotients p = flat (Array.init 3 (fun i -> differences (fun p -> (see p).(i)) p)) in
  compare "ba" 1e-7 (flat (Ad.jacobian see p)) (quotients p);
  compare "ba, forward" 1e-12 (flat (Ad.jacobian see p)) (flat (Ad.forward_jacobian see p));
  let still = Array.append [| 0.0; 0.0; 0.0 |] (Array.sub p 3 12) in
  let found = Ad.jacobian see still in
  let near_still = Ad.jacobian see (Array.append [| 1e-5; 0.0; 0.0 |] (Array.sub p 3 12)) in
  compare "ba without a turn" 1e-3 (flat found) (flat near_still);
  compare "ba, the weight" 0.0 [| found.(2).(14) |] [| -1.6 |]

(* lstm *)
let gate width = { weight = vector width; offset = vector width }

let network width =
  let layer _ = { forget = gate width; input = gate width; output = gate width; change = gate width } in
  { layers = Array.init 2 layer; scale_in = vector width; scale_out = vector width; offset_out = vector width }

let numbers network =
  let gate g = Array.append g.weight g.offset in
  let layer l = Array.concat [ gate l.forget; gate l.input; gate l.output; gate l.change ] in
  Array.concat [ flat (Array.map layer network.layers); network.scale_in; network.scale_out; network.offset_out ]

let of_numbers width a =
  let part at = Array.sub a (at * width) width in
  let gate at = { weight = part at; offset = part (at + 1) } in
  let layer at = { forget = gate at; input = gate (at + 2); output = gate (at + 4); change = gate (at + 6) } in
  { layers = [| layer 0; layer 8 |]; scale_in = part 16; scale_out = part 17; offset_out = part 18 }

let () =
  let width = 4 in
  let text = Array.init 7 (fun t -> Array.init width (fun i -> if (t * t) mod width = i then 1.0 else 0.0)) in
  let it = network width in
  let loss a = text_loss text (of_numbers width a) in
  let wanted = differences loss (numbers it) in
  compare "lstm" 1e-9 (numbers (Ad.gradient_of (text_loss text) it)) wanted;
  compare "lstm, of flat numbers" 1e-9 (Ad.gradient loss (numbers it)) wanted

(* ht *)
let hand =
  let bones = 4 in
  let identity = Array.init 4 (fun i -> Array.init 4 (fun j -> if i = j then 1.0 else 0.0)) in
  let moved x y z =
    Array.mapi (fun i row -> Array.mapi (fun j v -> if j = 3 && i < 3 then [| x; y; z |].(i) else v) row) identity
  in
  {
    parents = [| -1; 0; 1; 0 |];
    rest = Array.init bones (fun b -> moved (0.5 *. float b) 1.0 0.1);
    back = Array.init bones (fun b -> moved (-0.4 *. float b) (-1.0) 0.0);
    skin = matrix 6 3;
    shares = Array.init 6 (fun p -> Array.init bones (fun b -> if b = p mod bones then 0.75 else 0.25 /. 3.0));
    measured = [| (0, vector 3); (2, vector 3); (5, vector 3); (2, vector 3) |];
  }

let () =
  let theta = vector 18 in
  let errors = hand_errors hand in
  let found = flat (Ad.jacobian errors theta) in
  compare "ht" 1e-9 found (flat (Array.init 12 (fun i -> differences (fun theta -> (errors theta).(i)) theta)));
  compare "ht, forward" 1e-12 found (flat (Ad.forward_jacobian errors theta));
  let energy theta = Array.fold_left (fun total e -> total +. (e *. e)) 0.0 (errors theta) in
  let e = errors theta in
  compare "ht, energy" 1e-12 (Ad.gradient energy theta)
    (Array.init 18 (fun j -> 2.0 *. sum (fun i -> e.(i) *. found.((i * 18) + j)) 12))

(* particle: in all pairs of modes the same steering, with which the flight ends at the origin. *)
let () =
  let steer inner outer = (least 1e-5 (fun w -> flight inner w.(0)) outer [| 0.0 |]).(0) in
  let ff = steer Ad.forward_gradient Ad.forward_gradient in
  compare "particle, the end" 1e-8 [| flight Ad.gradient ff |] [| 0.0 |];
  compare "particle, one slope" 1e-4
    (Ad.gradient (fun w -> flight Ad.forward_gradient w.(0)) [| 0.1 |])
    (differences (fun w -> flight Ad.forward_gradient w.(0)) [| 0.1 |]);
  compare "particle" 1e-9
    [| steer Ad.gradient Ad.forward_gradient; steer Ad.forward_gradient Ad.gradient; steer Ad.gradient Ad.gradient |]
    [| ff; ff; ff |]

(* saddle: the one who wants it large answers best, whatever the other does. *)
let () =
  let solve inner outer =
    let start = [| 1.0; 1.0 |] in
    let answer slope x = least 0.1 (fun y -> -.game x y) slope start in
    let x = least 0.1 (fun x -> game x (answer inner x)) outer start in
    Array.append x (answer outer x)
  in
  compare "saddle"
    1e-4
    (Array.concat
       [
         solve Ad.forward_gradient Ad.forward_gradient; solve Ad.gradient Ad.forward_gradient;
         solve Ad.forward_gradient Ad.gradient; solve Ad.gradient Ad.gradient;
       ])
    (Array.make 16 0.0)
