(* A pattern that unpacks a module says what the module is packed with. *)
module type Shape = sig
  type t

  val make : int -> t
  val area : t -> int
end

module Square = struct
  type t = int

  let make n = n
  let area n = n * n
end

module Double = struct
  type t = { side : int; twice : bool }

  let make side = { side; twice = true }
  let area s = s.side * if s.twice then 2 else 1
end

let () =
  let (module S : Shape) = (module Square) in
  let (module D : Shape) = (module Double : Shape) in
  Printf.printf "%d %d\n" (S.area (S.make 7)) (D.area (D.make 7))

let measure big =
  let (module M : Shape) = if big then (module Square : Shape) else (module Double) in
  M.area (M.make 5)

let () = Printf.printf "%d %d\n" (measure true) (measure false)
