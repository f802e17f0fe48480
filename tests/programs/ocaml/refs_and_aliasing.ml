(* References: aliasing, refs of refs, refs in structures, swap, shared arrays, ref cells in closures. *)

let swap a b = let t = !a in a := !b; b := t

type node = { label : string; mutable next : node option; links : string list ref }

let () =
  let x = ref 1 and y = ref 2 in
  swap x y;
  Printf.printf "%d %d\n" !x !y;
  swap x x;
  Printf.printf "%d\n" !x;
  let rr = ref x in
  !rr := 10;
  Printf.printf "%d %d\n" !x !(!rr);
  rr := y;
  !rr := 20;
  Printf.printf "%d %d\n" !x !y;
  let cells = List.init 3 (fun i -> ref i) in
  List.iter (fun c -> c := !c * !c + 1) cells;
  print_endline (String.concat " " (List.map (fun c -> string_of_int !c) cells));
  let shared = [| 1; 2; 3 |] in
  let pair = (shared, shared) in
  (fst pair).(0) <- 100;
  Printf.printf "%d %b\n" (snd pair).(0) (fst pair == snd pair);
  let copy = Array.copy shared in
  copy.(1) <- 200;
  Printf.printf "%d %d %b\n" shared.(1) copy.(1) (copy = shared);
  let a = { label = "a"; next = None; links = ref [] } in
  let b = { a with label = "b" } in
  a.links := "x" :: !(a.links);
  b.next <- Some a;
  Printf.printf "%d %b %b\n" (List.length !(b.links)) (a.next = None) (match b.next with Some n -> n == a | None -> false);
  a.next <- Some b;
  let rec walk n k = if k = 0 then n.label else match n.next with Some m -> n.label ^ walk m (k - 1) | None -> "." in
  print_endline (walk a 5);
  let fs = ref [] in
  let push f = fs := f :: !fs in
  let total = ref 0 in
  push (fun () -> total := !total + 1);
  push (fun () -> total := !total * 10);
  List.iter (fun f -> f ()) !fs;
  List.iter (fun f -> f ()) (List.rev !fs);
  Printf.printf "%d\n" !total;
  let f = ref (fun n -> n) in
  f := (fun n -> if n = 0 then 1 else n * !f (n - 1));
  Printf.printf "%d\n" (!f 10);
  let opt = ref None in
  opt := Some "set";
  (match !opt with Some s -> print_endline s | None -> print_endline "unset");
  incr total; decr total; decr total;
  Printf.printf "%d %b\n" !total (ref 0 == ref 0)
