(* Exceptions and extension constructors of packed modules. *)
module type S = sig
  exception Stop
  exception Found of int * string
  type key = ..
  type key += Name of string
  type t
  exception Bad of t
  val make : int -> t
  val run : int -> unit
  module Inner : sig exception Deep of float end
  val deep : unit -> unit
end
module Make (X : sig val tag : string end) : S with type t = string = struct
  exception Stop
  exception Found of int * string
  type key = ..
  type key += Name of string
  type t = string
  exception Bad of t
  let make n = X.tag ^ string_of_int n
  let run n = if n = 0 then raise Stop else if n = 1 then raise (Found (n, X.tag)) else raise (Bad (make n))
  module Inner = struct exception Deep of float end
  let deep () = raise (Inner.Deep 2.5)
end
module A = Make (struct let tag = "a" end)
module B = Make (struct let tag = "b" end)
let modules = [ (module A : S); (module B : S) ]
let try_one (module P : S) (module Q : S) n =
  try P.run n; "ran" with
  | P.Stop -> "stop"
  | Q.Stop -> "the other's stop"
  | P.Found (n, s) -> Printf.sprintf "found %d %s" n s
  | Q.Found (n, s) -> Printf.sprintf "the other found %d %s" n s
  | P.Bad _ -> "bad"
  | _ -> "else"
let () =
  List.iter (fun p -> List.iter (fun q -> List.iter (fun n -> print_endline (try_one p q n)) [ 0; 1; 2 ]) modules) modules
let () =
  let module P = (val List.hd modules) in
  (try raise (P.Found (7, "mine")) with A.Found (n, s) -> Printf.printf "%d %s\n" n s | P.Found _ -> print_endline "no");
  (try raise (A.Found (8, "own")) with P.Found (n, s) -> Printf.printf "%d %s\n" n s);
  (try P.deep () with P.Inner.Deep x -> Printf.printf "%g\n" x);
  (try raise (P.Bad (P.make 3)) with A.Bad s -> print_endline s | _ -> print_endline "hidden");
  (match P.Name "k" with P.Name s -> print_endline s | _ -> print_endline "none");
  print_endline (match P.Stop with A.Stop -> "same" | _ -> "different")
module type U = sig type 'a t exception E of int val inj : int -> exn val prj : exn -> int option end
let fresh (type a) () : (module U) = (module struct type 'a t = 'a exception E of int let inj n = E n let prj = function E n -> Some n | _ -> None end)
let () =
  let module X = (val fresh ()) in let module Y = (val fresh ()) in
  let show = function Some n -> string_of_int n | None -> "none" in
  Printf.printf "%s %s\n" (show (X.prj (X.inj 1))) (show (Y.prj (X.inj 1)));
  (match X.inj 3 with X.E n -> Printf.printf "x %d\n" n | _ -> ());
  (match X.inj 3 with Y.E n -> Printf.printf "y %d\n" n | X.E n -> Printf.printf "x %d\n" n | _ -> ())
exception Again of int
module Again = struct let pack (module P : U) = (module P : U) end
let () = let module X = (val fresh ()) in let module Z = (val Again.pack (module X)) in
  match Z.E 4 with X.E n -> Printf.printf "packed again %d\n" n | _ -> print_endline "lost"
