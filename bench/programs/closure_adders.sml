(* Closures that are made at run time, stored in an array and called unknown. *)
fun land' (a, b) = Word64.toIntX (Word64.andb (Word64.fromInt a, Word64.fromInt b))
fun lxor' (a, b) = Word64.toIntX (Word64.xorb (Word64.fromInt a, Word64.fromInt b))
fun makeAdder k = fn x => land' (x + k, 0xffffff)
fun makeScaler k = fn x => land' (x * k, 0xffffff)
fun makeMixer a b = fn x => land' (lxor' (x, a) + b, 0xffffff)
val functions = Array.tabulate (64, fn i =>
  case i mod 3 of 0 => makeAdder (i * 17) | 1 => makeScaler (2 * i + 1) | _ => makeMixer (i * 5) (i * 11))
fun applyAll (fs, x) = Array.foldl (fn (f, x) => f x) x fs
fun loop (0, acc) = acc | loop (n, acc) = loop (n - 1, applyAll (functions, acc))
fun twice f x = f (f x)
fun made (i, acc) =
  if i > 50000000 then acc
  else let val add = makeAdder i in made (i + 1, twice (if land' (i, 3) = 0 then makeScaler 3 else add) acc) end
val () = print (Int.toString (made (1, loop (7000000, 1))) ^ "\n")
