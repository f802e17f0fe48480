(* A state machine whose states and inputs are rows; each step accepts some states only. *)
type state = [ `Idle | `Connecting of int | `Connected of string | `Failed of [ `Timeout | `Refused of int ] ]
let step (s : state) input : state =
  match s, input with
  | `Idle, `Connect -> `Connecting 0
  | `Connecting n, `Retry when n < 2 -> `Connecting (n + 1)
  | `Connecting _, `Retry -> `Failed `Timeout
  | `Connecting _, `Accept host -> `Connected host
  | `Connecting _, `Refuse code -> `Failed (`Refused code)
  | `Connected _, `Close -> `Idle
  | `Failed _, `Reset -> `Idle
  | s, _ -> s
let show : state -> string = function
  | `Idle -> "idle" | `Connecting n -> Printf.sprintf "connecting(%d)" n
  | `Connected h -> "connected to " ^ h
  | `Failed `Timeout -> "timeout" | `Failed (`Refused n) -> Printf.sprintf "refused %d" n
let run inputs =
  let final = List.fold_left (fun s i -> let s' = step s i in Printf.printf "%s -> %s\n" (show s) (show s'); s') `Idle inputs in
  Printf.printf "final: %s\n" (show final)
(* configuration by rows *)
let configure ?(level = `Info) ?(out = `Stderr) options =
  let name = match level with `Debug -> "debug" | `Info -> "info" | `Error -> "error" in
  let out = match out with `Stderr -> "stderr" | `Stdout -> "stdout" | `File f -> "file " ^ f in
  let flag = function `Color -> "color" | `Indent n -> "indent=" ^ string_of_int n | `Raw -> "raw" in
  Printf.printf "%s to %s [%s]\n" name out (String.concat ";" (List.map flag options))
module Perm = struct
  type 'a file = { name : string; mutable pos : int }
  let open_ name : [ `Read | `Write ] file = { name; pos = 0 }
  let read (f : [> `Read ] file) = f.pos <- f.pos + 1; f.name ^ string_of_int f.pos
  let write (f : [> `Write ] file) s = f.pos <- f.pos + String.length s
  let readonly (f : [> `Read ] file) : [ `Read ] file = { name = f.name; pos = f.pos }
end
let swap = function `Left x -> `Right x | `Right x -> `Left x
let rec fold f acc = function `Leaf -> acc | `Node (l, x, r) -> fold f (f (fold f acc l) x) r
let rec insert x = function
  | `Leaf -> `Node (`Leaf, x, `Leaf)
  | `Node (l, y, r) as t -> if x < y then `Node (insert x l, y, r) else if x > y then `Node (l, y, insert x r) else t
let counter : ([ `A | `B of int | `C of string ], int) Hashtbl.t = Hashtbl.create 16
let count k = Hashtbl.replace counter k (1 + try Hashtbl.find counter k with Not_found -> 0)
let () =
  run [ `Connect; `Retry; `Retry; `Retry; `Reset; `Connect; `Accept "host"; `Close; `Connect; `Refuse 7 ];
  configure [ `Color; `Indent 2 ];
  configure ~level:`Debug ~out:(`File "x.log") [ `Raw ];
  let f = Perm.open_ "f" in
  Perm.write f "abc"; print_endline (Perm.read f); print_endline (Perm.read (Perm.readonly f));
  (match swap (`Left 3) with `Left _ -> print_endline "left" | `Right n -> Printf.printf "right %d\n" n);
  (match swap (`Right "s") with `Left s -> Printf.printf "left %s\n" s | `Right _ -> print_endline "right");
  let t = List.fold_left (fun t x -> insert x t) `Leaf [ 5; 2; 8; 1; 9; 3 ] in
  print_endline (String.concat " " (List.rev (fold (fun acc x -> string_of_int x :: acc) [] t)));
  let s = List.fold_left (fun t x -> insert x t) `Leaf [ "b"; "a"; "c" ] in
  print_endline (String.concat " " (List.rev (fold (fun acc x -> x :: acc) [] s)));
  List.iter count [ `A; `B 1; `A; `B 2; `B 1; `C "x" ];
  Printf.printf "%d %d %d %d\n" (Hashtbl.find counter `A) (Hashtbl.find counter (`B 1)) (Hashtbl.find counter (`B 2)) (Hashtbl.find counter (`C "x"));
  let cmp = List.map (fun (a, b) -> compare a b) [ `A, `B 1; `B 1, `A; `B 1, `B 2; `C "a", `B 9; `A, `A; `D, `A ] in
  print_endline (String.concat " " (List.map string_of_int cmp));
  let module S = Set.Make (struct type t = [ `X of int | `Y | `Z of float ] let compare = compare end) in
  let set = S.of_list [ `X 2; `Y; `Z 1.5; `X 1; `Y; `Z 0.5 ] in
  S.iter (function `X n -> Printf.printf "X%d " n | `Y -> print_string "Y " | `Z f -> Printf.printf "Z%.1f " f) set;
  print_newline ();
  Printf.printf "%b %b\n" (`Z nan = `Z nan) (compare (`Z nan) (`Z nan) = 0);
  (try ignore (`F (fun x -> x + 1) = `F (fun x -> x)) with Invalid_argument m -> print_endline m);
  Printf.printf "%d %d %d %d\n" (Hashtbl.hash `Null) (Hashtbl.hash (`X (1, "a"))) (Hashtbl.hash (`Y [ `A; `B ])) (Hashtbl.hash (`VeryLongTagNameForHash 1.5))
