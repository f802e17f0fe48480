(* Linear equations, roots and fixed points as functions of what is in them: formulas, all modes, difference quotients.
   covers: K10, K12 *)

let near bound a b = abs_float (a -. b) <= bound *. (1.0 +. abs_float b)

let compare name bound found wanted =
  if Array.length found = Array.length wanted && Array.for_all2 (near bound) found wanted then
    Printf.printf "%s: %d numbers agree\n" name (Array.length wanted)
  else begin
    Printf.printf "%s: wrong\n" name;
    Array.iteri (fun i v -> Printf.printf "  %.17g, not %.17g\n" v wanted.(i)) found
  end

let seed = ref 99

let random () =
  seed := ((!seed * 1103515245) + 12345) land 0x3FFFFFFF;
  (2.0 *. float !seed /. float 0x3FFFFFFF) -. 1.0

let vector n = Array.init n (fun _ -> random ())

let differences f x =
  Array.mapi
    (fun i v ->
      let h = 1e-3 *. (1.0 +. abs_float v) in
      let at by = f (Array.mapi (fun j x -> if i = j then x +. by else x) x) in
      ((8.0 *. (at h -. at (-.h))) -. (at (2.0 *. h) -. at (-2.0 *. h))) /. (12.0 *. h))
    x

(* With [w] as weights of the solution, the derivative by the right side is the solution [y] of the transposed
   equations with [w] there; that by the matrix is minus the product of [y] and the solution. *)
let () =
  let n = 5 in
  let a = vector (n * n) and b = vector n and w = vector n in
  let x = Ad.solve n a b in
  let product = Ad.matvec n a x in
  compare "the solution" 1e-12 product b;
  let value z =
    let x = Ad.solve n (Array.sub z 0 (n * n)) (Array.sub z (n * n) n) in
    Ad.dot x w
  in
  let all = Array.append a b in
  let transposed = Array.init (n * n) (fun i -> a.((i mod n * n) + (i / n))) in
  let y = Ad.solve n transposed w in
  let by_matrix = Array.init (n * n) (fun i -> -.(y.(i / n) *. x.(i mod n))) in
  let wanted = Array.append by_matrix y in
  compare "solve" 1e-10 (Ad.gradient value all) wanted;
  compare "solve, forward" 1e-10 (Ad.forward_gradient value all) wanted;
  (* 1 / x as an equation with one unknown: all orders. *)
  let inverse x = (Ad.solve 1 [| x |] [| 1.0 |]).(0) in
  compare "solve, series" 1e-12 (Ad.taylor 5 inverse 2.0) [| 0.5; -0.25; 0.125; -0.0625; 0.03125; -0.015625 |];
  compare "no equations" 0.0 (Ad.solve 0 [||] [||]) [||];
  (* A pivot that is zero. *)
  compare "rows change places" 1e-15 (Ad.solve 2 [| 0.0; 2.0; 4.0; 1.0 |] [| 6.0; 7.0 |]) [| 1.0; 3.0 |]

(* The circle of radius p0 and the line of slope p1: x = p0 / sqrt (1 + p1^2). *)
let () =
  let equations p v = [| (v.(0) *. v.(0)) +. (v.(1) *. v.(1)) -. (p.(0) *. p.(0)); v.(1) -. (p.(1) *. v.(0)) |] in
  let x p = (Ad.root equations p [| 1.0; 1.0 |]).(0) in
  let formula p = p.(0) /. sqrt (1.0 +. (p.(1) *. p.(1))) in
  let p = [| 2.0; 0.75 |] in
  compare "root" 1e-14 [| x p |] [| formula p |];
  compare "root, gradient" 1e-12 (Ad.gradient x p) (Ad.gradient formula p);
  compare "root, forward" 1e-12 (Ad.forward_gradient x p) (Ad.gradient formula p);
  compare "root, Hessian" 1e-11
    (Array.concat (Array.to_list (Ad.hessian x p)))
    (Array.concat (Array.to_list (Ad.hessian formula p)));
  (* Three steps of Newton's method are exact up to the seventh order. *)
  let cube x = (Ad.root (fun p v -> [| (v.(0) *. v.(0) *. v.(0)) -. p.(0) |]) [| x |] [| 1.0 |]).(0) in
  let third = 1.0 /. 3.0 in
  compare "root, third order" 1e-11
    [| Ad.derivative (fun x -> Ad.derivative (fun x -> Ad.derivative cube x) x) 8.0 |]
    [| third *. (third -. 1.0) *. (third -. 2.0) *. (8.0 ** (third -. 3.0)) |]

(* x = cos (p x), and a system of two. *)
let () =
  let one p = (Ad.fixpoint (fun p v -> [| cos (p.(0) *. v.(0)) |]) p [| 0.5 |]).(0) in
  let p = [| 0.8 |] in
  let x = one p in
  let s = sin (0.8 *. x) in
  compare "fixpoint" 1e-12 (Ad.gradient one p) [| -.(x *. s) /. (1.0 +. (0.8 *. s)) |];
  let step p v = [| tanh ((p.(0) *. v.(1)) +. p.(1)); 0.5 *. sin (p.(2) *. v.(0)) |] in
  let sum p = Array.fold_left ( +. ) 0.0 (Ad.fixpoint step p [| 0.0; 0.0 |]) in
  let p = [| 0.7; 0.3; 1.1 |] in
  compare "fixpoint of two" 1e-9 (Ad.gradient sum p) (differences sum p);
  compare "fixpoint, forward" 1e-12 (Ad.gradient sum p) (Ad.forward_gradient sum p)

(* What has no answer. *)
let () =
  let refused f = try ignore (f ()) with Invalid_argument it | Failure it -> print_endline it in
  refused (fun () -> Ad.solve 2 [| 1.0; 2.0; 2.0; 4.0 |] [| 1.0; 1.0 |]);
  refused (fun () -> Ad.solve 1 [| nan |] [| 1.0 |]);
  refused (fun () -> Ad.solve 2 [| 1.0; 2.0; 2.0 |] [| 1.0; 1.0 |]);
  refused (fun () -> Ad.solve 2 [| 1.0; 2.0; 2.0; 4.0 |] [| 1.0 |]);
  refused (fun () -> Ad.root (fun _ x -> [| x.(0); x.(0) |]) [||] [| 1.0 |]);
  refused (fun () -> Ad.root (fun _ x -> [| (x.(0) *. x.(0)) +. 1.0 |]) [||] [| 0.7 |]);
  refused (fun () -> Ad.fixpoint (fun _ x -> [| 2.0 *. x.(0) |]) [||] [| 1.0 |]);
  refused (fun () -> Ad.fixpoint (fun _ x -> Array.append x x) [||] [| 1.0 |])
