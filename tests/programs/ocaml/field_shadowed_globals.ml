(* A name that is bound again nearer by is the nearer one, also inside closures made before. *)

let x = 1
let f () = x
let g = fun y -> x + y
let x = "text"
let h () = x ^ "!"

let nested x =
  let f () = x in
  let x = x + 1 in
  let g () = f () * x in
  let x = g () in
  let rec f n = if n = 0 then x else f (n - 1) + 1 in
  (f 3, g ())

let parameter f = let f x = f (x + 1) in let f x = f (f x) in f 0
let pattern (x, y) = match (y, x) with x, y when x > y -> x - y | y, x -> (x * 10) + y
let both x = let x = x + 1 and y = x * 100 in (x, y)
let in_arms v = match v with Some v -> (match v with Some v -> v | None -> -1) | None -> -2

module M = struct
  let x = 10
  let f () = x
  module N = struct let x = x + 5 let f () = f () + x end
  let x = x * 2
  let g () = (f (), N.f (), x)
end

let local_open = let x = 3 in M.(x + f ()) + x
let rec loop x acc = if x = 0 then acc else let acc = x :: acc in let x = x - 1 in loop x acc

let handler x = try (try if x > 0 then failwith "x" else raise Not_found with Failure x -> x) with _ -> "outer"
let ref_shadow () = let r = ref 1 in let get () = !r in let r = ref 2 in r := 3; (get (), !r)
let for_shadow i = let s = ref 0 in for i = i to i + 2 do s := !s + i done; !s + i

let () =
  Printf.printf "%d %d %s %s\n" (f ()) (g 1) (h ()) x;
  let a, b = nested 5 in
  Printf.printf "%d %d %d %d %d\n" a b (parameter (fun x -> x * 3)) (pattern (1, 2)) (pattern (2, 1));
  let a, b = both 1 in
  Printf.printf "%d %d %d %d\n" a b (in_arms (Some (Some 4))) (in_arms (Some None));
  let a, b, c = M.g () in
  Printf.printf "%d %d %d %d %d\n" a b c M.N.x local_open;
  print_endline (String.concat "" (List.map string_of_int (loop 5 [])));
  Printf.printf "%s %s\n" (handler 1) (handler 0);
  let a, b = ref_shadow () in
  Printf.printf "%d %d %d\n" a b (for_shadow 4)
