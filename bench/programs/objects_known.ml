class counter = object
  val mutable n = 0
  method incr = n <- n + 1
  method add k = n <- (n + k) land 0xffffff
  method get = n
end
let () =
  let c = new counter in
  for i = 1 to 300_000_000 do c#add i; c#incr done;
  Printf.printf "%d\n" c#get
