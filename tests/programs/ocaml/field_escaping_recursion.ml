(* Recursive closures that outlive the frame they were made in. *)

let make_power base = let rec go n = if n = 0 then 1 else base * go (n - 1) in go

let make_mutual k =
  let rec up n = if n > k then [ n ] else n :: down (n * 2)
  and down n = if n <= 0 then [ n ] else n :: up (n - 1) in
  (up, down)

type stream = Stream of int * (unit -> stream)

let stream start =
  let rec from n = Stream (n, fun () -> from (n + start)) in
  from start

let rec take n (Stream (x, next)) = if n = 0 then [] else x :: take (n - 1) (next ())

let fix f = let rec go x = f go x in go
let deep k = let rec a n = if n = 0 then k else let rec b m = if m = 0 then a (n - 1) else 1 + b (m - 1) in b n in a

let self_storing () =
  let cell = ref [] in
  let rec f n = if n > 0 then (cell := f :: !cell; f (n - 1)) else List.length !cell in
  let first = f 3 in
  let stored = !cell in
  cell := [];
  (first, List.map (fun g -> g 2) stored)

let rec walker = function [] -> (fun acc -> acc) | x :: rest -> let k = walker rest in fun acc -> k ((acc * 10) + x)

type machine = { step : int -> machine option; name : string }

let machine limit =
  let rec state name total =
    { name; step = (fun n -> if total + n > limit then None else Some (state (name ^ string_of_int n) (total + n))) }
  in
  state "m" 0

let () =
  let fs = List.map make_power [ 2; 3; 10 ] in
  print_endline (String.concat " " (List.map (fun f -> string_of_int (f 5)) (List.rev fs)));
  let up, down = make_mutual 20 and up', _ = make_mutual 3 in
  let show l = print_endline (String.concat "," (List.map string_of_int l)) in
  show (up 3);
  show (down 3);
  show (up' 3);
  show (take 5 (stream 3));
  show (take 3 (stream 7));
  Printf.printf "%d %d\n" (fix (fun self n -> if n < 2 then 1 else n * self (n - 1)) 10) (deep 7 5);
  let a, l = self_storing () in
  Printf.printf "%d " a;
  show l;
  Printf.printf "%d\n" (walker [ 1; 2; 3; 4 ] 0);
  let rec drive m inputs =
    match inputs with
    | [] -> m.name ^ "."
    | n :: rest -> (match m.step n with Some m -> drive m rest | None -> m.name ^ "!")
  in
  let m = machine 10 in
  Printf.printf "%s %s\n" (drive m [ 1; 2; 3 ]) (drive m [ 5; 4; 3 ])
