module type SHAPE = sig
  type 'a repr
  val int : int repr
  val name : 'a repr -> string
end
module Types : sig
  type _ t = Int : int t | Float : float t | Opt : 'a t -> 'a option t
  type (_, _) eq = Refl : ('a, 'a) eq
  val equal : 'a t -> 'b t -> ('a, 'b) eq option
  val default : 'a t -> 'a
  include SHAPE with type 'a repr := 'a t
end = struct
  type _ t = Int : int t | Float : float t | Opt : 'a t -> 'a option t
  type (_, _) eq = Refl : ('a, 'a) eq
  let rec equal : type a b. a t -> b t -> (a, b) eq option = fun a b ->
    match a, b with
    | Int, Int -> Some Refl
    | Float, Float -> Some Refl
    | Opt a, Opt b -> (match equal a b with Some Refl -> Some Refl | None -> None)
    | Int, _ | Float, _ | Opt _, _ -> None
  let rec default : type a. a t -> a = function Int -> 0 | Float -> 0. | Opt t -> Some (default t)
  let int = Int
  let rec name : type a. a t -> string = function Int -> "int" | Float -> "float" | Opt t -> name t ^ " option"
end
module Table (K : sig type _ key val equal : 'a key -> 'b key -> ('a, 'b) Types.eq option end) = struct
  type entry = Entry : 'a K.key * 'a -> entry
  type t = entry list
  let empty : t = []
  let add k v t = Entry (k, v) :: t
  let rec find : type a. a K.key -> t -> a option = fun k -> function
    | [] -> None
    | Entry (k', v) :: rest -> match K.equal k' k with Some Types.Refl -> Some v | None -> find k rest
end
module T = Table (struct type 'a key = 'a Types.t let equal = Types.equal end)
let () =
  let t = T.add Types.Int 3 (T.add (Types.Opt Types.Float) (Some 1.5) T.empty) in
  (match T.find Types.Int t with Some n -> Printf.printf "%d\n" (n + 1) | None -> print_endline "none");
  (match T.find (Types.Opt Types.Float) t with Some (Some x) -> Printf.printf "%g\n" x | _ -> print_endline "none");
  (match T.find Types.Float t with Some x -> Printf.printf "%g\n" x | None -> print_endline "none");
  print_endline (Types.name (Types.Opt (Types.Opt Types.int)));
  match Types.default (Types.Opt Types.Int) with Some n -> Printf.printf "%d\n" n | None -> ()
