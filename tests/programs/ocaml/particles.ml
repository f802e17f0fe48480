(* Particle system: float records, arrays, bouncing, energy bookkeeping. *)

type vec = { x : float; y : float }
type particle = { mutable pos : vec; mutable vel : vec; mass : float; name : string }

let ( +| ) a b = { x = a.x +. b.x; y = a.y +. b.y }
let ( *| ) k v = { x = k *. v.x; y = k *. v.y }
let dot a b = a.x *. b.x +. a.y *. b.y
let norm v = sqrt (dot v v)

let gravity = { x = 0.; y = -9.8 }
let dt = 0.01

let bounce p =
  if p.pos.y < 0. then begin
    p.pos <- { p.pos with y = -. p.pos.y };
    p.vel <- { p.vel with y = -. p.vel.y *. 0.8 }
  end;
  if p.pos.x < 0. || p.pos.x > 10. then begin
    p.pos <- { p.pos with x = Float.min 10. (Float.max 0. p.pos.x) };
    p.vel <- { p.vel with x = -. p.vel.x }
  end

let step p =
  p.vel <- p.vel +| (dt *| gravity);
  p.pos <- p.pos +| (dt *| p.vel);
  bounce p

let energy p = 0.5 *. p.mass *. dot p.vel p.vel +. p.mass *. 9.8 *. p.pos.y

let () =
  let ps = [|
    { name = "ball"; pos = { x = 1.; y = 5. }; vel = { x = 2.; y = 0. }; mass = 1.0 };
    { name = "rock"; pos = { x = 5.; y = 0. }; vel = { x = -3.; y = 12. }; mass = 4.5 };
    { name = "dust"; pos = { x = 9.; y = 9. }; vel = { x = 0.25; y = -1. }; mass = 0.01 };
  |] in
  for i = 0 to 500 do
    if i mod 100 = 0 then begin
      Printf.printf "t=%.2f\n" (float_of_int i *. dt);
      Array.iter (fun p ->
          Printf.printf "  %-5s (%7.3f, %7.3f) speed %6.3f energy %8.3f\n" p.name p.pos.x p.pos.y
            (norm p.vel) (energy p)) ps
    end;
    Array.iter step ps
  done;
  let fastest = Array.fold_left (fun a p -> if norm p.vel > norm a.vel then p else a) ps.(0) ps in
  Printf.printf "fastest: %s\n" fastest.name
