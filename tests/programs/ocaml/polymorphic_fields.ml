type len = { len : 'a. 'a list -> int; name : string }
type 'b folder = { fold : 'a. ('b -> 'a -> 'b) -> 'b -> 'a list -> 'b; mutable id : 'c. 'c -> 'c }
let by_fold = { len = (fun l -> List.fold_left (fun n _ -> n + 1) 0 l); name = "fold" }
let by_length = { len = List.length; name = "length" }
let rec count = function [] -> 0 | _ :: r -> 1 + count r
let by_count = { by_length with len = count }
let show { len; name } = Printf.printf "%s %d\n" name (len [1; 2; 3])
type monoid = { zero : 'a. 'a list; plus : 'a. 'a list -> 'a list -> 'a list }
type nat = { run : 'a. ('a -> 'a) -> 'a -> 'a }
let zero = { run = fun _ x -> x }
let succ n = { run = fun f x -> f (n.run f x) }
let add m n = { run = fun f x -> m.run f (n.run f x) }
let mul m n = { run = fun f -> m.run (n.run f) }
let to_int n = n.run (fun x -> x + 1) 0
let rec of_int k = if k = 0 then zero else succ (of_int (k - 1))
module M : sig type t = { pick : 'x. 'x -> 'x -> 'x } val first : t end = struct
  type t = { pick : 'a. 'a -> 'a -> 'a }
  let first = { pick = fun a _ -> a }
end
let noisy = { run = (fun f -> print_string "once "; fun x -> f x) }
type visitor = { visit : 'a. 'a -> 'a ref -> unit }
type arr = { get : 'a. 'a array -> int -> 'a }
let () =
  Printf.printf "%d %d\n" (by_fold.len [1; 2]) (by_fold.len ["a"; "b"; "c"]);
  List.iter show [by_fold; by_length; by_count];
  let f = { fold = (fun g z l -> List.fold_left g z l); id = fun x -> x } in
  Printf.printf "%d %d\n" (f.fold (fun n s -> n + String.length s) 0 ["ab"; "cde"]) (f.fold ( + ) 1 [2; 3]);
  Printf.printf "%s %g %b\n" (f.id "x") (f.id 1.5) (f.id true);
  f.id <- (fun x -> print_string "! "; x);
  Printf.printf "%c\n" (f.id 'c');
  let m = { zero = []; plus = (@) } in
  Printf.printf "%d %s\n" (List.length (m.plus [1] m.zero)) (String.concat "," (m.plus ["a"] (m.plus m.zero ["b"])));
  Printf.printf "%d\n" (to_int (add (mul (of_int 6) (of_int 7)) (of_int 3)));
  print_endline ((of_int 3).run (fun s -> s ^ "x") "");
  Printf.printf "%d %s\n" (M.first.M.pick 1 2) (M.first.M.pick "a" "b");
  let once = noisy.run (fun x -> x + 1) in
  Printf.printf "%d %d\n" (once 1) (once 2);
  let v = { visit = fun x r -> r := x } in
  let r = ref 1 and s = ref "one" in
  v.visit 2 r; v.visit "two" s;
  Printf.printf "%d %s\n" !r !s;
  let a = { get = fun a i -> if i < Array.length a then a.(i) else raise Not_found } in
  Printf.printf "%d %g %s\n" (a.get [| 1; 2 |] 1) (a.get [| 1.5; 2.5 |] 0) (a.get [| "x" |] 0);
  (match a.get [| () |] 5 with exception Not_found -> print_endline "none" | () -> ())
