(* Polymorphic values, types with parameters, sub-modules and data types in packed signatures. *)
module type MONAD = sig
  type 'a t
  val return : 'a -> 'a t
  val bind : 'a t -> ('a -> 'b t) -> 'b t
  val run : 'a t -> ('a -> string) -> string
end
module Opt = struct
  type 'a t = 'a option
  let return x = Some x
  let bind m f = match m with None -> None | Some x -> f x
  let run m f = match m with None -> "none" | Some x -> f x
end
module Lst = struct
  type 'a t = 'a list
  let return x = [ x ]
  let bind m f = List.concat_map f m
  let run m f = "[" ^ String.concat "; " (List.map f m) ^ "]"
end
module Id = struct
  type 'a t = 'a
  let return x = x
  let bind m f = f m
  let run m f = f m
end
let program (module M : MONAD) =
  let ( let* ) = M.bind in
  let m =
    let* x = M.return 3 in
    let* s = M.return "ab" in
    let* f = M.return 1.5 in
    M.return (x, s, f)
  in
  M.run m (fun (x, s, f) -> Printf.sprintf "%d %s %g" x s f)
let () = List.iter (fun m -> print_endline (program m)) [ (module Opt : MONAD); (module Lst); (module Id) ]

module type DEEP = sig
  type t
  module Inner : sig
    type u
    val make : t -> u
    module Most : sig val show : u -> string end
  end
  val x : t
  val pair : 'a -> 'b -> 'a * 'b
  val choose : bool -> 'a -> 'a -> 'a
end
module D1 = struct
  type t = int
  module Inner = struct
    type u = int * int
    let make x = (x, x)
    module Most = struct let show (a, b) = Printf.sprintf "<%d,%d>" a b end
  end
  let x = 4
  let pair a b = (a, b)
  let choose c a b = if c then a else b
end
let deep (module D : DEEP) =
  let (a, b) = D.pair (D.Inner.make D.x) "s" in
  D.Inner.Most.show (D.choose true a (D.Inner.make D.x)) ^ b ^ string_of_int (D.choose false 1 2)
let () = print_endline (deep (module D1))
let () =
  print_endline
    (deep
       (module struct
         include D1
         type t = string
         module Inner = struct
           type u = string list
           let make s = [ s; s ]
           module Most = struct let show = String.concat "+" end
         end
         let x = "x"
       end))

module type SHAPES = sig
  type point
  type shape = Dot of point | Line of { from : point; into : point } | Many of shape list
  type info = { name : string; mutable hits : int }
  val origin : point
  val shift : point -> point
  val text : point -> string
  val info : info
end
module Int_shapes = struct
  type point = int
  type shape = Dot of point | Line of { from : point; into : point } | Many of shape list
  type info = { name : string; mutable hits : int }
  let origin = 0
  let shift = succ
  let text = string_of_int
  let info = { name = "int"; hits = 0 }
end
module Pair_shapes = struct
  type point = float * float
  type shape = Dot of point | Line of { from : point; into : point } | Many of shape list
  type info = { name : string; mutable hits : int }
  let origin = (0., 0.)
  let shift (a, b) = (a +. 1., b -. 1.)
  let text (a, b) = Printf.sprintf "(%g,%g)" a b
  let info = { name = "pair"; hits = 0 }
  let rec size = function Dot _ -> 1 | Line _ -> 2 | Many l -> List.fold_left (fun n s -> n + size s) 0 l
  let () = print_int (size (Many [ Dot origin; Line { from = origin; into = (1., 2.) } ])); print_newline ()
end
let draw (module S : SHAPES) =
  let rec go = function
    | S.Dot p -> S.text p
    | S.Line { from; into } -> S.text from ^ "-" ^ S.text into
    | S.Many l -> String.concat " " (List.map go l)
  in
  let p = S.shift S.origin in
  S.info.S.hits <- S.info.S.hits + 1;
  Printf.printf "%s#%d: %s\n" S.info.S.name S.info.S.hits
    (go (S.Many [ S.Dot p; S.Line { from = S.origin; into = S.shift p } ]))
let () =
  List.iter draw [ (module Int_shapes : SHAPES); (module Pair_shapes); (module Int_shapes) ];
  Printf.printf "%d\n" Int_shapes.info.Int_shapes.hits
