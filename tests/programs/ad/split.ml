(* Loops that keep a tanh of each round: arguments, functions and the rest are loops of their own where nobody can tell.
   covers: K10 *)

let ok = ref 0

let agree name f x =
  let by_code = Ad.gradient f x and forward = Ad.forward_gradient f x in
  Array.iteri
    (fun i g ->
      if abs_float (g -. forward.(i)) > 1e-9 *. (1.0 +. abs_float g) then
        Printf.printf "%s: input %d: %.15g, forward %.15g\n" name i g forward.(i)
      else incr ok)
    by_code;
  (* A derivative around the gradient goes through the same loops. *)
  let h = Ad.hessian f x in
  Array.iteri (fun i row -> Array.iteri (fun j it -> if abs_float (it -. h.(j).(i)) > 1e-9 *. (1.0 +. abs_float it) then
    Printf.printf "%s: hessian %d %d\n" name i j) row) h

let x = [| 0.3; -0.2; 0.5; 0.7; -0.9; 0.1 |]

(* The argument does not depend on the rounds before. *)
let layer x =
  let s = ref x.(5) in
  for j = 0 to 11 do
    let sum = ref x.(4) in
    for i = 0 to 3 do
      sum := !sum +. (x.(i) *. float (i + j))
    done;
    s := !s +. (x.(j mod 3) *. tanh (!sum *. 0.2))
  done;
  !s

(* Two of them, other values that are kept, and what both halves need. *)
let more x =
  let s = ref 0.0 in
  for j = 9 downto 1 do
    let u = x.(j mod 6) *. 0.3 in
    let v = u +. x.(1) in
    let t = tanh v and w = tanh (v *. u) in
    s := !s +. (t *. exp (u *. 0.1)) +. (w *. w *. v)
  done;
  !s

(* Not these: the argument depends on the round before, it is in a branch, or the loop may end early. *)
let chain x =
  let s = ref x.(0) in
  for j = 0 to 5 do
    s := tanh (!s +. x.(j)) *. 1.5
  done;
  !s

let sometimes x =
  let s = ref 0.0 in
  for j = 0 to 5 do
    if j mod 2 = 0 then s := !s +. tanh x.(j) else s := !s *. x.(j)
  done;
  !s

let nested x =
  let s = ref 0.0 in
  for j = 0 to 5 do
    let sum = ref 0.0 in
    for i = 0 to j do
      sum := !sum +. tanh (x.(i) *. x.(j))
    done;
    s := !s +. (tanh (x.(j) *. 2.0) *. !sum)
  done;
  !s

(* What loops with known bounds keep lies between the numbers of the loop around. *)
let keeps_inside x =
  let s = ref 0.0 in
  for j = 0 to 3 do
    let sum = ref 0.0 in
    for i = 0 to 2 do
      sum := !sum +. tanh (x.(i) *. x.(j))
    done;
    let t = tanh !sum in
    s := !s +. (t *. t *. x.(5))
  done;
  !s

let keeps_behind x =
  let s = ref 0.0 in
  for j = 0 to 3 do
    let t = tanh (x.(j) *. 1.3) in
    let a = ref t in
    for i = 0 to 2 do
      a := sin (!a *. x.(i)) +. 0.3
    done;
    s := !s +. (!a *. t *. x.(5))
  done;
  !s

(* The rounds before the exception are not seen, and no room is left used. *)
let outside n x =
  let s = ref 0.0 in
  for j = 0 to n do
    s := !s +. (x.(j) *. tanh (x.(j) *. 0.5))
  done;
  !s

let none x =
  let s = ref x.(0) in
  for j = 1 to Array.length x - 6 do
    s := !s +. tanh x.(j)
  done;
  !s

(* Whole layers. *)
let map x = Array.fold_left ( +. ) 0.0 (Array.map (fun x -> tanh (x *. 2.0)) (Array.map tanh x))

(* What is only looked at has no derivative: the largest number, and what it is made of. *)
let shifted x =
  let best = ref (tanh x.(0)) in
  for i = 1 to Array.length x - 1 do
    let t = tanh x.(i) in
    if t > !best then best := t *. 1.5
  done;
  let best = Ad.constant !best in
  let sum = ref 0.0 in
  for i = 0 to Array.length x - 1 do
    sum := !sum +. exp (x.(i) -. best)
  done;
  best +. log !sum

let () =
  agree "layer" layer x;
  agree "more" more x;
  agree "chain" chain x;
  agree "sometimes" sometimes x;
  agree "nested" nested x;
  agree "keeps_inside" keeps_inside x;
  agree "keeps_behind" keeps_behind x;
  agree "outside" (outside 5) x;
  (match Ad.gradient (outside 6) x with
  | _ -> print_endline "no exception"
  | exception Invalid_argument text -> print_endline text);
  agree "outside again" (outside 5) x;
  agree "none" none x;
  agree "map" map x;
  let g = Ad.gradient shifted x and h = Ad.forward_gradient shifted x in
  Array.iteri (fun i g -> if abs_float (g -. h.(i)) > 1e-12 then Printf.printf "shifted %d: %g %g\n" i g h.(i) else incr ok) g;
  Printf.printf "%d derivatives agree\n" !ok
