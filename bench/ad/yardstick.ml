(* The problems of GradBench (tests/programs/ad/yardstick) in sizes that take some time. Those that the tests state with
   records and rows stand here with flat arrays and loops, as C has them.
   usage: yardstick (primal|gradient) ROUNDS PROBLEM *)

open Problems

let numbers n = Array.init n (fun _ -> Harness.random ())

(* kmeans: points and centres of four numbers. *)
let width = 4
let points = numbers (500 * width)

let clusters centres =
  let total = ref 0.0 in
  for i = 0 to (Array.length points / width) - 1 do
    let least = ref infinity in
    for j = 0 to (Array.length centres / width) - 1 do
      let distance = ref 0.0 in
      for c = 0 to width - 1 do
        let d = points.((i * width) + c) -. centres.((j * width) + c) in
        distance := !distance +. (d *. d)
      done;
      if !distance < !least then least := !distance
    done;
    total := !total +. !least
  done;
  !total

(* gmm: [k] weights, means, diagonals, and what stands below them. *)
let d = 8
let k = 8
let under = d * (d - 1) / 2
let seen = numbers (100 * d)

let mixture p =
  let mean = k and diagonal = k + (k * d) and below = k + (2 * k * d) in
  let scales = Array.init (k * d) (fun i -> exp p.(diagonal + i)) in
  let sums =
    Array.init k (fun j ->
        let sum = ref 0.0 in
        for i = 0 to d - 1 do
          sum := !sum +. p.(diagonal + (j * d) + i)
        done;
        !sum)
  in
  let terms = Array.make k 0.0 and away = Array.make d 0.0 in
  let log_sum_exp a from =
    let top = ref a.(from) in
    for j = 1 to k - 1 do
      if a.(from + j) > !top then top := a.(from + j)
    done;
    let sum = ref 0.0 in
    for j = 0 to k - 1 do
      sum := !sum +. exp (a.(from + j) -. !top)
    done;
    !top +. log !sum
  in
  let total = ref 0.0 in
  let n = Array.length seen / d in
  for s = 0 to n - 1 do
    for j = 0 to k - 1 do
      for i = 0 to d - 1 do
        away.(i) <- seen.((s * d) + i) -. p.(mean + (j * d) + i)
      done;
      let square = ref 0.0 and at = ref (below + (j * under)) in
      for row = 0 to d - 1 do
        let z = ref (scales.((j * d) + row) *. away.(row)) in
        for column = 0 to row - 1 do
          z := !z +. (p.(!at + column) *. away.(column))
        done;
        at := !at + row;
        square := !square +. (!z *. !z)
      done;
      terms.(j) <- p.(j) +. sums.(j) -. (0.5 *. !square)
    done;
    total := !total +. log_sum_exp terms 0
  done;
  let prior = ref 0.0 in
  for i = 0 to (k * d) - 1 do
    prior := !prior +. (scales.(i) *. scales.(i))
  done;
  for i = below to Array.length p - 1 do
    prior := !prior +. (p.(i) *. p.(i))
  done;
  !total -. (float n *. log_sum_exp p 0) -. (0.5 *. !prior)

(* lstm: two layers of fourteen cells, a text of twenty characters. *)
let cells = 14
let length = 20
let text = Array.init (length * cells) (fun i -> if i / cells * 5 mod cells = i mod cells then 1.0 else 0.0)

