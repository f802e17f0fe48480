let rec f : 'a. ?depth:int -> show:('a -> string) -> 'a -> string = fun ?(depth = 3) ~show x ->
  if depth = 0 then show x else f ~depth:(depth - 1) ~show:(fun (a, b) -> show a ^ "|" ^ show b) (x, x)
let g = f ~show:string_of_int
type 'a rose = Rose of 'a * 'a rose list
type ('a, 'b) alt = End of 'a | Swap of ('b, 'a * 'b) alt
let rec len : 'a 'b. ('a, 'b) alt -> int = function End _ -> 0 | Swap a -> 1 + len a
let rec last : 'a 'b. ('a -> string) -> ('b -> string) -> ('a, 'b) alt -> string = fun f g -> function
  | End x -> f x
  | Swap a -> last g (fun (x, y) -> "<" ^ f x ^ g y ^ ">") a
module type S = sig type t val show : t -> string end
module F (X : S) = struct
  type 'a p = P of 'a | Q of (X.t * 'a) p
  let rec show : 'a. ('a -> string) -> 'a p -> string = fun f -> function
    | P x -> f x | Q p -> show (fun (t, x) -> X.show t ^ f x) p
end
module A = F (struct type t = int let show = string_of_int end)
module B = F (struct type t = string let show s = s end)
let rec even : 'a. int -> 'a list -> int = fun n l -> if n = 0 then List.length l else odd (n - 1) [l]
and odd : 'a. int -> 'a list -> int = fun n l -> if n = 0 then - (List.length l) else even (n - 1) (l :: [])
let () =
  print_endline (g 1); print_endline (f ~depth:1 ~show:Fun.id "z");
  Printf.printf "%d %s\n" (len (Swap (Swap (End (1, 2))))) (last string_of_int (fun s -> s) (Swap (Swap (End (5, "q")))));
  print_endline (A.show Fun.id (A.Q (A.Q (A.P (1, (2, "end"))))));
  print_endline (B.show string_of_int (B.Q (B.P ("s", 3))));
  Printf.printf "%d %d\n" (even 6 [1; 2]) (even 7 ["a"])
