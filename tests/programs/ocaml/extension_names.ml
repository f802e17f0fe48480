(* What tells extension constructors from each other *)
type t = ..
type t += A of int | B of string
exception E of { n : int; name : string }
module F (X : sig end) = struct exception In_functor of int end
module G = F (struct end)
let name = Obj.Extension_constructor.name
let () =
  List.iter
    (fun it -> print_endline (name it))
    [ [%extension_constructor A]; [%extension_constructor E]; [%ocaml.extension_constructor Exit];
      [%extension_constructor Failure]; [%extension_constructor Not_found]; [%extension_constructor G.In_functor] ];
  let a = [%extension_constructor A] and b = [%extension_constructor B] in
  Printf.printf "%b %b %b %b\n" (a == b) (a == [%extension_constructor A])
    (Obj.Extension_constructor.id a = Obj.Extension_constructor.id b)
    (Obj.Extension_constructor.id a = Obj.Extension_constructor.id (Obj.Extension_constructor.of_val (A 3)));
  print_endline (name (Obj.Extension_constructor.of_val (Failure "x")));
  print_endline (name (Obj.Extension_constructor.of_val (E { n = 1; name = "q" })));
  print_endline (name (Obj.Extension_constructor.of_val (B "(")))

(* A weak variable of a structure becomes the type that its signature names *)
module M : sig
  type c
  type 'a g
  val f : c g -> c g
  val h : c g -> int
  val make : int -> c g
end = struct
  type c = A | B of c list
  type 'a g = G of 'a | H of 'a g
  let keep f t = match t with G _ -> t | H _ -> f t
  let f = keep (fun t -> H t)
  let rec h (x : c g) = match x with G (B l) -> List.length l | G A -> -1 | H x -> 1 + h x
  let make n = H (G (B (List.init n (fun _ -> A))))
end
let () = Printf.printf "%d\n" (M.h (M.f (M.make 3)))
