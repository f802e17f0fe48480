(* Values that code in C could ask for by name; none does. *)

let register (_ : string) (_ : 'a) = ()
let register_exception (_ : string) (_ : exn) = ()
