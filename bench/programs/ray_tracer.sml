(* A scene of closures: a shape is the function that finds where a ray meets it. *)
type vec = { x : real, y : real, z : real }
fun plus (a : vec, b : vec) : vec = { x = #x a + #x b, y = #y a + #y b, z = #z a + #z b }
fun minus (a : vec, b : vec) : vec = { x = #x a - #x b, y = #y a - #y b, z = #z a - #z b }
fun times (k : real, a : vec) : vec = { x = k * #x a, y = k * #y a, z = k * #z a }
fun dot (a : vec, b : vec) = #x a * #x b + #y a * #y b + #z a * #z b
fun unit a = times (1.0 / Math.sqrt (dot (a, a)), a)
type hit = { distance : real, normal : vec, color : real }
type shape = vec -> vec -> hit option
fun sphere (center, radius, color) : shape = fn origin => fn direction =>
  let
    val v = minus (center, origin)
    val b = dot (v, direction)
    val d = b * b - dot (v, v) + radius * radius
  in
    if d < 0.0 then NONE
    else
      let val root = Math.sqrt d val t = if b - root > 1e~6 then b - root else b + root in
        if t < 1e~6 then NONE
        else SOME { distance = t, normal = unit (minus (plus (origin, times (t, direction)), center)), color = color }
      end
  end
fun odd n = n mod 2 = 1
fun plane (height, color) : shape = fn origin => fn direction =>
  if Real.abs (#y direction) < 1e~9 then NONE
  else
    let val t = (height - #y origin) / #y direction in
      if t < 1e~6 then NONE
      else
        let val p = plus (origin, times (t, direction)) in
          SOME { distance = t, normal = { x = 0.0, y = 1.0, z = 0.0 },
                 color = if odd (Real.floor (#x p) + Real.floor (#z p)) then 0.3 * color else color }
        end
    end
fun nearer (a : shape, b : shape) : shape = fn p => fn d =>
  case (a p d, b p d) of
    (NONE, h) => h
  | (h, NONE) => h
  | (h as SOME p, k as SOME q) => if #distance p < #distance q then h else k
fun bounded (center, radius, inner : shape) : shape = fn origin => fn direction =>
  let val v = minus (center, origin) val b = dot (v, direction) in
    if b * b - dot (v, v) + radius * radius < 0.0 then NONE else inner origin direction
  end
fun pyramid (level, center, radius) : shape =
  let val s = sphere (center, radius, 0.5 + 0.1 * real level) in
    if level = 1 then s
    else
      let
        fun child (dx, dz) =
          let val k = radius * 1.1 in
            pyramid (level - 1, plus (center, { x = dx * k, y = k, z = dz * k }), radius * 0.5)
          end
        val children = nearer (nearer (child (1.0, 1.0), child (~1.0, 1.0)), nearer (child (1.0, ~1.0), child (~1.0, ~1.0)))
      in bounded (center, 3.0 * radius, nearer (s, children)) end
  end
val light = unit { x = 1.0, y = 3.0, z = ~2.0 }
fun trace (scene : shape, depth, origin, direction) =
  case scene origin direction of
    NONE => 0.2
  | SOME h =>
      let
        val p = plus (origin, times (#distance h, direction))
        val p = plus (p, times (1e~4, #normal h))
        val lit = case scene p light of NONE => Real.max (0.0, dot (#normal h, light)) | SOME _ => 0.0
        val own = #color h * (0.15 + 0.85 * lit)
      in
        if depth = 0 then own
        else
          let val r = minus (direction, times (2.0 * dot (direction, #normal h), #normal h)) in
            0.8 * own + 0.2 * trace (scene, depth - 1, p, r)
          end
      end
val scene = nearer (plane (~1.0, 0.9), pyramid (4, { x = 0.0, y = ~0.5, z = 4.0 }, 1.0))
val n = 600
fun at k = (real k - real n / 2.0) / real n
fun go (j, i, total) =
  if j = n then total else if i = n then go (j + 1, 0, total)
  else go (j, i + 1, total + trace (scene, 2, { x = 0.0, y = 0.5, z = ~2.0 }, unit { x = at i, y = ~ (at j), z = 1.0 }))
val () = print (Real.fmt (StringCvt.FIX (SOME 6)) (go (0, 0, 0.0)) ^ "\n")