let text_loss p =
  let hidden = Array.make (2 * cells) 0.0 and cell = Array.make (2 * cells) 0.0 in
  let x = Array.make cells 0.0 in
  let last = 16 * cells in
  let total = ref 0.0 in
  for t = 0 to length - 2 do
    for i = 0 to cells - 1 do
      x.(i) <- text.((t * cells) + i) *. p.(last + i)
    done;
    for layer = 0 to 1 do
      for i = 0 to cells - 1 do
        let gate g v =
          let at = (((8 * layer) + (2 * g)) * cells) + i in
          (p.(at) *. v) +. p.(at + cells)
        in
        let own = (layer * cells) + i in
        let forget = sigmoid (gate 0 x.(i)) and input = sigmoid (gate 1 hidden.(own)) in
        let output = sigmoid (gate 2 x.(i)) and change = tanh (gate 3 hidden.(own)) in
        cell.(own) <- (cell.(own) *. forget) +. (input *. change);
        hidden.(own) <- output *. tanh cell.(own);
        x.(i) <- hidden.(own)
      done
    done;
    let sum = ref 2.0 and wanted = ref 0.0 and count = ref 0.0 in
    for i = 0 to cells - 1 do
      let guess = (x.(i) *. p.(last + cells + i)) +. p.(last + (2 * cells) + i) in
      let goal = text.(((t + 1) * cells) + i) in
      sum := !sum +. exp guess;
      wanted := !wanted +. (goal *. guess);
      count := !count +. goal
    done;
    total := !total +. !wanted -. (!count *. log !sum)
  done;
  -. !total /. float (cells * (length - 1))

(* ht: four bones, as in the tests. *)
let hand =
  let identity = Array.init 4 (fun i -> Array.init 4 (fun j -> if i = j then 1.0 else 0.0)) in
  let moved x y z =
    Array.mapi (fun i row -> Array.mapi (fun j v -> if j = 3 && i < 3 then [| x; y; z |].(i) else v) row) identity
  in
  {
    parents = [| -1; 0; 1; 0 |];
    rest = Array.init 4 (fun b -> moved (0.5 *. float b) 1.0 0.1);
    back = Array.init 4 (fun b -> moved (-0.4 *. float b) (-1.0) 0.0);
    skin = Array.init 20 (fun _ -> numbers 3);
    shares = Array.init 20 (fun p -> Array.init 4 (fun b -> if b = p mod 4 then 0.75 else 0.25 /. 3.0));
    measured = Array.init 40 (fun i -> (i mod 20, numbers 3));
  }

let energy theta = Array.fold_left (fun total e -> total +. (e *. e)) 0.0 (hand_errors hand theta)
let camera = [| 0.1; -0.2; 0.3; 0.5; -0.4; -5.0; 500.0; 320.0; 240.0; 0.1; -0.02; 0.3; 0.6; 1.0; 0.8 |]
let last x = (ode 50 x).(Array.length x - 1)

let solve s =
  let start = [| s; 1.0 |] in
  let answer x = least 0.1 (fun y -> -.game x y) (fun f x -> Ad.gradient f x) start in
  let x = least 0.1 (fun x -> game x (answer x)) (fun f x -> Ad.gradient f x) start in
  Array.append x (answer x)

let () =
  let run f g w = Harness.run ~primal:f ~gradient:g w in
  match Sys.argv.(3) with
  | "lse" -> run log_sum_exp (fun x -> Ad.gradient log_sum_exp x) (numbers 1000)
  | "llsq" -> run (least_squares 1000) (fun x -> Ad.gradient (least_squares 1000) x) (numbers 10)
  | "det" -> run (determinant_in_place 7) (fun x -> Ad.gradient (determinant_in_place 7) x) (numbers 49)
  | "ode" -> run last (fun x -> Ad.gradient last x) (numbers 20)
  | "kmeans" -> run clusters (fun x -> Ad.gradient clusters x) (numbers (8 * width))
  | "gmm" -> run mixture (fun x -> Ad.gradient mixture x) (numbers (k + (2 * k * d) + (k * under)))
  | "lstm" -> run text_loss (fun x -> Ad.gradient text_loss x) (numbers (19 * cells))
  | "ht" -> run energy (fun x -> Ad.gradient energy x) (numbers 18)
  | "ba" ->
      (* Rows of the Jacobian, one behind the other. *)
      let see = sight (300.0, 250.0) in
      run (fun p -> (see p).(0)) (fun p -> Array.concat (Array.to_list (Ad.jacobian see p))) camera
  | "particle" ->
      let slope f x = Ad.gradient f x in
      run
        (fun w -> flight slope w.(0))
        (fun w -> Ad.gradient (fun w -> flight slope w.(0)) w)
        [| 0.05 |]
  | "saddle" -> run (fun s -> (solve s.(0)).(0)) (fun s -> solve s.(0)) [| 1.0 |]
  | problem -> failwith problem
