(* A scene of closures: a shape is the function that finds where a ray meets it. *)

type vec = { x : float; y : float; z : float }

let ( +! ) a b = { x = a.x +. b.x; y = a.y +. b.y; z = a.z +. b.z }
let ( -! ) a b = { x = a.x -. b.x; y = a.y -. b.y; z = a.z -. b.z }
let ( *! ) k a = { x = k *. a.x; y = k *. a.y; z = k *. a.z }
let dot a b = (a.x *. b.x) +. (a.y *. b.y) +. (a.z *. b.z)
let unit a = 1.0 /. sqrt (dot a a) *! a

type hit = { distance : float; normal : vec; color : float }
type shape = vec -> vec -> hit option

let sphere center radius color : shape =
 fun origin direction ->
  let v = center -! origin in
  let b = dot v direction in
  let d = (b *. b) -. dot v v +. (radius *. radius) in
  if d < 0.0 then None
  else
    let root = sqrt d in
    let t = if b -. root > 1e-6 then b -. root else b +. root in
    if t < 1e-6 then None
    else Some { distance = t; normal = unit (origin +! (t *! direction) -! center); color }

let plane height color : shape =
 fun origin direction ->
  if Float.abs direction.y < 1e-9 then None
  else
    let t = (height -. origin.y) /. direction.y in
    if t < 1e-6 then None
    else
      let p = origin +! (t *! direction) in
      let square = (int_of_float (Float.floor p.x) + int_of_float (Float.floor p.z)) land 1 in
      Some { distance = t; normal = { x = 0.0; y = 1.0; z = 0.0 }; color = (if square = 0 then color else 0.3 *. color) }

let nearer (a : shape) (b : shape) : shape =
 fun o d ->
  match (a o d, b o d) with
  | None, h | h, None -> h
  | (Some p as h), (Some q as k) -> if p.distance < q.distance then h else k

let bounded center radius (inner : shape) : shape =
 fun origin direction ->
  let v = center -! origin in
  let b = dot v direction in
  if (b *. b) -. dot v v +. (radius *. radius) < 0.0 then None else inner origin direction

let rec pyramid level center radius =
  let s = sphere center radius (0.5 +. (0.1 *. float_of_int level)) in
  if level = 1 then s
  else
    let child dx dz =
      let k = radius *. 1.1 in
      pyramid (level - 1) (center +! { x = dx *. k; y = k; z = dz *. k }) (radius *. 0.5)
    in
    let children = nearer (nearer (child 1.0 1.0) (child (-1.0) 1.0)) (nearer (child 1.0 (-1.0)) (child (-1.0) (-1.0))) in
    bounded center (3.0 *. radius) (nearer s children)

let light = unit { x = 1.0; y = 3.0; z = -2.0 }

let rec trace (scene : shape) depth origin direction =
  match scene origin direction with
  | None -> 0.2
  | Some h ->
      let p = origin +! (h.distance *! direction) in
      let p = p +! (1e-4 *! h.normal) in
      let lit = match scene p light with None -> Float.max 0.0 (dot h.normal light) | Some _ -> 0.0 in
      let own = h.color *. (0.15 +. (0.85 *. lit)) in
      if depth = 0 then own
      else
        let r = direction -! (2.0 *. dot direction h.normal *! h.normal) in
        (0.8 *. own) +. (0.2 *. trace scene (depth - 1) p r)

let () =
  let scene = nearer (plane (-1.0) 0.9) (pyramid 4 { x = 0.0; y = -0.5; z = 4.0 } 1.0) in
  let n = 600 in
  let total = ref 0.0 in
  for j = 0 to n - 1 do
    for i = 0 to n - 1 do
      let at k = (float_of_int k -. (float_of_int n /. 2.0)) /. float_of_int n in
      let direction = unit { x = at i; y = -.at j; z = 1.0 } in
      total := !total +. trace scene 2 { x = 0.0; y = 0.5; z = -2.0 } direction
    done
  done;
  Printf.printf "%.6f\n" !total
