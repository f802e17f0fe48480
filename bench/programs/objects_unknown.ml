class virtual shape = object method virtual area : float method virtual grow : float -> unit end
class circle r = object inherit shape val mutable r = r method area = 3.0 *. r *. r method grow k = r <- r +. k end
class square s = object inherit shape val mutable s = s method area = s *. s method grow k = s <- s +. k end
class rect w h = object inherit shape val mutable w = w val h = h method area = w *. h method grow k = w <- w +. k end
class tri b h = object inherit shape val mutable b = b val h = h method area = 0.5 *. b *. h method grow k = b <- b +. k end
let shapes = Array.init 1000 (fun i ->
  match i * 7 mod 4 with
  | 0 -> (new circle (float i) :> shape) | 1 -> (new square (float i) :> shape)
  | 2 -> (new rect (float i) 2.0 :> shape) | _ -> (new tri (float i) 3.0 :> shape))
let () =
  let sum = ref 0.0 in
  for k = 1 to 50_000 do
    for i = 0 to 999 do
      let s = shapes.(i) in
      sum := !sum +. s#area;
      if i land 15 = 0 then s#grow 0.0001
    done
  done;
  Printf.printf "%.3e\n" !sum
