(* A tour of closures: what they capture, and when it is read. *)

(* A function that makes functions: each result keeps its own [n]. *)
let make_adder n = fun x -> x + n

(* State that no one else can reach: the reference is captured, not its contents. *)
let make_counter () =
  let count = ref 0 in
  let next () = incr count; !count in
  let reset () = count := 0 in
  (next, reset)

(* Functions as data: a pipeline is a list of them. *)
let pipeline steps x = List.fold_left (fun value step -> step value) x steps

(* Partial application is a closure, too. *)
let scale factor x = factor *. x
let celsius_of_fahrenheit f = scale (5. /. 9.) (f -. 32.)

(* Later bindings of the same name do not reach into a closure. *)
let x = 1
let read_x () = x
let x = 2

(* Mutual recursion between local functions that share what they capture. *)
let classify limit =
  let rec even n = if n = 0 then limit else odd (n - 1)
  and odd n = if n = 0 then -limit else even (n - 1) in
  even

let () =
  let add1 = make_adder 1 and add10 = make_adder 10 in
  Printf.printf "%d %d\n" (add1 5) (add10 5);
  let next, reset = make_counter () in
  ignore (next ());
  ignore (next ());
  Printf.printf "third call: %d\n" (next ());
  reset ();
  Printf.printf "after reset: %d\n" (next ());
  Printf.printf "pipeline: %d\n" (pipeline [ add1; ( * ) 2; add10; (fun v -> v * v) ] 3);
  Printf.printf "98.6F is %.1fC\n" (celsius_of_fahrenheit 98.6);
  Printf.printf "x is %d, read_x still gives %d\n" x (read_x ());
  Printf.printf "%d %d\n" (classify 7 10) (classify 7 11)
