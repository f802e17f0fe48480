(* Euler, midpoint and RK4 integrators on state arrays; pendulum and Lotka-Volterra. *)

let axpy a x y = Array.mapi (fun i yi -> yi +. a *. x.(i)) y

let euler f h t y = axpy h (f t y) y

let midpoint f h t y =
  let k = f t y in
  axpy h (f (t +. h /. 2.) (axpy (h /. 2.) k y)) y

let rk4 f h t y =
  let k1 = f t y in
  let k2 = f (t +. h /. 2.) (axpy (h /. 2.) k1 y) in
  let k3 = f (t +. h /. 2.) (axpy (h /. 2.) k2 y) in
  let k4 = f (t +. h) (axpy h k3 y) in
  Array.mapi (fun i yi -> yi +. h /. 6. *. (k1.(i) +. 2. *. k2.(i) +. 2. *. k3.(i) +. k4.(i))) y

let integrate step f ~t0 ~t1 ~n y0 =
  let h = (t1 -. t0) /. float_of_int n in
  let y = ref y0 in
  for i = 0 to n - 1 do y := step f h (t0 +. h *. float_of_int i) !y done;
  !y

let decay _ y = [| -. y.(0) |]
let pendulum _ y = [| y.(1); -. sin y.(0) |]
let predators _ = function
  | [| x; y |] -> [| 1.1 *. x -. 0.4 *. x *. y; 0.1 *. x *. y -. 0.4 *. y |]
  | _ -> invalid_arg "predators"

let () =
  let exact = exp (-1.) in
  List.iter (fun (name, step) ->
      let at n = (integrate step decay ~t0:0. ~t1:1. ~n [| 1. |]).(0) in
      let e1 = Float.abs (at 20 -. exact) and e2 = Float.abs (at 40 -. exact) in
      Printf.printf "%-9s error %.2e, order %.1f\n" name e1 (Float.log (e1 /. e2) /. Float.log 2.))
    [ "euler", euler; "midpoint", midpoint; "rk4", rk4 ];
  let y = integrate rk4 pendulum ~t0:0. ~t1:10. ~n:400 [| 1.0; 0.0 |] in
  Printf.printf "pendulum %.5f %.5f energy %.5f\n" y.(0) y.(1) (y.(1) *. y.(1) /. 2. -. cos y.(0));
  let state = ref [| 10.; 5. |] in
  for i = 0 to 5 do
    Printf.printf "%d: %6.3f %6.3f\n" i !state.(0) !state.(1);
    state := integrate rk4 predators ~t0:0. ~t1:2. ~n:80 !state
  done;
  try ignore (predators 0. [||]) with Invalid_argument s -> print_endline s
