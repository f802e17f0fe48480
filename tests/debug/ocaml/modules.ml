module type SHAPE = sig type t val area : t -> float end
module Square : SHAPE with type t = float = struct
  type t = float
  let area side =
    let result = side *. side in
    result
end
module Make (S : SHAPE) = struct
  let total shapes =
    let areas = List.map S.area shapes in
    List.fold_left ( +. ) 0. areas
end
module Squares = Make (Square)
class counter start = object
  val mutable n = start
  method step by =
    n <- n + by;
    n
end
let () =
  let c = new counter 5 in
  let after = c#step 2 in
  let sum = Squares.total [1.; 2.; 3.] in
  Printf.printf "%d %g\n" after sum
