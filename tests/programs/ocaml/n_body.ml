(* N-body with mutable float records: symplectic steps, energy drift. *)

type body = {
  mutable x : float; mutable y : float; mutable z : float;
  mutable vx : float; mutable vy : float; mutable vz : float;
  mass : float;
}

let pi = 3.141592653589793
let solar_mass = 4. *. pi *. pi
let days = 365.24

let sun = { x = 0.; y = 0.; z = 0.; vx = 0.; vy = 0.; vz = 0.; mass = solar_mass }
let jupiter = {
  x = 4.84143144246472090; y = -1.16032004402742839; z = -0.103622044471123109;
  vx = 0.00166007664274403694 *. days; vy = 0.00769901118419740425 *. days;
  vz = -0.0000690460016972063023 *. days; mass = 0.000954791938424326609 *. solar_mass }
let saturn = {
  x = 8.34336671824457987; y = 4.12479856412430479; z = -0.403523417114321381;
  vx = -0.00276742510726411924 *. days; vy = 0.00499852801234917238 *. days;
  vz = 0.0000230417297573763929 *. days; mass = 0.000285885980666130812 *. solar_mass }

let bodies = [| sun; jupiter; saturn |]

let offset () =
  let px = ref 0. and py = ref 0. and pz = ref 0. in
  Array.iter (fun b ->
      px := !px +. b.vx *. b.mass;
      py := !py +. b.vy *. b.mass;
      pz := !pz +. b.vz *. b.mass) bodies;
  sun.vx <- -. !px /. solar_mass;
  sun.vy <- -. !py /. solar_mass;
  sun.vz <- -. !pz /. solar_mass

let advance dt =
  let n = Array.length bodies in
  for i = 0 to n - 1 do
    let b = bodies.(i) in
    for j = i + 1 to n - 1 do
      let c = bodies.(j) in
      let dx = b.x -. c.x and dy = b.y -. c.y and dz = b.z -. c.z in
      let d2 = dx *. dx +. dy *. dy +. dz *. dz in
      let mag = dt /. (d2 *. sqrt d2) in
      b.vx <- b.vx -. dx *. c.mass *. mag;
      b.vy <- b.vy -. dy *. c.mass *. mag;
      b.vz <- b.vz -. dz *. c.mass *. mag;
      c.vx <- c.vx +. dx *. b.mass *. mag;
      c.vy <- c.vy +. dy *. b.mass *. mag;
      c.vz <- c.vz +. dz *. b.mass *. mag
    done
  done;
  Array.iter (fun b ->
      b.x <- b.x +. dt *. b.vx;
      b.y <- b.y +. dt *. b.vy;
      b.z <- b.z +. dt *. b.vz) bodies

let energy () =
  let e = ref 0. in
  Array.iteri (fun i b ->
      e := !e +. 0.5 *. b.mass *. (b.vx *. b.vx +. b.vy *. b.vy +. b.vz *. b.vz);
      for j = i + 1 to Array.length bodies - 1 do
        let c = bodies.(j) in
        let dx = b.x -. c.x and dy = b.y -. c.y and dz = b.z -. c.z in
        e := !e -. b.mass *. c.mass /. sqrt (dx *. dx +. dy *. dy +. dz *. dz)
      done) bodies;
  !e

let () =
  offset ();
  Printf.printf "%.9f\n" (energy ());
  for _ = 1 to 1000 do advance 0.01 done;
  Printf.printf "%.9f\n" (energy ());
  Printf.printf "%.6f %.6f %.6f\n" jupiter.x jupiter.y jupiter.z
