(* covers: K10, K15
   Derivatives through everything that a program does. *)

let check name got want =
  let same = abs_float (got -. want) <= 1e-10 *. (1.0 +. abs_float want) in
  Printf.printf "%s %s\n" name (if same then "ok" else Printf.sprintf "%.17g, not %.17g" got want)

(* Both modes, and the difference quotient of the same code as a second witness. *)
let both name f x want =
  check (name ^ " forward") (Ad.derivative f x) want;
  check (name ^ " reverse") (Ad.gradient (fun a -> f a.(0)) [| x |]).(0) want;
  let h = 1e-6 in
  let quotient = (f (x +. h) -. f (x -. h)) /. (2.0 *. h) in
  if abs_float (quotient -. want) > 1e-6 *. (1.0 +. abs_float want) then
    Printf.printf "%s: the difference quotient is %g\n" name quotient

let cube x = x *. x *. x

(* Recursion and loops *)
let rec power x n = if n = 0 then 1.0 else x *. power x (n - 1)
let rec tail n acc x = if n = 0 then acc else tail (n - 1) (acc *. x) x
let rec even n x = if n = 0 then x else odd (n - 1) (x *. 2.0)
and odd n x = if n = 0 then -.x else even (n - 1) (x +. 1.0)

let () =
  both "recursion" (fun x -> power x 5) 2.0 80.0;
  both "tail recursion" (fun x -> tail 7 1.0 x) 2.0 448.0;
  both "mutual recursion" (fun x -> even 5 x) 2.0 (-8.0);
  both "for" (fun x -> let s = ref 0.0 in for i = 1 to 4 do s := !s +. (x /. float i) done; !s) 2.0
    (1.0 +. 0.5 +. (1.0 /. 3.0) +. 0.25);
  both "while" (fun x -> let s = ref x in while !s < 100.0 do s := !s *. x done; !s) 2.0 448.0;
  both "newton" (fun a -> let x = ref 1.0 in for _ = 1 to 30 do x := 0.5 *. (!x +. (a /. !x)) done; !x) 2.0
    (0.5 /. sqrt 2.0);
  both "local loop" (fun x -> let rec go i acc = if i > 10 then acc else go (i + 1) (acc +. sin (x *. float i)) in go 1 0.0) 0.3
    (let s = ref 0.0 in for i = 1 to 10 do s := !s +. (float i *. cos (0.3 *. float i)) done; !s)

(* Data *)
type shape = Circle of float | Square of { side : float } | Group of shape list
type point = { x : float; mutable y : float }

let rec area = function
  | Circle r -> 3.0 *. r *. r
  | Square { side } -> side *. side
  | Group all -> List.fold_left (fun total it -> total +. area it) 0.0 all

let () =
  both "variants" (fun x -> area (Group [ Circle x; Group [ Square { side = x *. x } ]; Circle 1.0 ])) 2.0 44.0;
  both "records" (fun x -> let p = { x; y = x } in p.y <- p.y *. p.x; p.y +. p.x) 3.0 7.0;
  both "with" (fun x -> let p = { x; y = 2.0 } in let q = { p with y = x *. x } in p.y *. q.y) 3.0 12.0;
  both "tuples" (fun x -> let a, (b, c) = (x, (x *. x, 2.0)) in a *. b *. c) 2.0 24.0;
  both "options" (fun x -> match Some (x *. x) with Some y -> y | None -> 0.0) 3.0 6.0;
  both "lists" (fun x -> List.fold_left ( +. ) 0.0 (List.map (fun y -> y *. x) (List.filter (fun y -> y > 1.0) [ 1.0; x; 3.0 ]))) 2.0 7.0;
  both "sort" (fun x -> List.nth (List.sort compare [ 3.0; x; 1.0 ]) 1 *. 2.0) 2.0 2.0;
  both "strings" (fun x -> if String.length (string_of_float x) > 0 then x *. 2.0 else x) 2.0 2.0;
  both "hash table" (fun x -> let t = Hashtbl.create 3 in Hashtbl.replace t "a" (x *. x); Hashtbl.find t "a" *. x) 3.0 27.0;
  both "queue" (fun x -> let q = Queue.create () in Queue.add x q; Queue.add (x *. x) q; let a = Queue.pop q in a +. Queue.pop q) 3.0 7.0;
  both "lazy" (fun x -> let l = lazy (x *. x) in Lazy.force l +. Lazy.force l) 3.0 12.0;
  both "seq" (fun x -> Seq.fold_left ( +. ) 0.0 (Seq.map (fun n -> float n *. x *. x) (List.to_seq [ 1; 2; 3 ]))) 3.0 36.0;
  both "maps" (fun x -> let module M = Map.Make (Int) in let m = M.add 1 x (M.singleton 2 (x *. x)) in M.fold (fun _ v s -> v +. s) m 0.0) 3.0 7.0

