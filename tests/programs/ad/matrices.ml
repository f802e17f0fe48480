(* covers: K10, K12
   Products of matrices and their gradients, which are products again, against loops, the tape, forward mode and
   second derivatives: factors that both depend on the input, one matrix twice, matrices of each round of a loop, matrices
   that change after they were multiplied, and shapes that are no multiple of anything. *)

let near a b = abs_float (a -. b) <= 1e-9 *. (1.0 +. abs_float b)

let same name found wanted =
  let equal = ref (Array.length found = Array.length wanted) in
  Array.iteri (fun i d -> if not (near d wanted.(i)) then equal := false) found;
  if !equal then Printf.printf "%s ok\n" name
  else
    let show a = String.concat " " (Array.to_list (Array.map (Printf.sprintf "%.9g") a)) in
    Printf.printf "%s %s instead of %s\n" name (show found) (show wanted)

let product rows inner a b =
  let columns = Array.length b / inner in
  let c = Array.make (rows * columns) 0.0 in
  for i = 0 to rows - 1 do
    for j = 0 to columns - 1 do
      for k = 0 to inner - 1 do
        let at = (i * columns) + j in
        c.(at) <- Float.fma a.((i * inner) + k) b.((k * columns) + j) c.(at)
      done
    done
  done;
  c

let numbers n seed = Array.init n (fun i -> sin (float_of_int ((i * i * 7) + (i * seed) + seed)))

(* The bits are those of fused products and sums in the order of the columns. *)
let () =
  List.iter
    (fun (rows, inner, columns) ->
      let a = numbers (rows * inner) 3 and b = numbers (inner * columns) 5 in
      if Ad.matmul rows inner a b = product rows inner a b then
        Printf.printf "%d x %d x %d ok\n" rows inner columns
      else Printf.printf "%d x %d x %d differ\n" rows inner columns)
    [ (1, 1, 1); (2, 3, 4); (7, 5, 3); (9, 33, 10); (16, 16, 24); (25, 260, 49); (3, 2, 100); (40, 7, 1) ]

let sum a = Array.fold_left ( +. ) 0.0 a
let squares a = Array.fold_left (fun s x -> s +. (x *. x)) 0.0 a
let as_tape f x = Ad.gradient (List.nth [ (fun _ -> 0.0); f ] 1) x

let point = numbers 12 11

(* Both factors depend on the input. *)
let both w = squares (Ad.matmul 3 2 (Array.sub w 0 6) (Array.sub w 6 6))

let () =
  let g = Ad.gradient both point in
  same "both against loops" g
    (Ad.gradient (fun w -> squares (product 3 2 (Array.sub w 0 6) (Array.sub w 6 6))) point);
  same "both by the tape" (as_tape both point) g;
  same "both forward" (Ad.forward_gradient both point) g

(* One matrix twice. *)
let twice w = sum (Ad.matmul 3 3 w w)

let () =
  let w = numbers 9 4 in
  let g = Ad.gradient twice w in
  same "twice" g (Ad.gradient (fun w -> sum (product 3 3 w w)) w);
  same "twice by the tape" (as_tape twice w) g

(* A network of two layers, and steps down its gradient. *)
let data = numbers 40 2

let loss w =
  let hidden = Array.map tanh (Ad.matmul 10 4 data (Array.sub w 0 20)) in
  let out = Ad.matmul 10 5 hidden (Array.sub w 20 10) in
  squares (Array.map (fun y -> y -. 0.25) out)

let () =
  let w = numbers 30 9 in
  same "network by the tape" (as_tape loss w) (Ad.gradient loss w);
  same "network forward" (Ad.forward_gradient loss w) (Ad.gradient loss w);
  let before = loss w in
  for _ = 1 to 200 do
    let g = Ad.gradient loss w in
    Array.iteri (fun i d -> w.(i) <- w.(i) -. (0.01 *. d)) g
  done;
  Printf.printf "descends %b\n" (loss w < 0.1 *. before)

(* Powers of a matrix in a loop: the product of each round is needed. *)
let power w =
  let p = ref (Array.init 9 (fun i -> if i mod 4 = 0 then 1.0 else 0.0)) in
  for _ = 1 to 5 do
    p := Ad.matmul 3 3 !p w
  done;
  sum !p

let () =
  let w = numbers 9 8 in
  let g = Ad.gradient power w in
  same "power by the tape" (as_tape power w) g;
  same "power forward" (Ad.forward_gradient power w) g

(* A factor that changes after it was multiplied. *)
let changing w =
  let a = Array.sub w 0 6 in
  let c = Ad.matmul 3 2 a (Array.sub w 6 6) in
  for i = 0 to 5 do
    a.(i) <- a.(i) *. 2.0
  done;
  sum c +. squares a

let () =
  let g = Ad.gradient changing point in
  same "changing by the tape" (as_tape changing point) g;
  same "changing forward" (Ad.forward_gradient changing point) g

(* Derivatives of gradients. *)
let () =
  let f w = squares (Ad.matmul 2 2 w w) in
  let w = numbers 4 6 in
  let h = Ad.hessian f w in
  let difference i j =
    let moved d = Array.mapi (fun k x -> if k = j then x +. d else x) w in
    ((Ad.gradient f (moved 1e-5)).(i) -. (Ad.gradient f (moved (-1e-5))).(i)) /. 2e-5
  in
  let close = ref true in
  Array.iteri (fun i -> Array.iteri (fun j d -> if abs_float (d -. difference i j) > 1e-6 then close := false)) h;
  Printf.printf "hessian %b\n" !close
