(* Church numerals: numbers that are functions of functions. *)
type church = (int -> int) -> int -> int
fun land' (a, b) = Word64.toInt (Word64.andb (Word64.fromInt a, Word64.fromInt b))
val zero : church = fn _ => fn x => x
fun succ (n : church) : church = fn f => fn x => f (n f x)
fun add (m : church) (n : church) : church = fn f => fn x => m f (n f x)
fun mul (m : church) (n : church) : church = fn f => m (n f)
fun ofInt n = if n = 0 then zero else succ (ofInt (n - 1))
fun toInt (n : church) = n (fn k => k + 1) 0
val ten = ofInt 10
val hundred = mul ten ten
fun loop (i, total) =
  if i > 20000 then total
  else loop (i + 1, total + toInt (mul (add (mul hundred (ofInt (land' (i, 31)))) ten) ten))
val () = print (Int.toString (loop (1, 0)) ^ "\n")
