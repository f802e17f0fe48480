module T : sig
  type esc = [ `Error of string | `Help ]
  type 'a parser = int -> int -> ('a, [ `Parse of string | esc ]) result
  val parser : 'a -> 'a parser
end = struct
  type esc = [ `Error of string | `Help ]
  type 'a parser = int -> int -> ('a, [ `Parse of string | esc ]) result
  let parser x _ _ = Ok x
end
type ere = [ T.esc | `Exn of exn | `Parse of string | `Std ]
let run_parser ~catch a b f = try (f a b :> ('a, ere) result) with e when catch -> Error (`Exn e)
let () = match run_parser ~catch:true 1 2 (T.parser 5) with Ok n -> print_int n | Error _ -> ()
