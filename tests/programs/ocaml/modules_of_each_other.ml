(* Values of recursive modules that are those of others. A value that is nothing but itself raises. *)
let show name f =
  match f () with
  | n -> Printf.printf "%s: %d\n" name n
  | exception Undefined_recursive_module (_, line, column) ->
    Printf.printf "%s: undefined, line %d, column %d\n" name line column

module rec A : sig val f : int -> int end = struct let f = B.f end
and B : sig val f : int -> int end = struct let f = A.f end

let () = show "A.f" (fun () -> A.f 1); show "B.f" (fun () -> B.f 1)

module rec Self : sig val f : int -> int val g : int -> int end = struct
  let f = Self.f
  let g x = if x = 0 then 0 else 1 + Self.g (x - 1)
end

let () = show "Self.f" (fun () -> Self.f 1); show "Self.g" (fun () -> Self.g 3)

module rec C : sig val f : int -> int end = struct include D end
and D : sig val f : int -> int end = struct include C end

let () = show "C.f" (fun () -> C.f 1)

(* What the first takes from the second is there when it is called. *)
module rec E : sig val f : int -> int end = struct let f = G.f end
and F : sig val f : int -> int val h : int -> int end = struct let f = E.f let h = G.f end
and G : sig val f : int -> int end = struct let f x = x + 1 end

let () = show "E.f" (fun () -> E.f 1); show "F.f" (fun () -> F.f 2); show "F.h" (fun () -> F.h 3)

(* Only one of the values leads back. *)
module rec H : sig val f : int -> int val g : int -> int end = struct let g x = I.f x let f = I.f end
and I : sig val f : int -> int end = struct
  let f = let g = H.g in fun x -> if x = 0 then 0 else 1 + g (x - 1)
end

let () = show "H.f" (fun () -> H.f 4)
