(* k-means over points that are records of two floats. *)
type point = { x : real, y : real }
fun square (d : real) = d * d
fun distance (a : point, b : point) = square (#x a - #x b) + square (#y a - #y b)
fun nearest (centers, p) =
  let
    fun go (i, best, d) =
      if i = Array.length centers then best
      else let val e = distance (p, Array.sub (centers, i)) in if e < d then go (i + 1, i, e) else go (i + 1, best, d) end
  in go (0, 0, Real.posInf) end
fun step (points, centers) =
  let
    val k = Array.length centers
    val sums = Array.array (k, { x = 0.0, y = 0.0 })
    val counts = Array.array (k, 0)
    val () = Array.app (fn p : point =>
      let val i = nearest (centers, p) val s : point = Array.sub (sums, i) in
        Array.update (sums, i, { x = #x s + #x p, y = #y s + #y p });
        Array.update (counts, i, Array.sub (counts, i) + 1)
      end) points
  in
    Array.tabulate (k, fn i =>
      let val s : point = Array.sub (sums, i) val c = Array.sub (counts, i) val n = real c in
        if c = 0 then Array.sub (centers, i) else { x = #x s / n, y = #y s / n }
      end)
  end
val seed : Int64.int ref = ref 3
fun random () =
  ( seed := Int64.fromLarge (IntInf.andb (Int64.toLarge (!seed) * 1103515245 + 12345, 0x3fffffff))
  ; Real.fromLargeInt (Int64.toLarge (!seed div 256)) / 4194304.0 )
val points = Array.tabulate (100000, fn _ => let val x = random () in { x = x, y = random () } : point end)
fun loop (0, centers) = centers | loop (n, centers) = loop (n - 1, step (points, centers))
val centers = loop (30, Array.tabulate (16, fn i => Array.sub (points, i)))
val s = Array.foldl (fn (c : point, s) => s + #x c + 2.0 * #y c) 0.0 centers
val () = print (Real.fmt (StringCvt.FIX (SOME 6)) s ^ "\n")
