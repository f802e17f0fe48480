(* Tagless final interpreters, packed. *)
module type SYM = sig
  type repr
  val int : int -> repr
  val add : repr -> repr -> repr
  val mul : repr -> repr -> repr
  val neg : repr -> repr
end
type term = { build : 'a. (module SYM with type repr = 'a) -> 'a }

let eval = (module struct
  type repr = int
  let int x = x let add = ( + ) let mul = ( * ) let neg = ( ~- )
end : SYM with type repr = int)
let show = (module struct
  type repr = int -> string
  let int x _ = string_of_int x
  let paren b s = if b then "(" ^ s ^ ")" else s
  let add a b p = paren (p > 1) (a 1 ^ " + " ^ b 1)
  let mul a b p = paren (p > 2) (a 2 ^ " * " ^ b 2)
  let neg a _ = "-" ^ a 3
end : SYM with type repr = int -> string)
let depth = (module struct
  type repr = int
  let int _ = 1
  let add a b = 1 + max a b
  let mul = add
  let neg a = 1 + a
end : SYM with type repr = int)

let t1 = { build = fun (type a) (module S : SYM with type repr = a) ->
  S.(mul (add (int 1) (int 2)) (neg (add (int 3) (mul (int 4) (int 5))))) }
let rec tower n : term =
  if n = 0 then { build = fun (type a) (module S : SYM with type repr = a) -> S.int 1 }
  else
    let { build } = tower (n - 1) in
    { build = fun (type a) (module S : SYM with type repr = a) -> S.add (build (module S)) (S.int n) }

let () =
  Printf.printf "%s = %d, depth %d\n" (t1.build show 0) (t1.build eval) (t1.build depth);
  let t = tower 6 in
  Printf.printf "%s = %d, depth %d\n" (t.build show 0) (t.build eval) (t.build depth)

module type ANY = SYM
let list : (string * (module ANY)) list =
  [ "eval", (module (val eval : SYM with type repr = int)); "depth", (module (val depth)) ]
let () = List.iter (fun (n, (module S : SYM)) -> ignore (S.int 3); print_endline n) list
