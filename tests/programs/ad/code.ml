(* covers: K10, K12
   Gradients that are written out as code against the tape and against forward mode: arrays in loops, loops in
   loops, branches, several ends, arrays made in each round, changed input. The list makes the function
   unknown, so its gradient uses the tape. *)

let near a b = abs_float (a -. b) <= 1e-11 *. (1.0 +. abs_float b)

let check name written f x =
  let tape = Ad.gradient (List.nth [ (fun _ -> 0.0); f ] 1) (Array.copy x) in
  let code = written (Array.copy x) in
  let forward = Ad.forward_gradient f x in
  let same = ref (Array.length code = Array.length tape) in
  Array.iteri (fun i d -> if not (near d tape.(i) && near d forward.(i)) then same := false) code;
  if !same then Printf.printf "%s ok\n" name
  else
    let show a = String.concat " " (Array.to_list (Array.map (Printf.sprintf "%.12g") a)) in
    Printf.printf "%s code %s tape %s forward %s\n" name (show code) (show tape) (show forward)

let point = [| 0.4; -0.7; 0.9 |]

(* A sum of products with a table from outside. *)
let table = [| [| 1.0; 2.0; 3.0 |]; [| -1.0; 0.5; 2.0 |] |]

let linear w =
  let total = ref 0.0 in
  for s = 0 to Array.length table - 1 do
    let row = table.(s) in
    let sum = ref 0.1 in
    for i = 0 to 2 do
      sum := !sum +. (w.(i) *. row.(i))
    done;
    total := !total +. tanh !sum
  done;
  !total

let () = check "linear" (fun x -> Ad.gradient linear x) linear point

(* In place, with values that are overwritten. *)
let in_place w =
  let a = Array.make 3 1.0 in
  for round = 1 to 4 do
    for i = 0 to 2 do
      a.(i) <- (a.(i) *. w.(i)) +. (a.((i + 1) mod 3) *. a.(i))
    done
  done;
  a.(0) +. (a.(1) *. a.(2))

let () = check "in place" (fun x -> Ad.gradient in_place x) in_place point

