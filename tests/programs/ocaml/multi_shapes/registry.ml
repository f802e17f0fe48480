(* A named registry of shapes with an insertion counter. *)

let shapes : (string, Geometry.shape) Hashtbl.t = Hashtbl.create 16
let added = ref 0

let add name shape =
  incr added;
  Hashtbl.replace shapes name shape

let names () = List.sort compare (Hashtbl.fold (fun k _ l -> k :: l) shapes [])
let find name = Hashtbl.find_opt shapes name
let largest () =
  List.fold_left (fun best n ->
      let s = Hashtbl.find shapes n in
      match best with
      | Some (_, b) when Geometry.area b >= Geometry.area s -> best
      | _ -> Some (n, s)) None (names ())
