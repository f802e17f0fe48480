(* Each evaluation of a local declaration makes an exception of its own. *)
let rec nested depth f =
  let exception Stop of int in
  let result =
    try
      if depth = 0 then f () else nested (depth - 1) (fun () -> if depth = 2 then raise (Stop depth) else f ())
    with Stop n -> 100 * depth + n
  in
  result

let () =
  print_int (nested 1 (fun () -> 7)); print_newline ();
  print_int (nested 3 (fun () -> 7)); print_newline ()

(* Two activations at once: the exception of one passes the handler of the other. *)
let guarded name body =
  let exception Leave in
  try body (fun () -> raise Leave) with Leave -> print_endline ("left " ^ name)

let () =
  guarded "outer" (fun leave_outer ->
      guarded "inner" (fun _ -> print_endline "in"; leave_outer ());
      print_endline "not reached");
  guarded "outer" (fun _ -> guarded "inner" (fun leave -> leave ()); print_endline "reached")

(* Its argument may have a type of the function around it. *)
let find_first (type a) (p : a -> bool) (items : a list) : a option =
  let exception Found of a in
  try List.iter (fun x -> if p x then raise (Found x)) items; None with Found x -> Some x

let with_return (type r) (f : (r -> r) -> r) : r =
  let exception Return of r in
  try f (fun x -> raise (Return x)) with Return x -> x

let () =
  (match find_first (fun x -> x > 2) [ 1; 2; 3; 4 ] with
   | Some x -> Printf.printf "found %d\n" x
   | None -> print_endline "none");
  (match find_first (fun s -> String.length s > 2) [ "a"; "bb" ] with
   | Some s -> print_endline s
   | None -> print_endline "none");
  Printf.printf "%d %s %g\n"
    (with_return (fun return -> if return 5 > 0 then 1 else 2))
    (with_return (fun return -> List.iter (fun s -> if s <> "" then ignore (return s)) [ ""; "x"; "y" ]; "none"))
    (with_return (fun return -> return 2.5 +. 1.0))

(* Through functions that return functions, records and modules. *)
let make_signal () =
  let exception Signal of { code : int; text : string } in
  ( (fun code text -> raise (Signal { code; text })),
    fun body -> try body () with Signal { code; text } when code > 0 -> Printf.printf "%d %s\n" code text )

let () =
  let raise_a, catch_a = make_signal () in
  let raise_b, catch_b = make_signal () in
  catch_a (fun () -> catch_b (fun () -> raise_a 1 "a past b"));
  catch_a (fun () -> catch_b (fun () -> raise_b 2 "b in b"));
  (try catch_a (fun () -> catch_a (fun () -> raise_a 0 "zero")) with _ -> print_endline "guard refused");
  (try catch_a (fun () -> raise_b 3 "b past a") with e -> print_endline (Printexc.to_string e))

let counter_of limit =
  let module M = struct
    exception Full
    exception Other of string
    let count = ref 0
    let next () = if !count >= limit then raise Full else (incr count; !count)
  end in
  (M.next, (fun f -> try f () with M.Full -> -1 | M.Other _ -> -2))

let () =
  let next_a, guard_a = counter_of 1 in
  let next_b, guard_b = counter_of 0 in
  Printf.printf "%d %d\n" (guard_a next_a) (guard_a next_a);
  Printf.printf "%d\n" (try guard_a next_b with _ -> -3);
  Printf.printf "%d\n" (guard_b (fun () -> guard_a next_b))

(* Equality, several handlers, and exceptions in data. *)
let same () =
  let exception E of int in
  (E 1, fun e -> match e with E n -> n | Not_found -> -1 | Failure _ -> -2 | _ -> -3)

let () =
  let e1, look1 = same () in
  let e2, look2 = same () in
  Printf.printf "%b %b\n" (e1 = e1) (e1 = e2);
  List.iter (fun e -> Printf.printf "%d %d; " (look1 e) (look2 e)) [ e1; e2; Not_found; Failure "x"; Exit ];
  print_newline ();
  print_endline (Printexc.to_string e1)

let rec depth_first : type a. (int * a list) array -> (a -> bool) -> (int * a) option = fun graph goal ->
  let exception Hit of int * a in
  try
    Array.iteri (fun i (_, labels) -> List.iter (fun l -> if goal l then raise (Hit (i, l))) labels) graph;
    if Array.length graph > 1 then depth_first (Array.sub graph 0 1) (fun l -> not (goal l)) else None
  with Hit (i, l) -> Some (i, l)

let () =
  match depth_first [| (0, [ 'a'; 'b' ]); (1, [ 'c' ]) |] (fun c -> c = 'c') with
  | Some (i, c) -> Printf.printf "%d %c\n" i c
  | None -> print_endline "none"
