(* polymorphic variants with open recursion: extensible evaluator; rows; coercion; hash tables keyed by variants *)
module Core = struct
  type 'a expr = [ `Num of int | `Add of 'a * 'a | `Neg of 'a ]
  let eval_core self : _ expr -> int = function `Num n -> n | `Add (a, b) -> self a + self b | `Neg a -> - (self a)
  let show_core self : _ expr -> string = function `Num n -> string_of_int n | `Add (a, b) -> Printf.sprintf "(%s + %s)" (self a) (self b) | `Neg a -> "-" ^ self a
  let map f : 'a expr -> 'b expr = function `Num _ as n -> n | `Add (a, b) -> `Add (f a, f b) | `Neg a -> `Neg (f a)
end
module Ext = struct
  type 'a expr = [ 'a Core.expr | `Mul of 'a * 'a | `Let of string * 'a * 'a | `Var of string ]
  let eval_ext env self : _ expr -> int = function
    | #Core.expr as e -> Core.eval_core (self env) e
    | `Mul (a, b) -> self env a * self env b
    | `Let (x, a, b) -> let v = self env a in self ((x, v) :: env) b
    | `Var x -> List.assoc x env
  let show_ext self : _ expr -> string = function
    | #Core.expr as e -> Core.show_core self e
    | `Mul (a, b) -> self a ^ " * " ^ self b | `Let (x, a, b) -> Printf.sprintf "let %s = %s in %s" x (self a) (self b) | `Var x -> x
end
type core = core Core.expr
type ext = ext Ext.expr
let rec eval_c (e : core) = Core.eval_core eval_c e
let rec eval_e env (e : ext) = Ext.eval_ext env eval_e e
let rec show_e (e : ext) = Ext.show_ext show_e e
let rec simp (e : ext) : ext = match e with
  | `Add (`Num 0, x) | `Add (x, `Num 0) -> simp x
  | `Mul (`Num 1, x) | `Mul (x, `Num 1) -> simp x
  | `Mul ((`Num 0 as z), _) | `Mul (_, (`Num 0 as z)) -> z
  | #Core.expr as c -> (Core.map simp c :> ext)
  | `Mul (a, b) -> `Mul (simp a, simp b) | `Let (x, a, b) -> `Let (x, simp a, simp b) | `Var _ as v -> v
type color = [ `Red | `Green | `Blue ] type shade = [ color | `Rgb of int * int * int ]
let name : color -> string = function `Red -> "red" | `Green -> "green" | `Blue -> "blue"
let rgb : shade -> int * int * int = function `Red -> 255, 0, 0 | `Green -> 0, 255, 0 | `Blue -> 0, 0, 255 | `Rgb (r, g, b) -> r, g, b
let is_primary : [> color ] -> bool = function #color -> true | _ -> false
let opt ?(mode : [< `Fast | `Slow > `Slow ] = `Slow) () = match mode with `Fast -> 1 | `Slow -> 2
let classify x = match x with `Int n when n > 10 -> `Big n | `Int n -> `Small n | `Str s -> `Text (String.length s) | other -> other
let () =
  let e : core = `Add (`Num 3, `Neg (`Num 1)) in
  Printf.printf "%d\n" (eval_c e);
  let e' : ext = `Let ("x", `Add (`Num 0, `Num 5), `Mul (`Mul (`Var "x", `Num 1), `Add (`Var "x", `Num 0))) in
  Printf.printf "%s = %d\n" (show_e e') (eval_e [] e'); let s = simp e' in Printf.printf "%s = %d\n" (show_e s) (eval_e [] s);
  let up : core -> ext = fun c -> (c :> ext) in
  print_endline (show_e (up e));
  List.iter (fun c -> let r, g, b = rgb (c :> shade) in Printf.printf "%s %d %d %d\n" (name c) r g b) [`Red; `Green; `Blue];
  Printf.printf "%b %b\n" (is_primary `Red) (is_primary (`Rgb (1, 2, 3)));
  Printf.printf "%d %d\n" (opt ()) (opt ~mode:`Fast ());
  let h : ([ `A | `B of int ], string) Hashtbl.t = Hashtbl.create 3 in
  Hashtbl.add h `A "a"; Hashtbl.add h (`B 2) "b2"; Printf.printf "%s %s %b\n" (Hashtbl.find h `A) (Hashtbl.find h (`B 2)) (Hashtbl.mem h (`B 3));
  let l = List.map classify [`Int 5; `Int 50; `Str "abc"; `Other] in
  List.iter (function `Big n -> Printf.printf "big %d " n | `Small n -> Printf.printf "small %d " n | `Text n -> Printf.printf "text %d " n | `Other -> print_string "other " | `Int _ | `Str _ -> print_string "?") l; print_newline ();
  Printf.printf "%d %b %b\n" (compare `A `B) (`A < `B) (`X (1, "a") = `X (1, "a"));
  Printf.printf "%d %d\n" (Hashtbl.hash `Foo) (Hashtbl.hash (`Foo 3));
  print_endline (String.concat "," (List.map (function `A -> "A" | `B -> "B" | `C -> "C") (List.sort compare [`C; `A; `B; `A])))
