(* Derivatives by a tape of closures behind a global reference. *)

type number = { value : float; mutable grad : float }

let tape : (unit -> unit) list ref = ref []
let record f = tape := f :: !tape
let number value = { value; grad = 0.0 }

let add a b =
  let r = number (a.value +. b.value) in
  record (fun () ->
      a.grad <- a.grad +. r.grad;
      b.grad <- b.grad +. r.grad);
  r

let mul a b =
  let r = number (a.value *. b.value) in
  record (fun () ->
      a.grad <- a.grad +. (b.value *. r.grad);
      b.grad <- b.grad +. (a.value *. r.grad));
  r

let scale k a =
  let r = number (k *. a.value) in
  record (fun () -> a.grad <- a.grad +. (k *. r.grad));
  r

let backward r =
  r.grad <- 1.0;
  List.iter (fun f -> f ()) !tape;
  tape := []

let gradient f x =
  let x = number x in
  backward (f x);
  x.grad

let rec polynomial n x acc =
  if n = 0 then acc else polynomial (n - 1) x (add (mul acc x) (scale 0.5 x))

let () =
  let total = ref 0.0 in
  for i = 1 to 200_000 do
    let at = 0.5 +. (float_of_int (i land 7) /. 100.0) in
    total := !total +. gradient (fun x -> polynomial 60 x x) at
  done;
  Printf.printf "%.6f\n" !total
