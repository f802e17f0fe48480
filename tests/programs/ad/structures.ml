(* Programs as they are written in practice: data structures, closures, effects, optimisers. The expected numbers are those
   of central differences of order eight, computed by another compiler.
   covers: K10, K11, K12 *)

let show name values =
  Printf.printf "%s:" name;
  Array.iter (fun v -> Printf.printf " %.6g" (if abs_float v < 1e-9 then 0.0 else v)) values;
  print_newline ()

let rows name m = Array.iteri (fun i row -> show (Printf.sprintf "%s %d" name i) row) m

(* 17. Records of parameters, packed by hand. *)
type layer = { weights : float array; bias : float }
type net = { first : layer; second : layer }

let pack n = Array.concat [ n.first.weights; [| n.first.bias |]; n.second.weights; [| n.second.bias |] ]

let unpack a =
  {
    first = { weights = Array.sub a 0 2; bias = a.(2) };
    second = { weights = Array.sub a 3 2; bias = a.(5) };
  }

let forward n x =
  let h = tanh ((n.first.weights.(0) *. x) +. (n.first.weights.(1) *. x *. x) +. n.first.bias) in
  (n.second.weights.(0) *. h) +. (n.second.weights.(1) *. h *. h) +. n.second.bias

let () =
  let n = { first = { weights = [| 0.3; -0.2 |]; bias = 0.1 }; second = { weights = [| 1.0; 0.5 |]; bias = -0.1 } } in
  let g = Ad.gradient_with pack unpack (fun n -> forward n 0.7 ** 2.0) n in
  show "records" (pack g)

(* 18. A queue with two lists of active numbers. *)
type queue = { front : float list; back : float list }

let push x q = { q with back = x :: q.back }

let rec pop q =
  match q.front with
  | x :: front -> Some (x, { q with front })
  | [] -> if q.back = [] then None else pop { front = List.rev q.back; back = [] }

let queue w =
  let q = Array.fold_left (fun q x -> push (x *. x) q) { front = []; back = [] } w in
  let rec drain i q total =
    match pop q with
    | None -> total
    | Some (x, q) ->
        if i = 1 then drain (i + 1) (push (x *. 0.5) q) (total +. x)
        else drain (i + 1) q (total +. (x *. float i))
  in
  drain 0 q 0.0

let () = show "queue" (Ad.gradient queue [| 1.0; 2.0; 3.0 |])

(* 19. Options decide. *)
let find_first p w = Array.fold_left (fun found x -> match found with Some _ -> found | None -> if p x then Some x else None) None w

let optional w =
  match find_first (fun x -> x > 1.0) w with
  | Some x -> x *. x *. w.(0)
  | None -> Array.fold_left ( *. ) 1.0 w

let () =
  show "option some" (Ad.gradient optional [| 0.5; 1.5; 2.5 |]);
  show "option none" (Ad.gradient optional [| 0.5; 0.6; 0.7 |])

(* 20. A counter in a closure, and a memory of results in an array. *)
let make_memory n =
  let known = Array.make n false and value = Array.make n 0.0 in
  fun i compute ->
    if not known.(i) then begin
      value.(i) <- compute ();
      known.(i) <- true
    end;
    value.(i)

let memo p =
  let memory = make_memory 12 in
  let rec f n = memory n (fun () -> if n < 2 then p.(n) else (0.9 *. f (n - 1)) +. (p.(2) *. f (n - 2))) in
  f 11

let () = show "memo" (Ad.gradient memo [| 0.3; 0.5; 0.7 |])

(* 21. Sorting by value, then weighting by rank: in place. *)
let rank w =
  let a = Array.copy w in
  let n = Array.length a in
  for i = 1 to n - 1 do
    let x = a.(i) in
    let j = ref (i - 1) in
    while !j >= 0 && a.(!j) > x do
      a.(!j + 1) <- a.(!j);
      decr j
    done;
    a.(!j + 1) <- x
  done;
  let total = ref 0.0 in
  Array.iteri (fun i x -> total := !total +. (float (i + 1) *. x *. x)) a;
  !total

let () = show "rank" (Ad.gradient rank [| 0.3; 0.1; 0.5; 0.2 |])

(* 22. Printing inside, text that shows the numbers. *)
let talkative w =
  let s = Printf.sprintf "%.2f and %.2f" w.(0) w.(1) in
  String.length s |> float |> fun n -> (n *. w.(0)) +. (w.(1) *. w.(1))

let () = show "text" (Ad.gradient talkative [| 1.5; 2.5 |])

