(* the receiver's class is not known at the call: objects of many places *)
let objs = [|
  object val mutable n = 0 method tick k = n <- n + k; n end;
  object val mutable n = 1.0 method tick k = n <- n +. float k; int_of_float n land 3 end;
  object method tick k = k * 2 end;
  object val s = "abc" method tick k = String.length s + k end;
  object method tick k = k lxor 7 end |]
let[@inline never] call o k = o#tick k
let () =
  let s = ref 0 in
  for i = 1 to 100_000_000 do s := (!s + call objs.(i mod 5) i) land 0xffffff done;
  Printf.printf "%d\n" !s
