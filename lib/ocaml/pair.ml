(* Pairs *)

type ('a, 'b) t = 'a * 'b

let make a b = (a, b)
let fst (a, _) = a
let snd (_, b) = b
let swap (a, b) = (b, a)
let fold f (a, b) = f a b
let map f g (a, b) = (f a, g b)

let iter (f : 'a -> unit) (g : 'b -> unit) (a, b) =
  f a;
  g b

let map_fst f (a, b) = (f a, b)
let map_snd g (a, b) = (a, g b)
let equal eq_a eq_b (a, b) (c, d) = eq_a a c && eq_b b d

let compare cmp_a cmp_b (a, b) (c, d) =
  let order = cmp_a a c in
  if order <> 0 then order else cmp_b b d
