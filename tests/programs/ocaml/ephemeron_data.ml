type r = { mutable x : int; y : string }
let alive w = let n = ref 0 in for i = 0 to Weak.length w - 1 do if Weak.check w i then incr n done; !n
let test () =
  let data = Weak.create 1 in
  let e =
    let key = { x = 1; y = "key" } and value = { x = 2; y = "data" } in
    Weak.set data 0 (Some value);
    Ephemeron.K1.make (Sys.opaque_identity key) value
  in
  Gc.full_major ();
  Printf.printf "data: %d\n" (alive data);
  ignore (Sys.opaque_identity e)
let () = test ()
