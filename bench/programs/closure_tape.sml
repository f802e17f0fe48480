(* Derivatives by a tape of closures behind a global reference. *)
type number = { value : real, grad : real ref }
val tape : (unit -> unit) list ref = ref []
fun record f = tape := f :: !tape
fun number value : number = { value = value, grad = ref 0.0 }
fun add (a : number) (b : number) =
  let val r = number (#value a + #value b) in
    record (fn () => (#grad a := !(#grad a) + !(#grad r); #grad b := !(#grad b) + !(#grad r))); r
  end
fun mul (a : number) (b : number) =
  let val r = number (#value a * #value b) in
    record (fn () => (#grad a := !(#grad a) + #value b * !(#grad r); #grad b := !(#grad b) + #value a * !(#grad r))); r
  end
fun scale k (a : number) =
  let val r = number (k * #value a) in
    record (fn () => #grad a := !(#grad a) + k * !(#grad r)); r
  end
fun backward (r : number) = (#grad r := 1.0; app (fn f => f ()) (!tape); tape := [])
fun gradient f x = let val x = number x in backward (f x); !(#grad x) end
fun polynomial n x acc = if n = 0 then acc else polynomial (n - 1) x (add (mul acc x) (scale 0.5 x))
fun loop (i, total) =
  if i > 200000 then total
  else loop (i + 1, total + gradient (fn x => polynomial 60 x x) (0.5 + real (i mod 8) / 100.0))
val () = print (Real.fmt (StringCvt.FIX (SOME 6)) (loop (1, 0.0)) ^ "\n")
