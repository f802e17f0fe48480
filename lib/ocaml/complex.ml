(* Complex numbers *)

type t = {
  re : float;
  im : float;
}

let zero = { re = 0.0; im = 0.0 }
let one = { re = 1.0; im = 0.0 }
let i = { re = 0.0; im = 1.0 }
let add a b = { re = a.re +. b.re; im = a.im +. b.im }
let sub a b = { re = a.re -. b.re; im = a.im -. b.im }
let neg a = { re = -.a.re; im = -.a.im }
let conj a = { a with im = -.a.im }

let mul a b =
  { re = (a.re *. b.re) -. (a.im *. b.im); im = (a.re *. b.im) +. (a.im *. b.re) }

(* Divides by the greater part first, so that no square overflows. *)
let div a b =
  if abs_float b.re >= abs_float b.im then
    let ratio = b.im /. b.re in
    let whole = b.re +. (ratio *. b.im) in
    { re = (a.re +. (ratio *. a.im)) /. whole; im = (a.im -. (ratio *. a.re)) /. whole }
  else
    let ratio = b.re /. b.im in
    let whole = b.im +. (ratio *. b.re) in
    { re = ((ratio *. a.re) +. a.im) /. whole; im = ((ratio *. a.im) -. a.re) /. whole }

let inv a = div one a
let norm2 a = (a.re *. a.re) +. (a.im *. a.im)

let norm a =
  let re = abs_float a.re and im = abs_float a.im in
  let scaled long short =
    let ratio = short /. long in
    long *. sqrt (1.0 +. (ratio *. ratio))
  in
  if re = 0.0 then im else if im = 0.0 then re else if re >= im then scaled re im else scaled im re

let arg a = atan2 a.im a.re
let polar norm angle = { re = cos angle *. norm; im = sin angle *. norm }

let sqrt a =
  if a.re = 0.0 && a.im = 0.0 then zero
  else
    let re = abs_float a.re and im = abs_float a.im in
    let root =
      if re >= im then
        let ratio = im /. re in
        sqrt re *. sqrt (0.5 *. (1.0 +. sqrt (1.0 +. (ratio *. ratio))))
      else
        let ratio = re /. im in
        sqrt im *. sqrt (0.5 *. (ratio +. sqrt (1.0 +. (ratio *. ratio))))
    in
    if a.re >= 0.0 then { re = root; im = 0.5 *. a.im /. root }
    else { re = 0.5 *. im /. root; im = (if a.im >= 0.0 then root else -.root) }

let exp a =
  let size = exp a.re in
  { re = size *. cos a.im; im = size *. sin a.im }

let log a = { re = log (norm a); im = atan2 a.im a.re }
let pow a b = exp (mul b (log a))
