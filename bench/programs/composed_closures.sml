(* Long chains of closures that call each other. *)
fun land' (a, b) = Word64.toInt (Word64.andb (Word64.fromInt a, Word64.fromInt b))
fun compose f g = fn x => f (g x)
fun step k x = land' (x * 3 + k, 0xfffffff)
fun chain n = if n = 0 then (fn x => x) else compose (step n) (chain (n - 1))
fun balanced lo hi =
  if hi - lo = 1 then step lo
  else let val mid = (lo + hi) div 2 in compose (balanced lo mid) (balanced mid hi) end
val f = chain 1000
val g = balanced 0 1024
fun loop (0, acc) = acc | loop (n, acc) = loop (n - 1, f (g acc))
fun short (i, acc) = if i > 100000 then acc else short (i + 1, (chain (land' (i, 63))) acc)
val () = print (Int.toString (short (1, loop (150000, 7))) ^ "\n")
