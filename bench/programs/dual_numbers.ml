(* Dual numbers folded through a function that is chosen at run time. *)

type dual = { re : float; eps : float }

let add a b = { re = a.re +. b.re; eps = a.eps +. b.eps }
let mul a b = { re = a.re *. b.re; eps = (a.re *. b.eps) +. (a.eps *. b.re) }
let const re = { re; eps = 0.0 }

let rec fold f acc = function [] -> acc | x :: rest -> fold f (f acc x) rest

let horner x acc k = add (mul acc x) (const k)
let power x acc k = mul acc (add x (const (k *. 0.001)))

let () =
  let coefficients = List.init 100 (fun i -> 1.0 /. float_of_int (i + 1)) in
  let total = ref 0.0 in
  for i = 1 to 2_000_000 do
    let x = { re = 0.9 +. (float_of_int (i land 15) /. 200.0); eps = 1.0 } in
    let step = if i land 3 = 0 then power x else horner x in
    let r = fold step (const 1.0) coefficients in
    total := !total +. r.re +. r.eps
  done;
  Printf.printf "%.6f\n" !total