(* Arrays in place *)
let () =
  both "array" (fun x -> let a = Array.make 4 x in for i = 1 to 3 do a.(i) <- a.(i - 1) *. x done; a.(3)) 2.0 32.0;
  both "matrix" (fun x -> let m = Array.make_matrix 2 2 x in m.(0).(1) <- x *. x; (m.(0).(0) *. m.(1).(1)) -. (m.(0).(1) *. m.(1).(0))) 2.0 (-8.0);
  both "blit" (fun x -> let a = [| x; x *. x; 1.0 |] in Array.blit a 0 a 1 2; a.(1) +. a.(2)) 3.0 7.0;
  both "append" (fun x -> Array.fold_left ( +. ) 0.0 (Array.append [| x |] (Array.sub [| 1.0; x *. x |] 1 1))) 3.0 7.0;
  both "swap" (fun x -> let a = [| x; 2.0 |] in let t = a.(0) in a.(0) <- a.(1); a.(1) <- t *. t; a.(0) *. a.(1)) 3.0 12.0;
  both "array of pairs" (fun x -> let a = Array.make 2 (x, 1.0) in a.(1) <- (x *. x, x); fst a.(0) +. fst a.(1) +. snd a.(1)) 3.0 8.0;
  both "sorted array" (fun x -> let a = [| 5.0; x; 1.0 |] in Array.sort compare a; a.(1)) 3.0 1.0

(* Closures and higher-order functions *)
let compose f g x = f (g x)
let rec iterate n f x = if n = 0 then x else iterate (n - 1) f (f x)
let table = [ ("sin", sin); ("cube", cube); ("double", fun x -> 2.0 *. x) ]

let () =
  both "compose" (compose sin cube) 0.5 (cos 0.125 *. 0.75);
  both "iterate" (iterate 3 cube) 1.1 (27.0 *. (1.1 ** 26.0));
  both "counter" (fun x -> let n = ref 0.0 in let add y = n := !n +. y in List.iter add [ x; x *. x; 1.0 ]; !n) 3.0 7.0;
  both "active capture" (fun x -> let scale y = x *. y in scale (scale x)) 2.0 12.0;
  both "partial" (fun x -> let f = Float.fma x in f 2.0 x) 3.0 3.0;
  both "from a table" (fun x -> List.assoc "cube" table x +. List.assoc "double" table x) 2.0 14.0;
  both "church" (fun x -> let two f y = f (f y) in two (two cube) x) 1.01 (81.0 *. (1.01 ** 80.0));
  both "continuation" (fun x -> let rec fact n k = if n = 0 then k 1.0 else fact (n - 1) (fun r -> k (r *. x)) in fact 4 (fun r -> r)) 2.0 32.0;
  both "memo" (fun x -> let memo = Hashtbl.create 8 in let rec fib n = if n < 2 then x else match Hashtbl.find_opt memo n with Some v -> v | None -> let v = fib (n - 1) *. fib (n - 2) in Hashtbl.add memo n v; v in fib 6) 1.1 (13.0 *. (1.1 ** 12.0))

(* Exceptions *)
exception Found of float

