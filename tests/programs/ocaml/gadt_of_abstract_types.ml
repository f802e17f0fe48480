(* A constructor may hold what its result is made of, though the abstract type in it may forget its argument. *)
module type Box = sig
  type 'a t
  val make : 'a -> 'a t
  val show : ('a -> string) -> 'a t -> string
end

module Make (M : Box) = struct
  type _ witness = Whole : 'a M.t -> 'a M.t witness | Int : int -> int witness | Listed : 'b -> 'b list witness

  let count : type a. a witness -> int = function Whole _ -> 1 | Int n -> n | Listed _ -> 2
  let whole : type a. a witness -> a = function Whole x -> x | Int n -> n + 1 | Listed x -> [ x ]
end

module List_box = struct
  type 'a t = 'a list
  let make x = [ x; x ]
  let show f l = String.concat ";" (List.map f l)
end

module W = Make (List_box)

let () =
  print_int (W.count (W.Whole [ 1 ]) + W.count (W.Int 10) + W.count (W.Listed "a"));
  print_string (List_box.show string_of_int (W.whole (W.Whole (List_box.make 4))));
  print_int (W.whole (W.Int 1));
  List.iter print_endline (W.whole (W.Listed "x"))
