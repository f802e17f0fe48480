(* Dual numbers folded through a function that is chosen at run time. *)
type dual = { re : real, eps : real }
fun add (a : dual) (b : dual) : dual = { re = #re a + #re b, eps = #eps a + #eps b }
fun mul (a : dual) (b : dual) : dual = { re = #re a * #re b, eps = #re a * #eps b + #eps a * #re b }
fun const re : dual = { re = re, eps = 0.0 }
fun fold f acc [] = acc | fold f acc (x :: rest) = fold f (f acc x) rest
fun horner x acc k = add (mul acc x) (const k)
fun power x acc k = mul acc (add x (const (k * 0.001)))
val coefficients = List.tabulate (100, fn i => 1.0 / real (i + 1))
fun loop (i, total) =
  if i > 2000000 then total
  else
    let
      val x = { re = 0.9 + real (i mod 16) / 200.0, eps = 1.0 }
      val step = if i mod 4 = 0 then power x else horner x
      val r = fold step (const 1.0) coefficients
    in loop (i + 1, total + #re r + #eps r) end
val () = print (Real.fmt (StringCvt.FIX (SOME 6)) (loop (1, 0.0)) ^ "\n")