(* The input itself changes; the caller's array does not. *)
let changed w =
  for i = 1 to 2 do
    w.(i) <- w.(i) *. w.(i - 1)
  done;
  w.(2) *. w.(1)

let changed x = changed (Array.map (fun v -> v) x)
let changed_directly w = w.(0) <- w.(0) *. w.(1); w.(0) *. sin w.(2)

let () =
  check "changed" (fun x -> Ad.gradient changed x) changed point;
  let x = Array.copy point in
  let g = Ad.gradient changed_directly x in
  Printf.printf "input kept %b %.6f %.6f %.6f\n" (x = point) g.(0) g.(1) g.(2)

(* A new array in each round. *)
let layers w =
  let state = ref (Array.map (fun x -> 0.5 *. x) w) in
  for t = 1 to 3 do
    let old = !state in
    state := Array.init 3 (fun i -> tanh ((w.(i) *. old.((i + t) mod 3)) +. old.(i)))
  done;
  Array.fold_left ( +. ) 0.0 !state

let () = check "layers" (fun x -> Ad.gradient layers x) layers point

(* Ends that are found while the loop runs. *)
let converge w =
  let rec go n x =
    let next = cos (x *. w.(0)) +. (0.1 *. w.(1)) in
    if n > 50 then x +. w.(2) else if abs_float (next -. x) < 1e-3 then next *. w.(2) else go (n + 1) next
  in
  go 0 w.(1)

let () = check "converge" (fun x -> Ad.gradient converge x) converge point

let collatz w =
  let n = ref 27 and x = ref w.(0) in
  while !n <> 1 do
    if !n land 1 = 0 then begin
      n := !n / 2;
      x := sin (!x +. w.(1))
    end
    else begin
      n := (3 * !n) + 1;
      x := (!x *. w.(2)) +. 0.3
    end
  done;
  !x

let () = check "collatz" (fun x -> Ad.gradient collatz x) collatz point

(* Records and tuples as state, a helper with a closure. *)
type state = { position : float; speed : float }

let spring w =
  let force s = (-.w.(0) *. s.position) -. (w.(1) *. s.speed *. abs_float s.speed) in
  let rec go n s =
    if n = 0 then s
    else
      let speed = s.speed +. (0.05 *. force s) in
      go (n - 1) { position = s.position +. (0.05 *. speed); speed }
  in
  let last = go 40 { position = w.(2); speed = 0.0 } in
  (last.position *. last.position) +. last.speed

let () = check "spring" (fun x -> Ad.gradient spring x) spring point

(* Copies and parts of arrays. *)
let copies w =
  let a = Array.append w (Array.sub w 0 2) in
  Array.blit a 0 a 1 3;
  let b = Array.copy a in
  a.(0) <- 5.0 *. b.(4);
  Array.fold_left (fun total x -> (total *. 0.7) +. sin x) 0.0 (Array.concat [ a; b ])

let () = check "copies" (fun x -> Ad.gradient copies x) copies point

(* Lists of data. *)
let data = [ (0.1, 0.2); (0.5, 0.9); (-0.3, 0.4) ]

let fit w =
  List.fold_left
    (fun total (x, y) ->
      let error = (w.(0) *. x *. x) +. (w.(1) *. x) +. w.(2) -. y in
      total +. (error *. error))
    0.0 data

let () = check "fit" (fun x -> Ad.gradient fit x) fit point

(* Infinite slopes that the result does not depend on. *)
let unused w =
  let a = sqrt (w.(0) -. 0.4) and b = log (w.(1) +. 0.7) in
  let pair = if w.(2) > 0.0 then (w.(2), a) else (b, w.(1)) in
  (fst pair *. w.(1)) +. (0.0 *. a)

let () = check "unused" (fun x -> Ad.gradient unused x) (fun w -> w.(2) *. w.(1)) point

(* A rule that is given. *)
let softplus x = Ad.custom (fun x -> log1p (exp x)) (fun x -> 1.0 /. (1.0 +. exp (-.x))) x
let ruled w = softplus (w.(0) *. w.(1)) +. (softplus w.(2) *. Ad.constant w.(0))
let () = check "custom" (fun x -> Ad.gradient ruled x) ruled point

(* Weighted results, second derivatives over code, operators behind other functions. *)
let field w = [| w.(0) *. w.(1); sin w.(2); w.(1) |]

let descend f rate steps x =
  let x = ref (Array.copy x) in
  for _ = 1 to steps do
    x := Array.map2 (fun x g -> x -. (rate *. g)) !x (Ad.gradient f !x)
  done;
  !x

let () =
  let value, back = Ad.vjp field point [| 1.0; 2.0; -1.0 |] in
  Printf.printf "vjp %.6f %.6f %.6f / %.6f %.6f %.6f\n" value.(0) value.(1) value.(2) back.(0) back.(1) back.(2);
  (match Ad.vjp field point [| 1.0 |] with
  | _ -> print_endline "accepted"
  | exception Invalid_argument text -> print_endline text);
  let h = Ad.hessian in_place point and again = Ad.jacobian (fun x -> Ad.gradient in_place x) point in
  let same = ref true in
  Array.iteri (fun i row -> Array.iteri (fun j d -> if not (near d again.(i).(j)) then same := false) row) h;
  Printf.printf "second derivatives %b\n" !same;
  let target = [| 1.0; -2.0; 0.5 |] in
  let bowl x = Ad.dot (Array.map2 ( -. ) x target) (Array.map2 ( -. ) x target) in
  let found = descend bowl 0.1 100 point in
  Printf.printf "descend %.6f %.6f %.6f\n" found.(0) found.(1) found.(2)

(* Effects happen once. *)
let () =
  let calls = ref 0 in
  let noisy w =
    incr calls;
    print_string "called ";
    w.(0) *. w.(0)
  in
  let g = Ad.gradient noisy [| 3.0 |] in
  Printf.printf "%g %d\n" g.(0) !calls

(* Matrices. *)
let () =
  let a = [| 1.0; 2.0; 3.0; 4.0; 5.0; 6.0 |] and b = [| 0.5; -1.0; 1.5; 2.0; 0.1; 0.3 |] in
  let f a = Ad.dot (Ad.matmul 2 3 a b) (Ad.matvec 4 (Array.append a (Array.sub a 0 2)) [| 1.0; 2.0 |]) in
  check "matrices" (fun x -> Ad.gradient f x) f a
