(* Functions held in data of every kind: lists, records, references, arrays, tables, exceptions, suspensions, and
   partial applications of each other. *)

let compose f g = fun x -> f (g x)
let rec chain n = if n = 0 then fun x -> x else compose (fun x -> (x * 3) + n) (chain (n - 1))

(* Lists, and one function used several times. *)
let listed k =
  let step x = x + k in
  let fs = [ step; step; (fun x -> x * k); compose step step ] in
  List.fold_left (fun acc f -> f acc) 1 fs

(* A recursive function that hands itself out. *)
let rec spread n acc = if n = 0 then acc else spread (n - 1) ((fun x -> spread_one n x) :: acc)
and spread_one n x = if n = 0 then x else x + n + List.length (spread (n - 1) [])

let local_recursion limit =
  let rec walk i (use : (int -> int) -> int) =
    if i > limit then 0 else use (fun x -> x + i) + walk (i + 1) (fun f -> f i)
  and self i = if i = 0 then [] else keep :: self (i - 1)
  and keep x = x + limit in
  walk 1 (fun f -> f 100) + List.fold_left (fun a f -> f a) 0 (self 3)

(* Records, with a type parameter and without. *)
type 'a action = { name : string; run : 'a -> 'a; mutable undo : ('a -> 'a) option }

let actions =
  [
    { name = "double"; run = (fun x -> 2 * x); undo = None };
    { name = "chain"; run = chain 3; undo = Some (fun x -> x - 1) };
  ]

let texts = [ { name = "quote"; run = (fun s -> "<" ^ s ^ ">"); undo = Some String.uppercase_ascii } ]

(* References and arrays. *)
let hooks : (unit -> unit) list ref = ref []
let count = ref 0
let on_exit_do f = hooks := f :: !hooks

let table = Array.init 6 (fun i -> if i mod 2 = 0 then ( + ) i else fun x -> x * i)

(* Tables, exceptions, suspensions. *)
let commands : (string, int -> int -> int) Hashtbl.t = Hashtbl.create 8

exception Resume of (int -> string)

let suspended k = lazy (fun x -> x + k)

(* More arguments than a function takes, and fewer. *)
let select i = if i land 1 = 0 then fun x y -> x - y else fun x -> compose (fun y -> x * y) succ
let weigh w x y z = (w * x) + (y land z)

let rec partials n = if n = 0 then [] else weigh n n :: partials (n - 1)

(* A continuation for each outcome. *)
let rec search lo hi succeed fail =
  if lo > hi then fail () else succeed lo (fun () -> search (lo + 1) hi succeed fail)

let triples n =
  search 1 n
    (fun a retry_a ->
      search a n
        (fun b retry_b ->
          if (a * a) + (b * b) = 100 then Printf.sprintf "%d %d" a b else retry_b ())
        retry_a)
    (fun () -> "none")

(* Functions of functions. *)
let zero _ x = x
let next n f x = f (n f x)
let times m n f = m (n f)
let rec numeral n = if n = 0 then zero else next (numeral (n - 1))

let () =
  Printf.printf "%d %d\n" (chain 10 1) (listed 7);
  Printf.printf "%d\n" (List.fold_left (fun a f -> f a) 0 (spread 4 []));
  Printf.printf "%d\n" (local_recursion 5);
  List.iter
    (fun a ->
      let undone = match a.undo with None -> 0 | Some f -> f 10 in
      a.undo <- Some a.run;
      Printf.printf "%s %d %d\n" a.name (a.run 5) undone)
    actions;
  List.iter (fun a -> Printf.printf "%s %s\n" a.name (a.run "x")) texts;
  List.iter (fun i -> on_exit_do (fun () -> count := (!count * 10) + i)) [ 1; 2; 3 ];
  on_exit_do (fun () -> incr count);
  List.iter (fun f -> f ()) !hooks;
  hooks := [];
  Printf.printf "%d\n" !count;
  Printf.printf "%d\n" (Array.fold_left (fun a f -> f a) 3 table);
  Hashtbl.replace commands "add" ( + );
  Hashtbl.replace commands "mix" (fun a -> let b = a * a in fun c -> b - c);
  Hashtbl.replace commands "weigh" (weigh 2 3);
  List.iter
    (fun name -> Printf.printf "%s %d\n" name ((Hashtbl.find commands name) 9 4))
    [ "add"; "mix"; "weigh" ];
  (try raise (Resume (fun n -> string_of_int (n + !count)))
   with Resume k -> print_endline (k 1));
  Printf.printf "%d\n" ((Lazy.force (suspended 3)) 4);
  Printf.printf "%d %d\n" (select 4 10 3) (select 5 10 3);
  Printf.printf "%d\n" (List.fold_left (fun a f -> a + f 7 a) 0 (partials 5));
  print_endline (triples 12);
  Printf.printf "%d\n" (times (numeral 3) (numeral 4) (fun x -> x + 1) 0)
