(* Events that a program tells of itself. They reach those who have asked the runtime for them, which nobody can do here
   (`start`, cursors and callbacks are missing), so nothing is written; OCaml writes nothing either until then. *)
[@@@abstract "Type.t User.t"]

module Type = struct
  type 'a t = { encode : bytes -> 'a -> int; decode : bytes -> int -> 'a }
  type span = Begin | End

  let register ~encode ~decode = { encode; decode }
  let unit = register ~encode:(fun _ () -> 0) ~decode:(fun _ _ -> ())

  let int =
    let encode b n = Bytes.set_int64_ne b 0 (Int64.of_int n); 8 in
    register ~encode ~decode:(fun b _ -> Int64.to_int (Bytes.get_int64_ne b 0))

  let span =
    let encode b it = Bytes.set b 0 (match it with Begin -> '\000' | End -> '\001'); 1 in
    register ~encode ~decode:(fun b _ -> if Bytes.get b 0 = '\000' then Begin else End)
end

module User = struct
  type tag = ..
  type 'a t = { name : string; tag : tag; ty : 'a Type.t }

  let register name tag ty = { name; tag; ty }
  let write (_ : 'a t) (_ : 'a) = ()
  let name it = it.name
  let tag it = it.tag
end
