class base = object (self)
  val mutable acc = 0
  method step x = acc <- (acc * 31 + x) land 0xffffff
  method run n = for i = 1 to n do self#step i done
  method acc = acc
end
class mid = object inherit base as super method! step x = super#step (x lxor 5) end
class leaf = object inherit mid as super method! step x = super#step (x + 1) end
let () =
  let objs = [| new base; (new mid :> base); (new leaf :> base) |] in
  for k = 1 to 30 do Array.iter (fun o -> o#run 2_000_000) objs done;
  Array.iter (fun o -> Printf.printf "%d\n" o#acc) objs
