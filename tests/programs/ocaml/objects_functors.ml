(* Classes in signatures, functors, includes and local modules. *)
module type SHAPE = sig
  class virtual shape : object
    method virtual area : float
    method describe : string
  end
  class square : float -> object
    inherit shape
    method area : float
    method side : float
  end
end

module Shapes : SHAPE = struct
  class virtual shape = object (self)
    method virtual area : float
    method describe = Printf.sprintf "area %.2f" self#area
  end
  class square s = object
    inherit shape
    val s = s
    method area = s *. s
    method side = s
  end
end

module Doubled (S : SHAPE) = struct
  class pair (a : S.shape) (b : S.shape) = object
    inherit S.shape
    method area = a#area +. b#area
    method first = a
  end
  class big k = object
    inherit S.square (k *. 10.) as super
    method! describe = "big, " ^ super#describe
  end
end

module D = Doubled (Shapes)

let () =
  let s = new Shapes.square 2.0 in
  let p = new D.pair (s :> Shapes.shape) (new Shapes.square 1.0 :> Shapes.shape) in
  print_endline s#describe;
  print_endline p#describe;
  print_endline (p#first)#describe;
  print_endline (new D.big 0.5)#describe

module Set_of (Ord : sig type t val compare : t -> t -> int end) = struct
  class set = object (self : 'self)
    val items : Ord.t list = []
    method mem x = List.exists (fun y -> Ord.compare x y = 0) items
    method add x = if self#mem x then self else {< items = List.sort Ord.compare (x :: items) >}
    method union (other : 'self) = List.fold_left (fun (s : 'self) x -> s#add x) self other#items
    method items = items
    method size = List.length items
  end
end

module Ints = Set_of (Int)
module Words = Set_of (String)

let () =
  let a = ((new Ints.set)#add 3)#add 1 in
  let b = ((new Ints.set)#add 3)#add 7 in
  List.iter (Printf.printf "%d ") (a#union b)#items;
  Printf.printf "| %d %d\n" a#size (a#union b)#size;
  let w = (((new Words.set)#add "b")#add "a")#add "b" in
  print_endline (String.concat " " w#items)

module Base = struct
  class logger = object
    val mutable lines : string list = []
    method log s = lines <- s :: lines
    method lines = List.rev lines
  end
end

module Extended = struct
  include Base
  class stamped = object
    inherit logger as super
    val mutable count = 0
    method! log s = count <- count + 1; super#log (Printf.sprintf "%d: %s" count s)
  end
end

let () =
  let open Extended in
  let l = new stamped in
  l#log "one"; l#log "two";
  List.iter print_endline l#lines;
  let plain : logger = (l :> logger) in
  plain#log "three";
  print_endline (List.nth l#lines 2)

let count_up limit =
  let module M = struct
    class counter = object
      val mutable n = 0
      method next = if n >= limit then None else (n <- n + 1; Some n)
    end
  end in
  let c = new M.counter in
  let rec go acc = match c#next with None -> acc | Some n -> go (acc + n) in
  go 0

let () = Printf.printf "%d %d\n" (count_up 4) (count_up 10)
