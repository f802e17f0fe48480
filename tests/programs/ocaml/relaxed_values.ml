(* The relaxed value restriction: what was computed holds nothing of a type in a covariant place. *)
module Ast = struct type +'a t = Nop | Seq of 'a t * 'a t | Tag of 'a * 'a t | Count of int end
open Ast
let calls = ref 0
let break n = incr calls; if n = 0 then Nop else Seq (Nop, Count n)
let space = break 1
let rec size show = function Nop -> 0 | Seq (a, b) -> size show a + size show b | Tag (x, t) -> show x + size show t | Count n -> n
let () = Printf.printf "%d %d %d\n" (size Fun.id (Tag (4, space))) (size String.length (Tag ("abc", space))) (size (fun () -> 1) space)
let empty = List.rev []
let () = Printf.printf "%d %s\n" (List.length (1 :: empty)) (String.concat "," ("a" :: empty))
class ['a] stack = object val mutable items : 'a list = [] method items = items method size = List.length items end
class ['a] bag = object method all : 'a list = [] method n = 3 end
let bag = new bag
let () = Printf.printf "%d %d %d\n" (List.length (1 :: bag#all)) (List.length ("x" :: bag#all)) bag#n
let local () =
  let none = incr calls; List.find_opt (fun _ -> true) [] in
  (match none with Some x -> x + 1 | None -> 10) + (match none with Some s -> String.length s | None -> 5)
let () = Printf.printf "%d %d\n" (local ()) !calls
let lazy_one = Lazy.from_fun (fun () -> incr calls; [])
let () = Printf.printf "%d %d %d\n" (List.length (1 :: Lazy.force lazy_one)) (List.length ("a" :: Lazy.force lazy_one)) !calls
let fail = ignore 1; fun s -> failwith s
let () = try ignore (1 + fail "no") with Failure m -> print_endline m
module M : sig type +'a t val x : 'a t val get : 'a t -> 'a list end = struct type 'a t = 'a list let x = List.rev [] let get x = x end
let () = Printf.printf "%d %d\n" (List.length (1 :: M.get M.x)) (List.length (2.5 :: M.get M.x))
