(* What is read from a place that is overwritten next is moved: globals, fields, elements; on all ways, or not. *)

type tree = Leaf | Node of tree * int * tree
type set = { mutable root : tree; mutable size : int; name : string }

let rec insert x t =
  match t with
  | Leaf -> Node (Leaf, x, Leaf)
  | Node (l, y, r) ->
    if x < y then Node (insert x l, y, r) else if x > y then Node (l, y, insert x r) else t

let rec member x = function Leaf -> false | Node (l, y, r) -> x = y || member x (if x < y then l else r)
let rec to_list t acc = match t with Leaf -> acc | Node (l, x, r) -> to_list l (x :: to_list r acc)

exception Refused

let rec insert_odd x t = if x mod 2 = 0 then raise Refused else insert x t

let shared = { root = Leaf; size = 0; name = "shared" }
let add_shared x = shared.root <- insert x shared.root

let add set x =
  set.root <- insert x set.root;
  set.size <- set.size + 1

(* The value must stay if the function raises. *)
let add_odd set x = try set.root <- insert_odd x set.root with Refused -> ()

let same = { root = Leaf; size = 0; name = "same" }

(* The function on the way reads the place. *)
let count = ref [ 0 ]
let peek x = (match !count with y :: _ -> y | [] -> -1) + x
let push_peek x = count := peek x :: !count
let grow l = peek 1 :: l
let push_grow () = count := grow !count

let buckets : (int * string) list array = Array.make 8 []

let put k v =
  let at = k land 7 in
  buckets.(at) <- (k, v) :: buckets.(at)

let update k f =
  let at = k land 7 in
  let rec change = function [] -> [] | (j, v) :: r -> if j = k then (j, f v) :: r else (j, v) :: change r in
  buckets.(at) <- change buckets.(at)

(* The store is on one way only. *)
let maybe set x = if x > 3 then set.root <- insert x set.root else ignore (member x set.root)

(* Two objects that may be one. *)
let move a b =
  let t = a.root in
  b.root <- Leaf;
  a.root <- insert 1 t

let swap a =
  let t = a.(0) in
  a.(0) <- a.(1);
  a.(1) <- t

let queue : (int list * int list) ref = ref ([], [])

let rec pop () =
  match !queue with
  | [], [] -> -1
  | [], back ->
    queue := (List.rev back, []);
    pop ()
  | x :: front, back ->
    queue := (front, back);
    x

let enqueue x = queue := (match !queue with front, back -> (front, x :: back))
let stack = ref []

let leave_early n =
  let rec go k = if k = 0 then () else begin stack := (k, string_of_int k) :: !stack; go (k - 1) end in
  go n

let rotate cells i = cells.(i) <- (match cells.(i) with [] -> [ i ] | x :: r -> r @ [ x ])

let () =
  let set = { root = Leaf; size = 0; name = "set" } in
  List.iter (add set) [ 5; 2; 8; 1; 9; 2; 7 ];
  List.iter (add_odd set) [ 3; 4; 11; 12 ];
  let kept = set.root in
  add set 100;
  maybe set 2;
  maybe set 50;
  let show t = String.concat " " (List.map string_of_int (to_list t [])) in
  Printf.printf "%s %d: %s | %s\n" set.name set.size (show set.root) (show kept);
  add same 4;
  move same same;
  Printf.printf "%s\n" (show same.root);
  move set same;
  Printf.printf "%s / %s\n" (show set.root) (show same.root);
  List.iter add_shared [ 3; 1; 2 ];
  Printf.printf "%s\n" (show shared.root);
  for i = 1 to 5 do push_peek i; push_grow () done;
  Printf.printf "%s\n" (String.concat " " (List.map string_of_int !count));
  for i = 1 to 30 do put i (string_of_int i) done;
  for i = 1 to 30 do update i (fun s -> s ^ "'") done;
  Array.iter (fun l -> print_string (String.concat "," (List.map snd l) ^ ";")) buckets;
  print_newline ();
  let a = [| [ "a" ]; [ "b"; "c" ] |] in
  swap a;
  Printf.printf "%s %s\n" (String.concat "" a.(0)) (String.concat "" a.(1));
  for i = 1 to 10 do enqueue i; if i mod 3 = 0 then Printf.printf "%d " (pop ()) done;
  Printf.printf "%d\n" (pop ());
  leave_early 10;
  Printf.printf "%d\n" (List.length !stack);
  let cells = [| [ 1; 2; 3 ]; []; [ 4 ] |] in
  for i = 0 to 8 do rotate cells (i mod 3) done;
  Array.iter (fun l -> Printf.printf "%d " (List.fold_left (fun a x -> (a * 10) + x) 0 l)) cells;
  print_newline ();
  at_exit (fun () -> Printf.printf "at exit %d\n" (List.length !stack));
  let stop l = if List.length l > 12 then exit 0 else (0, "") :: l in
  while true do stack := stop !stack done
