(* Effects from closures, suspended lazy values, iterators and module-level code. *)
open Effect
open Effect.Deep
type _ Effect.t += Emit : string -> unit t | Read : int t

let collect f =
  let out = ref [] in
  let v = match f () with v -> v | effect Emit s, k -> out := s :: !out; continue k () in
  (v, List.rev !out)

let feed (items : int list) f =
  let left = ref items in
  match f () with
  | v -> v
  | effect Read, k -> (match !left with x :: rest -> left := rest; continue k x | [] -> discontinue k End_of_file)

let show (v, l) = Printf.printf "%d [%s]\n" v (String.concat " " l)

let counter () =
  let n = ref 0 in
  fun () -> incr n; perform (Emit (string_of_int !n)); !n

let rec until_end acc = match perform Read with x -> until_end (acc + x) | exception End_of_file -> acc

let suspended = lazy (perform (Emit "forced"); 7)

let () =
  show (collect (fun () -> List.fold_left (fun a x -> perform (Emit ("x" ^ string_of_int x)); a + x) 0 [1; 2; 3]));
  let c = counter () in
  show (collect (fun () -> ignore (c ()); c ()));
  show (collect (fun () -> c () + c ()));
  Printf.printf "%d\n" (feed [1; 2; 3; 4] (fun () -> until_end 0));
  show (collect (fun () -> Lazy.force suspended + Lazy.force suspended));
  show (collect (fun () -> feed [10; 20] (fun () -> let a = perform Read in perform (Emit "between"); a + perform Read)));
  (* the continuation in a data structure, as a closure *)
  let steps = Stack.create () in
  let start f = match f () with () -> () | effect Emit s, k -> Stack.push (s, fun () -> continue k ()) steps in
  List.iter (fun name -> start (fun () -> perform (Emit (name ^ "1")); perform (Emit (name ^ "2")))) ["a"; "b"];
  while not (Stack.is_empty steps) do
    let (s, next) = Stack.pop steps in
    print_string (s ^ " ");
    next ()
  done;
  print_newline ();
  (* local functions and references captured on both sides *)
  let total = ref 0 and log = Buffer.create 10 in
  let add n = total := !total + n; perform (Emit (Printf.sprintf "+%d" n)) in
  (match Array.iter add [| 3; 4; 5 |] with
   | () -> ()
   | effect Emit s, k -> Buffer.add_string log s; total := !total * 2; continue k ());
  Printf.printf "%d %s\n" !total (Buffer.contents log);
  Hashtbl.iter (fun _ _ -> ()) (Hashtbl.create 1);
  let h = Hashtbl.create 8 in
  let rec memo n = match Hashtbl.find_opt h n with
    | Some v -> v
    | None -> perform (Emit (string_of_int n)); let v = if n < 2 then n else memo (n - 1) + memo (n - 2) in Hashtbl.add h n v; v in
  show (collect (fun () -> memo 8));
  print_endline (String.concat "," (List.map string_of_int (fst (collect (fun () -> List.map (fun x -> perform (Emit ""); x * x) [1; 2; 3])))))
