(* Fast Fourier transform on float pairs; polynomial multiplication checked against the schoolbook. *)

type complex = { re : float; im : float }

let ( +: ) a b = { re = a.re +. b.re; im = a.im +. b.im }
let ( -: ) a b = { re = a.re -. b.re; im = a.im -. b.im }
let ( *: ) a b = { re = a.re *. b.re -. a.im *. b.im; im = a.re *. b.im +. a.im *. b.re }
let polar t = { re = cos t; im = sin t }
let real x = { re = x; im = 0. }

let rec fft sign a =
  let n = Array.length a in
  if n = 1 then [| a.(0) |]
  else begin
    let even = fft sign (Array.init (n / 2) (fun i -> a.(2 * i))) in
    let odd = fft sign (Array.init (n / 2) (fun i -> a.(2 * i + 1))) in
    let r = Array.make n (real 0.) in
    for k = 0 to n / 2 - 1 do
      let t = polar (sign *. 2. *. Float.pi *. float k /. float n) *: odd.(k) in
      r.(k) <- even.(k) +: t;
      r.(k + n / 2) <- even.(k) -: t
    done;
    r
  end

let rec pow2 n k = if k >= n then k else pow2 n (2 * k)

let multiply p q =
  let n = pow2 (Array.length p + Array.length q) 1 in
  let pad a = Array.init n (fun i -> real (if i < Array.length a then float a.(i) else 0.)) in
  let fp = fft 1. (pad p) and fq = fft 1. (pad q) in
  let prod = fft (-1.) (Array.map2 ( *: ) fp fq) in
  Array.init (Array.length p + Array.length q - 1) (fun i ->
      int_of_float (Float.round (prod.(i).re /. float n)))

let schoolbook p q =
  let r = Array.make (Array.length p + Array.length q - 1) 0 in
  Array.iteri (fun i a -> Array.iteri (fun j b -> r.(i + j) <- r.(i + j) + a * b) q) p;
  r

let show a = String.concat " " (Array.to_list (Array.map string_of_int a))

let () =
  let p = [| 1; 2; 3 |] and q = [| 4; 5; 6; 7 |] in
  print_endline (show (multiply p q));
  let a = Array.init 50 (fun i -> (i * 37 + 11) mod 100) and b = Array.init 40 (fun i -> (i * i) mod 97) in
  Printf.printf "agree: %b\n" (multiply a b = schoolbook a b);
  let signal = Array.init 16 (fun i -> real (sin (2. *. Float.pi *. 3. *. float i /. 16.))) in
  Array.iteri (fun k { re; im } ->
      let m = sqrt (re *. re +. im *. im) in
      if m > 0.5 then Printf.printf "bin %d magnitude %.3f\n" k m) (fft 1. signal)
