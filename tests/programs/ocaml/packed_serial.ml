(* Serializers by packed type classes: dictionaries made of dictionaries. *)
module type CODEC = sig
  type t
  val name : string
  val write : Buffer.t -> t -> unit
  val read : string -> int -> t * int
end
type 'a codec = (module CODEC with type t = 'a)

let int : int codec = (module struct
  type t = int
  let name = "int"
  let write b x = Buffer.add_string b (string_of_int x); Buffer.add_char b ';'
  let read s i = let j = String.index_from s i ';' in (int_of_string (String.sub s i (j - i)), j + 1)
end)
let string : string codec = (module struct
  type t = string
  let name = "string"
  let write b x = Buffer.add_string b (Printf.sprintf "%d:%s" (String.length x) x)
  let read s i =
    let j = String.index_from s i ':' in
    let n = int_of_string (String.sub s i (j - i)) in
    (String.sub s (j + 1) n, j + 1 + n)
end)
let pair (type a b) (module A : CODEC with type t = a) (module B : CODEC with type t = b) : (a * b) codec =
  (module struct
    type t = a * b
    let name = "(" ^ A.name ^ " * " ^ B.name ^ ")"
    let write buf (a, b) = A.write buf a; B.write buf b
    let read s i = let a, i = A.read s i in let b, i = B.read s i in ((a, b), i)
  end)
module List_codec (A : CODEC) : CODEC with type t = A.t list = struct
  type t = A.t list
  let name = A.name ^ " list"
  let write b l = List.iter (fun x -> Buffer.add_char b '+'; A.write b x) l; Buffer.add_char b '.'
  let rec read s i =
    if s.[i] = '.' then ([], i + 1)
    else let x, i = A.read s (i + 1) in let l, i = read s i in (x :: l, i)
end
let list (type a) (c : a codec) : a list codec =
  let module A = (val c) in
  (module List_codec (A))
let option (type a) ((module A) : a codec) : a option codec =
  (module struct
    type t = a option
    let name = A.name ^ " option"
    let write b = function None -> Buffer.add_char b 'n' | Some x -> Buffer.add_char b 's'; A.write b x
    let read s i = if s.[i] = 'n' then (None, i + 1) else let x, i = A.read s (i + 1) in (Some x, i)
  end)

let to_string (type a) ((module C) : a codec) (x : a) =
  let b = Buffer.create 16 in C.write b x; Buffer.contents b
let of_string (type a) ((module C) : a codec) s : a = fst (C.read s 0)

let round (type a) (c : a codec) (x : a) =
  let (module C) = c in
  let s = to_string c x in
  Printf.printf "%-40s %s %b\n" C.name s (of_string c s = x)
let () =
  round int 42;
  round (list int) [ 1; 2; 3 ];
  round (pair string (list (pair int string))) ("key", [ (1, "a"); (2, "bb") ]);
  round (option (list (option int))) (Some [ None; Some 5 ])
let rec nested : type a. int -> a codec -> a -> unit = fun n c x ->
  if n = 0 then round c x else nested (n - 1) (pair c c) (x, x)
let () = nested 3 int 7
type any = Any : 'a codec * 'a -> any
let () = List.iter (fun (Any (c, x)) -> print_endline (to_string c x)) [ Any (int, 1); Any (string, "x"); Any (pair int int, (1, 2)) ]