(* 23. Conjugate gradients for a system that depends on the parameters. *)
let cg p =
  let a = [| [| 4.0 +. p.(0); 1.0 |]; [| 1.0; 3.0 +. (p.(1) *. p.(1)) |] |] in
  let b = [| 1.0; p.(0) |] in
  let dot u v = (u.(0) *. v.(0)) +. (u.(1) *. v.(1)) in
  let times v = Array.map (fun row -> dot row v) a in
  let rec go n x r d rr =
    if n = 0 then x
    else
      let ad = times d in
      let alpha = rr /. dot d ad in
      let x = Array.mapi (fun i v -> v +. (alpha *. d.(i))) x in
      let r = Array.mapi (fun i v -> v -. (alpha *. ad.(i))) r in
      let rr' = dot r r in
      let d = Array.mapi (fun i v -> v +. (rr' /. rr *. d.(i))) r in
      go (n - 1) x r d rr'
  in
  let x = go 2 [| 0.0; 0.0 |] b b (dot b b) in
  x.(0) +. (2.0 *. x.(1))

let () = show "conjugate gradients" (Ad.gradient cg [| 0.5; 1.5 |])

(* 24. QR by Gram and Schmidt: the determinant. *)
let determinant w =
  let n = 3 in
  let columns = Array.init n (fun j -> Array.init n (fun i -> w.((i * n) + j))) in
  let det = ref 1.0 in
  for j = 0 to n - 1 do
    for k = 0 to j - 1 do
      let s = ref 0.0 in
      for i = 0 to n - 1 do
        s := !s +. (columns.(j).(i) *. columns.(k).(i))
      done;
      for i = 0 to n - 1 do
        columns.(j).(i) <- columns.(j).(i) -. (!s *. columns.(k).(i))
      done
    done;
    let norm = sqrt (Array.fold_left (fun t x -> t +. (x *. x)) 0.0 columns.(j)) in
    det := !det *. norm;
    for i = 0 to n - 1 do
      columns.(j).(i) <- columns.(j).(i) /. norm
    done
  done;
  log !det

let () = show "determinant" (Ad.gradient determinant [| 2.0; 0.3; 0.1; -0.4; 1.5; 0.2; 0.6; -0.1; 1.1 |])

(* 25. Barycentric interpolation: derivative by the nodes and by the place, mixed. *)
let barycentric xs ys x =
  let n = Array.length xs in
  let weight i =
    let p = ref 1.0 in
    for j = 0 to n - 1 do
      if j <> i then p := !p /. (xs.(i) -. xs.(j))
    done;
    !p
  in
  let above = ref 0.0 and below = ref 0.0 in
  for i = 0 to n - 1 do
    let t = weight i /. (x -. xs.(i)) in
    above := !above +. (t *. ys.(i));
    below := !below +. t
  done;
  !above /. !below

let () =
  let xs = [| 0.0; 0.5; 1.3; 2.0 |] and ys = [| 1.0; 0.7; -0.2; 0.4 |] in
  show "slope by nodes" (Ad.gradient (fun xs -> Ad.derivative (barycentric xs ys) 0.9) xs)

(* 26. The Euler and Lagrange equation of a double pendulum, from its Lagrangian by nested derivatives. *)
let lagrangian q v =
  let kinetic = (v.(0) *. v.(0)) +. (0.5 *. v.(1) *. v.(1)) +. (v.(0) *. v.(1) *. cos (q.(0) -. q.(1))) in
  kinetic +. (2.0 *. cos q.(0)) +. cos q.(1)

let accelerations q v =
  let h = Ad.hessian (fun v -> lagrangian q v) v in
  let force = Ad.gradient (fun q -> lagrangian q v) q in
  let mixed = Ad.jacobian (fun q -> Ad.gradient (fun v -> lagrangian q v) v) q in
  let r = Array.mapi (fun i f -> f -. (mixed.(i).(0) *. v.(0)) -. (mixed.(i).(1) *. v.(1))) force in
  let det = (h.(0).(0) *. h.(1).(1)) -. (h.(0).(1) *. h.(1).(0)) in
  [|
    ((h.(1).(1) *. r.(0)) -. (h.(0).(1) *. r.(1))) /. det;
    ((h.(0).(0) *. r.(1)) -. (h.(1).(0) *. r.(0))) /. det;
  |]

let () = show "double pendulum" (accelerations [| 0.4; -0.3 |] [| 0.2; 0.5 |])

(* 27. Hamiltonian flow from the gradient of an energy, then differentiated by a parameter. *)
let flow k =
  let energy z = (0.5 *. z.(1) *. z.(1)) +. (k *. (1.0 -. cos z.(0))) in
  let z = ref [| 0.5; 0.0 |] in
  for _ = 1 to 10 do
    let g = Ad.gradient energy !z in
    let p = !z.(1) -. (0.1 *. g.(0)) in
    z := [| !z.(0) +. (0.1 *. p); p |]
  done;
  !z.(0)

let () = show "flow" [| flow 2.0; Ad.derivative flow 2.0 |]

(* 28. Perturbation confusion, in all mixes. *)
let () =
  let ff = Ad.derivative (fun x -> x *. Ad.derivative (fun y -> x +. y) 1.0) 1.0 in
  let rr = (Ad.gradient (fun x -> x.(0) *. (Ad.gradient (fun y -> x.(0) +. y.(0)) [| 1.0 |]).(0)) [| 1.0 |]).(0) in
  let fr = Ad.derivative (fun x -> x *. (Ad.gradient (fun y -> x *. y.(0) *. y.(0)) [| 1.0 |]).(0)) 2.0 in
  let rf = (Ad.gradient (fun x -> x.(0) *. Ad.derivative (fun y -> x.(0) *. y *. y) 1.0) [| 2.0 |]).(0) in
  show "confusion" [| ff; rr; fr; rf |]

(* 29. A curried function that gives functions. *)
let () =
  let s u f x = f (x +. u) in
  let d g x = Ad.derivative (fun u -> s u g x) 0.0 in
  let h g x = Ad.derivative (fun u -> d (s u g) x) 0.0 in
  show "curried" [| d sin 0.3; h sin 0.3 |]

(* 30. The saddle point by gradient steps in both variables. *)
let saddle start =
  let f x y = (x *. x) -. (y *. y) +. (0.5 *. x *. y) in
  let best x =
    let y = ref 0.0 in
    for _ = 1 to 8 do
      y := !y +. (0.2 *. Ad.derivative (fun y -> f x y) !y)
    done;
    !y
  in
  let x = ref start in
  for _ = 1 to 4 do
    x := !x -. (0.1 *. Ad.derivative (fun x -> f x (best x)) !x)
  done;
  !x

let () = show "saddle" [| saddle 1.0; Ad.derivative saddle 1.0 |]

(* 31. Arrays of records that change. *)
type particle = { mutable x : float; mutable v : float; charge : float }

let swarm p =
  let all = Array.init 3 (fun i -> { x = float i +. p.(0); v = p.(1); charge = (if i = 1 then p.(2) else 1.0) }) in
  for _ = 1 to 5 do
    Array.iteri
      (fun i a ->
        Array.iteri
          (fun j b ->
            if i <> j then begin
              let d = a.x -. b.x in
              a.v <- a.v +. (0.01 *. a.charge *. b.charge *. d /. (abs_float d ** 3.0))
            end)
          all)
      all;
    Array.iter (fun a -> a.x <- a.x +. (0.1 *. a.v)) all
  done;
  all.(0).x *. all.(2).x

let () = show "swarm" (Ad.gradient swarm [| 0.5; 0.1; 2.0 |])

(* 32. A hash table from names to numbers. *)
let named p =
  let t = Hashtbl.create 8 in
  Hashtbl.replace t "a" (p.(0) *. 2.0);
  Hashtbl.replace t "b" (p.(1) +. p.(0));
  Hashtbl.replace t "a" (Hashtbl.find t "a" *. Hashtbl.find t "b");
  (try Hashtbl.find t "c" with Not_found -> p.(1)) +. Hashtbl.find t "a"

let () = show "names" (Ad.gradient named [| 1.5; 0.5 |])

(* 33. Maps with a functor, folded. *)
module Names = Map.Make (String)

let mapped p =
  let m = Names.add "x" p.(0) (Names.add "y" (p.(1) *. p.(0)) Names.empty) in
  let m = Names.map (fun v -> v *. v) m in
  Names.fold (fun name v total -> total +. (v *. float (String.length name))) m 0.0

let () = show "map" (Ad.gradient mapped [| 1.5; 0.5 |])

(* 34. Sequences that are made when they are asked for. *)
let rec from x () = Seq.Cons (x, from (x *. 0.5))
let rec take n s = if n = 0 then 0.0 else match s () with Seq.Nil -> 0.0 | Seq.Cons (x, r) -> x +. take (n - 1) r
let () = show "sequence" [| Ad.derivative (fun x -> take 6 (from x)) 3.0; (Ad.gradient (fun p -> take 6 (from (p.(0) ** 2.0))) [| 3.0 |]).(0) |]

(* 35. Laziness. *)
let () =
  let f p = let v = lazy (p.(0) *. sin p.(0)) in Lazy.force v +. Lazy.force v in
  show "lazy" (Ad.gradient f [| 0.7 |])

(* 36. Complex numbers. *)
let newton_fractal p =
  let z = ref { Complex.re = p.(0); im = p.(1) } in
  for _ = 1 to 3 do
    let z2 = Complex.mul !z !z in
    let z3 = Complex.mul z2 !z in
    z := Complex.sub !z (Complex.div (Complex.sub z3 Complex.one) (Complex.mul { Complex.re = 3.0; im = 0.0 } z2))
  done;
  Complex.norm2 !z

let () = show "complex" (Ad.gradient newton_fractal [| 0.8; 0.4 |])

(* 37. Strings and a stack machine. *)
let machine text p =
  let stack = ref [] in
  String.iter
    (fun c ->
      match (c, !stack) with
      | '+', a :: b :: rest -> stack := (a +. b) :: rest
      | '*', a :: b :: rest -> stack := (a *. b) :: rest
      | 's', a :: rest -> stack := sin a :: rest
      | c, rest -> stack := p.(Char.code c - Char.code 'a') :: rest)
    text;
  match !stack with [ x ] -> x | _ -> nan

let () = show "machine" (Ad.gradient (machine "ab*s" ) [| 0.7; 1.3 |]); show "machine" (Ad.gradient (machine "ab+c*s") [| 0.7; 1.3; 0.4 |])

(* 38. Functors over the numbers' operations. *)
module type Scale = sig val by : float end
module Model (S : Scale) = struct let f p = S.by *. p.(0) *. exp (-.p.(1) *. S.by) end
module M2 = Model (struct let by = 2.0 end)
let () = show "functor" (Ad.gradient M2.f [| 1.5; 0.2 |])

(* 39. Objects of second order: Gauss and Newton by Jacobians, and its result by the data. *)
let gauss_newton ys =
  let residuals p = Array.mapi (fun i y -> (p.(0) *. exp (p.(1) *. float i)) -. y) ys in
  let p = ref [| 1.0; 0.1 |] in
  for _ = 1 to 3 do
    let j = Ad.jacobian residuals !p and r = residuals !p in
    let sum f = let t = ref 0.0 in Array.iteri (fun i _ -> t := !t +. f i) r; !t in
    let a = sum (fun i -> j.(i).(0) *. j.(i).(0)) and b = sum (fun i -> j.(i).(0) *. j.(i).(1)) in
    let d = sum (fun i -> j.(i).(1) *. j.(i).(1)) in
    let u = sum (fun i -> j.(i).(0) *. r.(i)) and v = sum (fun i -> j.(i).(1) *. r.(i)) in
    let det = (a *. d) -. (b *. b) in
    p := [| !p.(0) -. (((d *. u) -. (b *. v)) /. det); !p.(1) -. (((a *. v) -. (b *. u)) /. det) |]
  done;
  !p.(1)

let () = show "gauss newton" (Ad.gradient gauss_newton [| 1.0; 1.2; 1.5; 1.7 |])

(* 40. A field: divergence, Laplacian, Hessian times a vector, along a direction. *)
let () =
  let f p = (p.(0) *. p.(0) *. sin p.(1)) +. exp (p.(0) *. p.(1)) in
  let field p = [| f p; p.(0) *. p.(1) *. p.(1) |] in
  let at = [| 0.7; 0.4 |] in
  show "field" [| Ad.divergence field at; Ad.laplacian f at; Ad.directional_derivative f at [| 1.0; 2.0 |] |];
  show "hessian vector" (Ad.hessian_vector f at [| 1.0; -1.0 |]);
  rows "hessian" (Ad.hessian f at)

(* 41. A known list walked through by two functions in each other. *)
let walk w =
  let rec outer l acc =
    let rec inner k acc =
      if k = 0 then match l with [] -> acc | x :: rest -> outer rest (acc +. (x *. w.(0)))
      else inner (k - 1) (acc *. w.(1))
    in
    inner 2 acc
  in
  outer [ 1.0; 2.0; 3.0 ] 0.5

let () = show "walk" (Ad.gradient walk [| 0.7; 0.9 |])