let () =
  both "exception" (fun x -> try if x > 1.0 then raise (Found (x *. x)) else x with Found y -> y *. x) 2.0 12.0;
  both "not found" (fun x -> try List.assoc "none" [ ("a", x) ] with Not_found -> x *. x) 2.0 4.0;
  both "finally" (fun x -> Fun.protect ~finally:(fun () -> ()) (fun () -> cube x)) 2.0 12.0;
  (match Ad.gradient (fun a -> if a.(0) > 0.0 then failwith "stopped" else a.(0)) [| 1.0 |] with
  | _ -> print_endline "no exception"
  | exception Failure message -> print_endline message);
  check "after an exception" (Ad.gradient (fun a -> a.(0) *. a.(0)) [| 3.0 |]).(0) 6.0

(* State that outlives a derivative is a constant of the next one. *)
let total = ref 0.0
let history : float list ref = ref []
let buffer = Array.make 3 0.0

let () =
  let f x = total := !total +. x; !total *. x in
  check "first" (Ad.derivative f 2.0) 4.0;
  check "second" (Ad.derivative f 2.0) 6.0;
  check "total" !total 4.0;
  let g x = history := (x *. x) :: !history; List.fold_left ( +. ) 0.0 !history in
  check "history 1" (Ad.derivative g 2.0) 4.0;
  check "history 2" (Ad.derivative g 3.0) 6.0;
  let h x = buffer.(0) <- buffer.(0) +. x; buffer.(1) <- buffer.(0) *. x; buffer.(1) in
  check "buffer 1" (Ad.derivative h 2.0) 4.0;
  check "buffer 2" (Ad.derivative h 2.0) 6.0;
  check "escaped" (try Ad.derivative (fun x -> raise (Found x)) 3.0 with Found y -> Ad.derivative (fun x -> x *. y) 1.0) 3.0;
  check "nested state" (Ad.derivative (fun x -> total := x; Ad.derivative (fun y -> !total *. y *. x) 1.0) 3.0) 6.0

(* Effects happen once. *)
let () =
  let calls = ref 0 in
  ignore (Ad.derivative (fun x -> incr calls; x) 1.0);
  ignore (Ad.gradient (fun a -> incr calls; Printf.printf "at %g\n" a.(0); a.(0)) [| 1.5 |]);
  Printf.printf "%d calls\n" !calls

(* Given derivatives *)
let clipped x = Ad.custom (fun x -> if x > 1.0 then 1.0 else x) (fun _ -> 1.0) x

let () =
  check "custom" (Ad.derivative (fun x -> clipped (2.0 *. x)) 3.0) 2.0;
  check "custom reverse" (Ad.gradient (fun a -> clipped a.(0) *. a.(0)) [| 3.0 |]).(0) 4.0;
  check "custom twice" (Ad.derivative (Ad.derivative (Ad.custom cube (fun x -> 3.0 *. x *. x))) 2.0) 12.0;
  check "constant" (Ad.derivative (fun x -> x *. Ad.constant x) 3.0) 3.0

(* Lengths that do not fit *)
let () =
  let refused f = match f () with _ -> print_endline "accepted" | exception Invalid_argument m -> print_endline m in
  refused (fun () -> ignore (Ad.jvp (fun a -> a) [| 1.0; 2.0 |] [| 1.0 |]));
  refused (fun () -> ignore (Ad.vjp (fun a -> a) [| 1.0; 2.0 |] [| 1.0 |]));
  refused (fun () -> ignore (Ad.curl (fun a -> a) [| 1.0; 2.0 |]));
  refused (fun () -> ignore (Ad.divergence (fun a -> [| a.(0) |]) [| 1.0; 2.0 |]));
  refused (fun () -> ignore (Ad.directional_derivative (fun a -> a.(0)) [| 1.0; 2.0 |] [| 1.0 |]));
  refused (fun () -> ignore (Ad.gradient (fun a -> a.(2)) [| 1.0; 2.0 |]))
