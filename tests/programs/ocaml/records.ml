(* Records: mutable fields, with-updates, punning, nested patterns, shared labels. *)

type point = { x : int; y : int }
type rect = { top_left : point; size : point; label : string }
type cell = { mutable value : int; mutable hits : int; id : int }
type 'a boxed = { content : 'a; mutable tag : string option }
type mixed = { a : float; b : int; c : string; d : float }
type all_float = { mutable u : float; mutable v : float }

let origin = { x = 0; y = 0 }
let move dx dy p = { x = p.x + dx; y = p.y + dy }
let shift dx r = { r with top_left = move dx 0 r.top_left }
let area { size = { x; y }; _ } = x * y
let show { x; y } = Printf.sprintf "(%d,%d)" x y

let touch c =
  c.hits <- c.hits + 1;
  c.value <- c.value * 2;
  c

let classify = function
  | { x = 0; y = 0 } -> "origin"
  | { x = 0; _ } -> "on y axis"
  | { y = 0; x } when x > 0 -> "on positive x axis"
  | { y = 0 } -> "on negative x axis"
  | { x; y } -> if x = y then "diagonal" else "elsewhere"

module Person = struct
  type t = { name : string; age : int; friends : t list }
  let make ?(friends = []) name age = { name; age; friends }
  let birthday p = { p with age = p.age + 1 }
end

let () =
  let p = move 3 4 origin in
  print_endline (show p ^ show origin);
  let r = { top_left = p; size = { x = 10; y = 5 }; label = "box" } in
  let r2 = shift 7 { r with label = r.label ^ "'" } in
  Printf.printf "%s %s %d %s\n" (show r.top_left) (show r2.top_left) (area r2) r2.label;
  let c = { value = 1; hits = 0; id = 9 } in
  let d = { c with value = 5 } in
  ignore (touch (touch (touch c)));
  ignore (touch d);
  Printf.printf "%d %d %d / %d %d %d\n" c.value c.hits c.id d.value d.hits d.id;
  List.iter (fun p -> Printf.printf "%s: %s\n" (show p) (classify p))
    [ origin; { x = 0; y = 5 }; { x = 3; y = 0 }; { x = -3; y = 0 }; { x = 2; y = 2 }; { x = 1; y = 9 } ];
  let b = { content = [ 1; 2 ]; tag = None } in
  b.tag <- Some "ints";
  let b' = { content = "text"; tag = b.tag } in
  Printf.printf "%d %s %s\n" (List.length b.content) b'.content (Option.get b'.tag);
  let m = { a = 1.5; b = 2; c = "three"; d = 4.25 } in
  let { a; d; _ } = m in
  Printf.printf "%.2f %s\n" (a +. d) m.c;
  let f = { u = 1.; v = 2. } in
  f.u <- f.u +. f.v;
  let g = { f with v = 10. } in
  f.v <- -1.;
  Printf.printf "%g %g %g %g\n" f.u f.v g.u g.v;
  let ann = Person.make "Ann" 30 in
  let bob = Person.make ~friends:[ ann; Person.birthday ann ] "Bob" 40 in
  List.iter (fun { Person.name; age; _ } -> Printf.printf "%s %d\n" name age) bob.Person.friends;
  Printf.printf "%b %b %b\n" (p = { x = 3; y = 4 }) (p == p) (compare { x = 1; y = 9 } { x = 2; y = 0 } < 0)
