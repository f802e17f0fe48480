(* include of structures and signatures, extension of standard modules, nested modules, aliases. *)

module List = struct
  include List
  let sum = fold_left ( + ) 0
  let rec last = function [] -> failwith "last" | [ x ] -> x | _ :: t -> last t
  let take n l = filteri (fun i _ -> i < n) l
  let length l = 1000 + length l
end

module Shape = struct
  let name = "shape"
  let describe n = name ^ " of size " ^ string_of_int n
end

module Square = struct
  include Shape
  let name = "square"
  let describe2 n = name ^ "/" ^ describe n
end

module Outer = struct
  let depth = 1
  module Middle = struct
    let depth = depth + 1
    module Inner = struct
      let depth = depth + 1
      let path = Printf.sprintf "%d" depth
    end
    let twice = Inner.depth * 2
  end
  module M = Middle
  include Middle.Inner
end

module type BASE = sig type t val make : int -> t end
module type EXTENDED = sig
  include BASE
  val get : t -> int
end

module Impl : EXTENDED = struct
  type t = { v : int }
  let make v = { v }
  let get t = t.v
end

module Counted = struct
  include Impl
  let made = ref 0
  let make n = incr made; Impl.make (n * 10)
end

module StringMap = struct
  include Map.Make (String)
  let of_list l = List.fold_left (fun m (k, v) -> add k v m) empty l
  let keys m = fold (fun k _ acc -> k :: acc) m [] |> List.rev
end

let () =
  Printf.printf "%d %d %d\n" (List.sum [ 1; 2; 3 ]) (List.last [ 1; 2; 9 ]) (List.length [ 1; 2 ]);
  Printf.printf "%s\n" (String.concat "," (List.map string_of_int (List.take 2 [ 5; 6; 7 ])));
  (try ignore (List.last []) with Failure m -> print_endline m);
  print_endline (Square.describe2 4);
  Printf.printf "%d %d %d %d %s\n" Outer.depth Outer.Middle.depth Outer.M.Inner.depth Outer.M.twice Outer.path;
  let a = Counted.make 4 in
  let b = Counted.make 5 in
  Printf.printf "%d %d %d\n" (Counted.get a) (Impl.get b) !Counted.made;
  let m = StringMap.of_list [ "b", 2; "a", 1; "c", 3; "a", 10 ] in
  Printf.printf "%s %d\n" (String.concat "" (StringMap.keys m)) (StringMap.find "a" m);
  let module L = struct let here = "local module" end in
  print_endline L.here;
  let open Outer.Middle in
  Printf.printf "%d\n" depth;
  let open! Outer in
  Printf.printf "%d %d\n" depth Middle.(Inner.depth + twice)
