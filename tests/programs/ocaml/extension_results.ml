type _ req = ..
type _ req += A : int req | B : 'a list -> 'a req
type _ req += Pair : 'a req * 'b req -> ('a * 'b) req
type _ req += Hidden : 'a * ('a -> string) -> string req
type _ req += Rec : { x : 'a; show : 'a -> string } -> unit req

let rec eval : type a. a req -> a option = function
  | A -> Some 42
  | B (x :: _) -> Some x
  | B [] -> None
  | Pair (a, b) -> (match eval a, eval b with Some x, Some y -> Some (x, y) | _ -> None)
  | Hidden (x, f) -> Some (f x)
  | Rec r -> print_endline (r.show r.x); Some ()
  | _ -> None

exception E : 'a * ('a -> string) -> exn
exception Plain : int -> exn
exception Two : 'a list * 'a -> exn

type 'a box = ..
type 'a box += Box of 'a | Both of 'a * 'a list
type 'a box += Named of { value : 'a; name : string }

let show_box (f : 'a -> string) (b : 'a box) = match b with
  | Box x -> "Box " ^ f x
  | Both (x, l) -> "Both " ^ String.concat "," (List.map f (x :: l))
  | Named { value; name } -> name ^ "=" ^ f value
  | _ -> "?"

let () =
  (match eval A with Some n -> Printf.printf "%d\n" n | None -> ());
  (match eval (B ["x"; "y"]) with Some s -> print_endline s | None -> ());
  (match eval (Pair (A, B [1.5])) with Some (n, f) -> Printf.printf "%d %g\n" n f | None -> ());
  (match eval (Hidden (3, string_of_int)) with Some s -> print_endline s | None -> ());
  ignore (eval (Rec { x = 2.5; show = string_of_float }));
  (try raise (E (7, fun n -> string_of_int (n + 1))) with E (x, f) -> print_endline (f x));
  (try raise (E ("s", String.uppercase_ascii)) with E (x, f) -> print_endline (f x));
  (try raise (Plain 3) with Plain n -> Printf.printf "%d\n" n);
  (try raise (Two ([1; 2], 3)) with Two (l, _) -> Printf.printf "%d\n" (List.length l));
  print_endline (show_box string_of_int (Box 3));
  print_endline (show_box Fun.id (Both ("a", ["b"])));
  print_endline (show_box string_of_float (Named { value = 1.25; name = "v" }));
  print_endline (Printexc.to_string (Plain 5));
  print_endline (Printexc.to_string (E (1, string_of_int)))
module type S = sig type _ t = .. type _ t += X : int -> int t | Y : 'a -> 'a t exception Z : 'a list -> exn end
module M : S = struct type _ t = .. type _ t += X : int -> int t | Y : 'b -> 'b t exception Z : 'c list -> exn end
let f : type a. a M.t -> a = function M.X n -> n + 1 | M.Y v -> v | _ -> failwith "other"
let () = Printf.printf "%d %s\n" (f (M.X 3)) (f (M.Y "y"))
let () = try raise (M.Z [1;2;3]) with M.Z l -> Printf.printf "%d\n" (List.length l)
let g () =
  let exception Local : 'a * 'a list -> exn in
  try raise (Local (1, [2])) with Local (_, l) -> List.length l
let () = Printf.printf "%d\n" (g ())
